/* Every future event list against a sorted array. */
#include "sim_fel.h"

#include "test_sim.h"

/* Test n uses class n / WORKLOADS and workload n % WORKLOADS. */
typedef struct {
  const char *name;
  SimTime base;   /* earliest time */
  SimTime spread; /* times are within this of the last one popped */
  guint entries;  /* the list swings between none and so many */
  guint steps;
} Workload;

static const Workload workloads[] = {
  { "all at one time", 7, 0, 300, 100000 },
  { "many ties", 0, 5, 300, 200000 },
  { "few ties", 0, 1000, 1000, 200000 },
  { "small list", 0, 20, 7, 200000 },
  { "large list", 0, SIM_S (1), 4000, 60000 },
  { "near the end of time", SIM_TIME_NEVER - 50, 50, 200, 100000 },
};
#define WORKLOADS G_N_ELEMENTS (workloads)

/* ----- the naive list ----- */

typedef struct {
  SimTime time;
  guint64 order;
  guint64 id;
} Entry;

static gboolean
entry_before (const Entry *a, const Entry *b)
{
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void
naive_insert (GArray *list, Entry entry)
{
  guint at = list->len;

  while (at > 0 && entry_before (&entry, &g_array_index (list, Entry, at - 1)))
    at--;
  g_array_insert_val (list, at, entry);
}

static void
assert_same (const SimFelEntry *a, const Entry *b)
{
  ck_assert_int_eq (a->time, b->time);
  ck_assert_uint_eq (a->id, b->id);
}

/* ----- the pair ----- */

typedef struct {
  const SimFelClass *klass;
  const Workload *workload;
  SimFel *fel;
  SimPool pool;
  GArray *list; /* Entry, sorted */
  GArray *held; /* guint64: sequence numbers kept for entries that come later */
  guint64 sequence;
  SimTime now;
  SimStream stream;
} Pair;

static Pair *
pair_new (int test)
{
  Pair *pair = g_new0 (Pair, 1);

  pair->klass = sim_fel_classes[test / (int) WORKLOADS];
  pair->workload = &workloads[test % (int) WORKLOADS];
  pair->list = g_array_new (FALSE, FALSE, sizeof (Entry));
  pair->held = g_array_new (FALSE, FALSE, sizeof (guint64));
  sim_pool_init (&pair->pool);
  pair->fel = pair->klass->new_ (&pair->pool);
  pair->now = pair->workload->base;
  pair->stream = test_stream (pair->workload->name);
  return pair;
}

static void
pair_free (Pair *pair)
{
  pair->klass->free_ (pair->fel);
  sim_pool_clear (&pair->pool);
  g_array_free (pair->list, TRUE);
  g_array_free (pair->held, TRUE);
  g_free (pair);
}

/* A record as the engine makes it. */
static guint64
take_record (SimPool *pool, guint64 sequence)
{
  guint32 slot = sim_pool_take (pool);
  SimEventRecord *record = sim_pool_at (pool, slot);

  record->owner = NULL;
  record->stamp = sequence << SIM_GENERATION_BITS | sim_record_generation (record);
  return sim_pool_id (sim_record_generation (record), slot);
}

static void
put_record (SimPool *pool, guint64 id)
{
  guint32 slot = (guint32) id;

  sim_pool_put (pool, sim_pool_at (pool, slot), slot);
}

/* One insertion in eight has a sequence number from before, as a timer's entry has when it
 * moves on. */
static void
pair_insert (Pair *pair)
{
  SimTime spread = MIN (pair->workload->spread, SIM_TIME_NEVER - 1 - pair->now);
  gboolean late = sim_stream_chance (&pair->stream, 0.1);
  gboolean old = !late && pair->held->len > 0 && sim_stream_chance (&pair->stream, 0.125);
  guint at = old ? (guint) sim_stream_below (&pair->stream, pair->held->len) : 0;
  guint64 sequence = old ? g_array_index (pair->held, guint64, at) : pair->sequence++;
  Entry entry = {
    .time = pair->now + (SimTime) sim_stream_below (&pair->stream, (guint64) spread + 1),
    .order = (late ? SIM_FEL_LATE : 0) | sequence,
    .id = take_record (&pair->pool, sequence),
  };

  if (old)
    g_array_remove_index_fast (pair->held, at);
  else if (sim_stream_chance (&pair->stream, 0.125)) {
    g_array_append_val (pair->held, pair->sequence);
    pair->sequence++;
  }
  if (old)
    pair->klass->insert_old (pair->fel, entry.time, entry.order, entry.id);
  else
    pair->klass->insert (pair->fel, entry.time, entry.order, entry.id);
  naive_insert (pair->list, entry);
}

static void
pair_forget (Pair *pair, guint at)
{
  g_array_remove_index (pair->list, at);
}

static void
pair_pop (Pair *pair)
{
  const Entry *first = &g_array_index (pair->list, Entry, 0);
  SimFelEntry entry;

  if (sim_stream_chance (&pair->stream, 0.5)) {
    ck_assert (pair->klass->peek (pair->fel, &entry));
    assert_same (&entry, first);
  }
  if (first->time > 0)
    ck_assert (!pair->klass->pop (pair->fel, first->time - 1, &entry));
  SimTime until = sim_stream_chance (&pair->stream, 0.5) ? first->time : SIM_TIME_NEVER;
  ck_assert (pair->klass->pop (pair->fel, until, &entry));
  assert_same (&entry, first);
  pair->now = first->time;
  put_record (&pair->pool, entry.id);
  pair_forget (pair, 0);
}

static void
pair_remove (Pair *pair)
{
  guint at = (guint) sim_stream_below (&pair->stream, pair->list->len);
  guint64 id = g_array_index (pair->list, Entry, at).id;

  put_record (&pair->pool, id);
  pair->klass->remove (pair->fel, (guint32) id);
  pair_forget (pair, at);
}

START_TEST (like_a_sorted_list)
{
  Pair *pair = pair_new (_i);
  double growth = 0.7; /* share of insertions; turns when full and when empty */

  for (guint step = 0; step < pair->workload->steps; step++) {
    gboolean full = pair->list->len == pair->workload->entries;
    if (full)
      growth = 0.3;
    if (pair->list->len == 0)
      growth = 0.7;
    gboolean insert = sim_stream_chance (&pair->stream, growth);
    if (pair->list->len == 0 || (insert && !full))
      pair_insert (pair);
    else if (sim_stream_chance (&pair->stream, 0.5))
      pair_remove (pair);
    else
      pair_pop (pair);
    ck_assert_uint_eq (pair->klass->count (pair->fel), pair->list->len);
  }
  while (pair->list->len > 0)
    pair_pop (pair);
  SimFelEntry entry;
  ck_assert (!pair->klass->pop (pair->fel, SIM_TIME_NEVER, &entry));
  ck_assert (!pair->klass->peek (pair->fel, &entry));
  ck_assert_uint_eq (pair->klass->count (pair->fel), 0);
  pair_free (pair);
}
END_TEST

/* In a binary heap, removing 60 brings 17, the last entry, below 40: it must rise. */
START_TEST (removal_moves_up)
{
  static const SimTime times[] = { 10, 30, 11, 40, 50, 12, 13, 60, 70, 80, 90, 14, 15, 16, 17 };
  static const SimTime left[] = { 10, 11, 12, 13, 14, 15, 16, 17, 30, 40, 50, 70, 80, 90 };
  const SimFelClass *klass = sim_fel_classes[_i];
  SimPool pool;
  SimFel *fel;
  SimFelEntry entry;

  sim_pool_init (&pool);
  fel = klass->new_ (&pool);
  for (guint32 i = 0; i < G_N_ELEMENTS (times); i++)
    klass->insert (fel, times[i], i, take_record (&pool, i));
  put_record (&pool, 7);
  klass->remove (fel, 7);
  for (guint i = 0; i < G_N_ELEMENTS (left); i++) {
    ck_assert (klass->pop (fel, SIM_TIME_NEVER, &entry));
    ck_assert_int_eq (entry.time, left[i]);
  }
  ck_assert_uint_eq (klass->count (fel), 0);
  klass->free_ (fel);
  sim_pool_clear (&pool);
}
END_TEST

/* The reference checks it; the engine's handles make it impossible. */
START_TEST (removing_what_is_not_there_aborts)
{
  const SimFelClass *klass = &sim_fel_heap;
  SimPool pool;
  SimFel *fel;
  SimFelEntry entry;

  sim_pool_init (&pool);
  fel = klass->new_ (&pool);
  klass->insert (fel, 1, 1, take_record (&pool, 1));
  ck_assert (klass->pop (fel, SIM_TIME_NEVER, &entry));
  klass->remove (fel, 0);
}
END_TEST

START_TEST (classes_are_listed)
{
  gboolean heap = FALSE;

  for (int i = 0; sim_fel_classes[i] != NULL; i++) {
    ck_assert (sim_fel_classes[i]->name[0] != '\0' && sim_fel_classes[i]->help[0] != '\0');
    for (int j = 0; j < i; j++)
      ck_assert_str_ne (sim_fel_classes[i]->name, sim_fel_classes[j]->name);
    heap = heap || sim_fel_classes[i] == &sim_fel_heap;
  }
  ck_assert (heap);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_fel");
  TCase *tc = tcase_create ("fel");
  int classes = 0;

  while (sim_fel_classes[classes] != NULL)
    classes++;
  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, classes_are_listed);
  tcase_add_loop_test (tc, like_a_sorted_list, 0, classes * (int) WORKLOADS);
  tcase_add_loop_test (tc, removal_moves_up, 0, classes);
  tcase_add_test_raise_signal (tc, removing_what_is_not_there_aborts, SIGABRT);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}
