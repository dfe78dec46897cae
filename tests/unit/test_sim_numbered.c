/* Numbered records: against a plain array of what is out, nothing is given out twice, nothing
 * moves, and what is put back is given out again first. */
#include "sim_numbered.h"

#include "test_sim.h"

typedef struct {
  guint32 number, check[4];
} Item;

static void
fill (Item *item, guint32 number)
{
  *item = (Item){ .number = number, .check = { ~number, number * 3, number << 7, number } };
}

static void
check (const Item *item, guint32 number)
{
  ck_assert_uint_eq (item->number, number);
  ck_assert (item->check[0] == ~number && item->check[1] == number * 3 &&
             item->check[2] == number << 7 && item->check[3] == number);
}

START_TEST (random_use)
{
  enum { OUT = 3000, STEPS = 200000 };
  static guint32 out[OUT];
  static Item *places[OUT];
  SimNumbered records;
  SimStream stream;
  guint n = 0, most = 0;

  sim_numbered_init (&records, NULL, sizeof (Item));
  sim_stream_init (&stream, sim_stream_key (1, 0, "test", "numbered"), 0);
  for (guint step = 0; step < STEPS; step++) {
    guint i = (guint) sim_stream_below (&stream, OUT);

    if (i >= n && n < OUT) {
      out[n] = sim_numbered_take (&records);
      ck_assert_uint_ne (out[n], 0);
      places[n] = sim_numbered_at (&records, out[n]);
      fill (places[n], out[n]);
      n++;
      most = MAX (most, n);
    } else if (n > 0) {
      i %= n;
      ck_assert_ptr_eq (sim_numbered_at (&records, out[i]), places[i]);
      check (places[i], out[i]);
      sim_numbered_put (&records, out[i]);
      out[i] = out[--n];
      places[i] = places[n];
    }
  }
  for (guint i = 0; i < n; i++)
    check (places[i], out[i]);
  ck_assert_uint_eq (records.n, most); /* as many as were out at a time */
  sim_numbered_clear (&records);
}
END_TEST

START_TEST (last_put_back_comes_first)
{
  SimNumbered records;
  guint32 a, b;

  sim_numbered_init (&records, NULL, 1);
  a = sim_numbered_take (&records);
  b = sim_numbered_take (&records);
  ck_assert_uint_ne (a, b);
  sim_numbered_put (&records, a);
  sim_numbered_put (&records, b);
  ck_assert_uint_eq (sim_numbered_take (&records), b);
  ck_assert_uint_eq (sim_numbered_take (&records), a);
  sim_numbered_clear (&records);
}
END_TEST

/* Far apart, and in any order. */
START_TEST (chosen_numbers)
{
  static const guint32 numbers[] = { 1, 100000, 64, 65, 2, 129, 128 };
  SimNumbered records;

  sim_numbered_init (&records, NULL, sizeof (Item));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    Item *item = sim_numbered_make (&records, numbers[i]);

    ck_assert_uint_eq (item->number, 0);
    fill (item, numbers[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    check (sim_numbered_at (&records, numbers[i]), numbers[i]);
  sim_numbered_clear (&records);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_numbered");
  TCase *tc = tcase_create ("numbered records");

  tcase_add_test (tc, random_use);
  tcase_add_test (tc, chosen_numbers);
  tcase_add_test (tc, last_put_back_comes_first);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}
