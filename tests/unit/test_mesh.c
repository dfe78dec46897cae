/* A mesh: one connection for each pair, whatever the order of requests and arrivals. */
#include "mesh.h"
#include "test_sim.h"

/* 2 hosts of 2 processes; host 0 has LID 7. */
#define LID_OF(process) (7 + (process) / 2)

START_TEST (lower_address_stays)
{
  Mesh *mesh = mesh_new (4, 2, 7);

  mesh_begin (mesh, 1, 3, 0x100);
  mesh_begin (mesh, 3, 1, 0x100); /* the same number on another host */
  ck_assert (mesh_admit (mesh, 3, LID_OF (1), 0x100));
  ck_assert (!mesh_admit (mesh, 1, LID_OF (3), 0x100));
  ck_assert (mesh_lost (mesh, 3, 1));
  ck_assert (!mesh_lost (mesh, 1, 3));
  mesh_free (mesh);
}
END_TEST

START_TEST (no_tie_no_loser)
{
  Mesh *mesh = mesh_new (4, 2, 7);

  mesh_begin (mesh, 2, 0, 0x5);
  ck_assert (mesh_admit (mesh, 0, LID_OF (2), 0x5)); /* 0 wants nothing of 2 */
  ck_assert (!mesh_wants (mesh, 0, 2));              /* ... and has it now */
  ck_assert (mesh_wants (mesh, 2, 0));
  mesh_begin (mesh, 0, 3, 0x6);
  mesh_end (mesh, 0, 3); /* failed: 3 may come */
  mesh_begin (mesh, 3, 0, 0x7);
  ck_assert (mesh_admit (mesh, 0, LID_OF (3), 0x7));
  ck_assert (mesh_admit (mesh, 0, 99, 0x1)); /* somebody else */
  mesh_free (mesh);
}
END_TEST

/* All to all in a random order of sends and arrivals: n (n - 1) / 2 are admitted or not even
 * sent, each pair once. */
START_TEST (each_pair_once)
{
  enum { P = 24 };
  SimStream stream = test_stream ("mesh");

  for (guint round = 0; round < 200; round++) {
    Mesh *mesh = mesh_new (P, 4, 7);
    guint flying[P * P], n = 0, admitted[P][P] = { { 0 } };
    guint order[P * P], left = 0;

    for (guint i = 0; i < P * P; i++)
      if (i / P != i % P)
        order[left++] = i;
    while (left > 0 || n > 0) {
      gboolean send = left > 0 && (n == 0 || sim_stream_below (&stream, 2) == 0);
      if (send) {
        guint k = (guint) sim_stream_below (&stream, left), pair = order[k];
        order[k] = order[--left];
        if (!mesh_wants (mesh, pair / P, pair % P))
          continue;
        mesh_begin (mesh, pair / P, pair % P, pair + 1);
        flying[n++] = pair;
      } else {
        guint k = (guint) sim_stream_below (&stream, n), pair = flying[k];
        flying[k] = flying[--n];
        admitted[pair / P][pair % P] +=
            mesh_admit (mesh, pair % P, 7 + pair / P / 4, pair + 1);
      }
    }
    for (guint a = 0; a < P; a++)
      for (guint b = 0; b < a; b++)
        ck_assert_uint_eq (admitted[a][b] + admitted[b][a], 1);
    mesh_free (mesh);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("mesh");
  TCase *tcase = tcase_create ("mesh");

  tcase_add_test (tcase, lower_address_stays);
  tcase_add_test (tcase, no_tie_no_loser);
  tcase_add_test (tcase, each_pair_once);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
