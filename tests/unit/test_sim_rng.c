/* Random streams: known outputs, independence of named streams, shaped draws. */
#include "sim_rng.h"

#include "test_sim.h"

#define GOLDEN G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

/* ----- known answers, computed apart from the formulas ----- */

START_TEST (splitmix_reference)
{
  /* The outputs of the published generator for the seed 1234567. */
  static const guint64 expected[] = {
    G_GUINT64_CONSTANT (6457827717110365317),  G_GUINT64_CONSTANT (3203168211198807973),
    G_GUINT64_CONSTANT (9817491932198370423),  G_GUINT64_CONSTANT (4593380528125082431),
    G_GUINT64_CONSTANT (16408922859458223821),
  };
  SimStream stream = { .state = 1234567, .gamma = GOLDEN };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    ck_assert_uint_eq (sim_stream_next (&stream), expected[i]);
}
END_TEST

typedef struct {
  guint64 seed;
  guint32 replication;
  const char *kind;
  const char *purpose;
  guint64 index;
  guint64 state;
  guint64 gamma;
  guint64 draws[3];
} Name;

static const Name names[] = {
  { 0, 0, "", "", 0, 0x22b7f2b8c8731f8d, 0xdeeb611ec31ca6a7,
    { 0x2b223864b54b3043, 0x87ba36a426409f6c, 0x6330c7c02a3da6ce } },
  { 1, 0, "client", "arrival", 0, 0xbc2809f367cdd298, 0x78c224d6f0fd305f,
    { 0x8035ab4327afe116, 0xdd517766e909dec9, 0xdb8775630e8dc73e } },
  { 1, 0, "client", "arrival", 1, 0xd904882eee27abec, 0x0588baadfece3aa7,
    { 0x2b6e2e9230ee4430, 0x8f10b2be3c288203, 0xbc4f4c7bf9f78034 } },
  { 1, 1, "client", "arrival", 0, 0xd3c01335eeb8f484, 0xbda70b4e7c06fb7d,
    { 0x880fcebf03fa4f0a, 0x8c7b692e7ec3f555, 0x9b6b698f915e3b44 } },
  { G_MAXUINT64, G_MAXUINT32, "link", "loss", G_MAXUINT64, 0x5a60351391866881, 0x576352991cdd72d3,
    { 0x9cf99d4caa0fbdbe, 0x7a73ac212784834f, 0x9404308b59943ce9 } },
};

START_TEST (named_streams)
{
  const Name *name = &names[_i];
  SimStream stream;

  sim_stream_init (&stream,
                   sim_stream_key (name->seed, name->replication, name->kind, name->purpose),
                   name->index);
  ck_assert_uint_eq (stream.state, name->state);
  ck_assert_uint_eq (stream.gamma, name->gamma);
  for (guint i = 0; i < 3; i++)
    ck_assert_uint_eq (sim_stream_next (&stream), name->draws[i]);
}
END_TEST

/* This name's first increment has too few changes of bit and is mended. */
START_TEST (weak_increment_is_mended)
{
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (1, 0, "client", "arrival"), 114);
  ck_assert_uint_eq (stream.state, G_GUINT64_CONSTANT (0x65dab69dc4531abe));
  ck_assert_uint_eq (stream.gamma, G_GUINT64_CONSTANT (0x75ac27b44eb2ca55));
}
END_TEST

/* ----- independence ----- */

/* Every part of the name counts, and the parts do not run into each other. */
START_TEST (names_differ)
{
  static const struct {
    guint64 seed;
    guint32 replication;
    const char *kind, *purpose;
  } keys[] = {
    { 1, 0, "a", "b" }, { 2, 0, "a", "b" }, { 1, 1, "a", "b" }, { 1, 0, "b", "a" },
    { 1, 0, "ab", "" }, { 1, 0, "", "ab" }, { 0, 1, "a", "b" }, { 1, 0, "a", "c" },
    { 1, 0, "c", "b" }, { 1, 0, "a", "bb" }, { 0, 0, "", "" },
  };
  enum { INDICES = 50, STREAMS = G_N_ELEMENTS (keys) * INDICES };
  SimStream streams[STREAMS];

  for (guint i = 0; i < STREAMS; i++)
    sim_stream_init (&streams[i],
                     sim_stream_key (keys[i / INDICES].seed, keys[i / INDICES].replication,
                                     keys[i / INDICES].kind, keys[i / INDICES].purpose),
                     i % INDICES);
  for (guint i = 0; i < STREAMS; i++) {
    ck_assert_uint_eq (streams[i].gamma % 2, 1);
    for (guint j = 0; j < i; j++) {
      ck_assert_uint_ne (streams[i].state, streams[j].state);
      ck_assert_uint_ne (streams[i].gamma, streams[j].gamma);
    }
  }
}
END_TEST

/* Chi-square of counts that should be equal, as a standard normal (Wilson, Hilferty). */
static double
chi_square_z (const guint64 *counts, guint n)
{
  double total = 0;
  double chi = 0;
  double df = n - 1;

  for (guint i = 0; i < n; i++)
    total += (double) counts[i];
  for (guint i = 0; i < n; i++) {
    double d = (double) counts[i] - total / n;
    chi += d * d / (total / n);
  }
  return (cbrt (chi / df) - (1 - 2 / (9 * df))) / sqrt (2 / (9 * df));
}

/* Both tails: counts that are too even are wrong as well. */
static void
assert_even (const guint64 *counts, guint n, const char *what)
{
  double z = chi_square_z (counts, n);

  ck_assert_msg (fabs (z) < 3.29, "%s: z = %.2f", what, z); /* 99.9 % */
}

enum { GRID = 16 };

/* Pairs of draws in a 16 x 16 grid, and their correlation. */
typedef struct {
  guint64 counts[GRID * GRID];
  double sum;
  guint n;
} PairTest;

static void
pair_add (PairTest *test, double x, double y)
{
  test->counts[(guint) (x * GRID) * GRID + (guint) (y * GRID)]++;
  test->sum += (x - 0.5) * (y - 0.5);
  test->n++;
}

static void
pair_check (const PairTest *test, const char *what)
{
  double z = 12 * test->sum / sqrt (test->n); /* each product has variance 1 / 144 */

  assert_even (test->counts, GRID * GRID, what);
  ck_assert_msg (fabs (z) < 3.29, "%s: correlation, z = %.2f", what, z);
}

START_TEST (one_stream_is_uniform)
{
  PairTest next = { .n = 0 }, tenth = { .n = 0 };
  SimStream stream = test_stream ("uniform");
  double u[11];

  for (guint i = 0; i < G_N_ELEMENTS (u); i++)
    u[i] = sim_stream_unit (&stream);
  for (int i = 0; i < 1000000; i++) {
    pair_add (&next, u[0], u[1]);
    pair_add (&tenth, u[0], u[10]);
    for (guint k = 0; k < 10; k++)
      u[k] = u[k + 1];
    u[10] = sim_stream_unit (&stream);
  }
  pair_check (&next, "next");
  pair_check (&tenth, "tenth");
}
END_TEST

/* Neighbouring indices, replications and seeds, over few draws of many streams and many
 * draws of few. */
START_TEST (neighbours_are_independent)
{
  PairTest index = { .n = 0 }, replication = { .n = 0 }, seed = { .n = 0 }, purpose = { .n = 0 };
  guint streams = _i == 0 ? 100000 : 10;

  for (guint i = 0; i < streams; i++) {
    guint32 r = i / 100;
    SimStream a, b, c, d, e;
    sim_stream_init (&a, sim_stream_key (7, r, "host", "service"), i);
    sim_stream_init (&b, sim_stream_key (7, r, "host", "service"), i + 1);
    sim_stream_init (&c, sim_stream_key (7, r + 1, "host", "service"), i);
    sim_stream_init (&d, sim_stream_key (8, r, "host", "service"), i);
    sim_stream_init (&e, sim_stream_key (7, r, "host", "arrival"), i);
    for (guint k = 0; k < 1000000 / streams; k++) {
      double x = sim_stream_unit (&a);
      pair_add (&index, x, sim_stream_unit (&b));
      pair_add (&replication, x, sim_stream_unit (&c));
      pair_add (&seed, x, sim_stream_unit (&d));
      pair_add (&purpose, x, sim_stream_unit (&e));
    }
  }
  pair_check (&index, "index");
  pair_check (&replication, "replication");
  pair_check (&seed, "seed");
  pair_check (&purpose, "purpose");
}
END_TEST

/* Each bit of a draw is fair and independent of the bit above it. */
START_TEST (bits_are_fair)
{
  guint64 ones[64] = { 0 }, agree[64] = { 0 };
  SimStream stream = test_stream ("bits");
  const guint n = 400000;

  for (guint i = 0; i < n; i++) {
    guint64 x = sim_stream_next (&stream);
    for (guint bit = 0; bit < 64; bit++) {
      ones[bit] += x >> bit & 1;
      agree[bit] += (x >> bit & 1) == (x >> (bit + 1) % 64 & 1);
    }
  }
  for (guint bit = 0; bit < 64; bit++) { /* 128 tests: 4 standard deviations */
    ck_assert_double_le (fabs ((double) ones[bit] - n / 2.0), 4 * sqrt (n) / 2);
    ck_assert_double_le (fabs ((double) agree[bit] - n / 2.0), 4 * sqrt (n) / 2);
  }
}
END_TEST

/* ----- shaped draws ----- */

START_TEST (units_at_the_ends)
{
  /* The states just before outputs of all zeros and all ones. */
  SimStream zero = { .state = -(guint64) 1, .gamma = 1 };
  SimStream ones = { .state = G_GUINT64_CONSTANT (0xcf9a04affa6badbf), .gamma = 1 };
  SimStream copy = zero;

  ck_assert_uint_eq (sim_stream_next (&copy), 0);
  copy = zero;
  ck_assert (sim_stream_unit (&copy) == 0);
  copy = zero;
  ck_assert (sim_stream_unit_open (&copy) == 0x1p-53);
  copy = zero;
  ck_assert (!sim_stream_chance (&copy, 0));
  copy = ones;
  ck_assert (sim_stream_chance (&copy, 1));
  copy = ones;
  ck_assert_uint_eq (sim_stream_next (&copy), G_MAXUINT64);
  copy = ones;
  ck_assert (sim_stream_unit (&copy) == 1 - 0x1p-53);
  copy = ones;
  ck_assert (sim_stream_unit_open (&copy) == 1 - 0x1p-53);
}
END_TEST

START_TEST (units_from_bits)
{
  SimStream stream = test_stream ("units");

  for (int i = 0; i < 1000; i++) {
    SimStream copy = stream, open = stream;
    guint64 bits = sim_stream_next (&copy);
    ck_assert (sim_stream_unit_open (&open) == ldexp ((double) (2 * (bits >> 12) + 1), -53));
    ck_assert (sim_stream_unit (&stream) == ldexp ((double) (bits >> 11), -53));
    ck_assert_uint_eq (stream.state, copy.state);
    ck_assert_uint_eq (open.state, copy.state);
  }
}
END_TEST

START_TEST (below_small)
{
  static const guint64 bounds[] = { 2, 3, 6, 7, 10, 64, 100 };
  SimStream stream = test_stream ("below");

  ck_assert_uint_eq (sim_stream_below (&stream, 1), 0);
  for (guint b = 0; b < G_N_ELEMENTS (bounds); b++) {
    guint64 counts[100] = { 0 };
    for (int i = 0; i < 200000; i++) {
      guint64 x = sim_stream_below (&stream, bounds[b]);
      ck_assert_uint_lt (x, bounds[b]);
      counts[x]++;
    }
    assert_even (counts, (guint) bounds[b], "below");
  }
}
END_TEST

/* With 3 x 2^62 results out of 2^64 draws, a method without refusals favours some by a
 * factor of two: by their remainder (product) or by their size (remainder). */
START_TEST (below_is_unbiased)
{
  const guint64 n = G_GUINT64_CONSTANT (3) << 62;
  guint64 remainders[3] = { 0 }, thirds[3] = { 0 };
  SimStream stream = test_stream ("bias");

  for (int i = 0; i < 300000; i++) {
    guint64 x = sim_stream_below (&stream, n);
    ck_assert_uint_lt (x, n);
    remainders[x % 3]++;
    thirds[x >> 62]++;
  }
  assert_even (remainders, 3, "remainders");
  assert_even (thirds, 3, "thirds");
  ck_assert_uint_lt (sim_stream_below (&stream, G_MAXUINT64), G_MAXUINT64);
}
END_TEST

START_TEST (below_nothing_aborts)
{
  SimStream stream = test_stream ("below");

  sim_stream_below (&stream, 0);
}
END_TEST

START_TEST (chance)
{
  static const double probabilities[] = { 0, 1e-3, 0.25, 0.5, 0.9, 1 };
  const int n = 200000;
  SimStream stream = test_stream ("chance");

  for (guint i = 0; i < G_N_ELEMENTS (probabilities); i++) {
    double p = probabilities[i];
    SimStream copy = stream;
    int hits = 0;
    for (int k = 0; k < n; k++) {
      hits += sim_stream_chance (&stream, p);
      sim_stream_next (&copy);
    }
    ck_assert_uint_eq (stream.state, copy.state); /* one draw each */
    ck_assert_double_le (fabs (hits - n * p), 3.29 * sqrt (n * p * (1 - p)));
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_rng");
  TCase *tc = tcase_create ("rng");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, splitmix_reference);
  tcase_add_loop_test (tc, named_streams, 0, G_N_ELEMENTS (names));
  tcase_add_test (tc, weak_increment_is_mended);
  tcase_add_test (tc, names_differ);
  tcase_add_test (tc, one_stream_is_uniform);
  tcase_add_loop_test (tc, neighbours_are_independent, 0, 2);
  tcase_add_test (tc, bits_are_fair);
  tcase_add_test (tc, units_at_the_ends);
  tcase_add_test (tc, units_from_bits);
  tcase_add_test (tc, below_small);
  tcase_add_test (tc, below_is_unbiased);
  tcase_add_test_raise_signal (tc, below_nothing_aborts, SIGABRT);
  tcase_add_test (tc, chance);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}
