/* Slabs: objects keep their place and their contents whatever is taken and put back. */
#include "sim_slab.h"

#include "test_sim.h"

typedef struct {
  guint64 number;
  guint64 check[3];
} Item;

static void
fill (Item *item, guint64 number)
{
  *item = (Item){ .number = number, .check = { ~number, number * 3, number << 7 } };
}

static void
check (const Item *item)
{
  guint64 number = item->number;

  ck_assert (item->check[0] == ~number && item->check[1] == number * 3 &&
             item->check[2] == number << 7);
}

/* Against a plain array of what is out: nothing is handed out twice, nothing moves. */
START_TEST (random_use)
{
  enum { OUT = 3000, STEPS = 200000 };
  static Item *out[OUT];
  SimArena *arena = sim_arena_new ();
  SimSlab slab;
  SimStream stream;
  guint n = 0;

  sim_slab_init (&slab, arena, sizeof (Item));
  sim_stream_init (&stream, sim_stream_key (1, 0, "test", "slab"), 0);
  for (guint64 step = 0; step < STEPS; step++) {
    guint i = (guint) sim_stream_below (&stream, OUT);

    if (i >= n && n < OUT) {
      out[n] = sim_slab_take (&slab);
      fill (out[n++], step);
    } else if (n > 0) {
      i %= n;
      check (out[i]);
      sim_slab_put (&slab, out[i]);
      out[i] = out[--n];
    }
    ck_assert_uint_eq (slab.count, n);
  }
  for (guint i = 0; i < n; i++)
    check (out[i]);
  sim_slab_clear (&slab);
  sim_arena_free (arena);
}
END_TEST

/* What is put back is taken again before the slab grows. */
START_TEST (reuse)
{
  SimArena *arena = sim_arena_new ();
  SimSlab slab;
  gpointer first, second;

  sim_slab_init (&slab, arena, 1);
  ck_assert_uint_eq (slab.item_size, sizeof (gpointer));
  first = sim_slab_take (&slab);
  second = sim_slab_take (&slab);
  ck_assert_ptr_ne (first, second);
  sim_slab_put (&slab, second);
  sim_slab_put (&slab, first);
  ck_assert_ptr_eq (sim_slab_take (&slab), first);
  ck_assert_ptr_eq (sim_slab_take (&slab), second);
  sim_slab_clear (&slab);
  sim_arena_free (arena);
}
END_TEST

typedef struct {
  guint n;
  guint64 sum;
} Seen;

static void
see (gpointer item, gpointer data)
{
  Seen *seen = data;

  seen->n++;
  seen->sum += ((guint64 *) item)[1];
}

/* Chunks beyond the size of a huge page, of a size that does not divide it. */
START_TEST (many)
{
  enum { N = 200000, SIZE = 104 };
  SimArena *arena = sim_arena_new ();
  SimSlab slab;
  guint64 **items = g_new (guint64 *, N);

  sim_slab_init (&slab, arena, SIZE);
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < N; i++) {
      items[i] = sim_slab_take (&slab);
      items[i][0] = i;
      items[i][SIZE / 8 - 1] = i + round;
    }
    guint wrong = 0;

    for (guint i = 0; i < N; i++)
      wrong += items[i][0] != i || items[i][SIZE / 8 - 1] != i + round;
    ck_assert_uint_eq (wrong, 0);
    for (guint i = 0; i < N; i++)
      items[i][1] = i;
    sim_slab_put (&slab, items[N / 2]); /* is seen all the same */
    Seen seen = { .n = 0 };
    sim_slab_each (&slab, see, &seen);
    ck_assert_uint_eq (seen.n, N);
    ck_assert_uint_eq (seen.sum, (guint64) N * (N - 1) / 2);
    sim_slab_clear (&slab);
  }
  sim_arena_free (arena);
  g_free (items);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_slab");
  TCase *tcase = tcase_create ("slab");

  tcase_add_test (tcase, random_use);
  tcase_add_test (tcase, reuse);
  tcase_add_test (tcase, many);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
