/* Expectations: the grammar, its errors with their columns, and the verdicts. */
#include "expect_parse.h"

#include <string.h>

#include "test_sim.h"

static const char *const variants[] = { "drop", "reject-3", "v1.5", "v1", NULL };
#define N_VARIANTS 4
#define N_REPLICATIONS 3

static Expect *
try_parse (Arena *arena, const char *yaml, GError **error)
{
  const YamlPlace place = { .file = "t" };
  YamlNode *node = yaml_tree_parse (arena, &place, yaml, strlen (yaml), error);

  ck_assert_ptr_nonnull (node);
  return expect_parse (arena, node, variants, NULL, 0, error);
}

static Expect *
parse (Arena *arena, const char *yaml)
{
  GError *error = NULL;
  Expect *expect = try_parse (arena, yaml, &error);

  ck_assert_msg (expect != NULL, "%s", error ? error->message : "");
  return expect;
}

/* ----- grammar ----- */

START_TEST (forms)
{
  g_autoptr (Arena) arena = arena_new ();
  Expect *e = parse (arena, "established == 512");

  ck_assert_str_eq (e->text, "established == 512");
  ck_assert_ptr_null (e->variant);
  ck_assert_int_eq (e->metric, METRIC_ESTABLISHED);
  ck_assert_int_eq (e->op, EXPECT_EQ);
  ck_assert_double_eq (e->low, 512);
  ck_assert_double_eq (e->tolerance, 0);

  /* YAML makes a mapping of this, but not of the quoted one. */
  e = parse (arena, "drop: refused > 0");
  ck_assert_str_eq (e->text, "drop: refused > 0");
  ck_assert_str_eq (e->variant, "drop");
  ck_assert_int_eq (e->op, EXPECT_GT);
  e = parse (arena, "\"v1.5: refused>0\"");
  ck_assert_str_eq (e->variant, "v1.5");
  e = parse (arena, "{drop: \"reqs != 3\"}");
  ck_assert_int_eq (e->op, EXPECT_NE);

  e = parse (arena, "latency.max in (1ms, 2.5 s]");
  ck_assert_int_eq (e->op, EXPECT_IN);
  ck_assert_double_eq (e->low, 0.001);
  ck_assert_double_eq (e->high, 2.5);
  ck_assert_int_eq (e->low_open, TRUE);
  ck_assert_int_eq (e->high_open, FALSE);

  e = parse (arena, "mean(success) == 50% +- 2%");
  ck_assert_int_eq (e->fold, EXPECT_FOLD_MEAN);
  ck_assert_double_eq (e->low, 0.5);
  ck_assert_double_eq (e->tolerance, 0);
  ck_assert_double_eq (e->tolerance_share, 0.02);
  e = parse (arena, "max ( latency.p99 ) == 12ms +- 100us");
  ck_assert_int_eq (e->fold, EXPECT_FOLD_MAX);
  ck_assert_double_eq (e->tolerance, 1e-4);
  ck_assert_double_eq (e->tolerance_share, 0);

  e = parse (arena, "reqs <= 2 * reject-3.reqs");
  ck_assert_int_eq (e->by_metric, TRUE);
  ck_assert_double_eq (e->factor, 2);
  ck_assert_str_eq (e->other_variant, "reject-3");
  ck_assert_int_eq (e->other_metric, METRIC_REQS);
  e = parse (arena, "latency.p50 >= v1.5.latency.max");
  ck_assert_str_eq (e->other_variant, "v1.5");
  ck_assert_int_eq (e->other_metric, METRIC_LATENCY_MAX);
  e = parse (arena, "latency.p50 >= v1.latency.max");
  ck_assert_str_eq (e->other_variant, "v1");
  e = parse (arena, "failed == refused");
  ck_assert_ptr_null (e->other_variant);
  ck_assert_int_eq (e->other_metric, METRIC_REFUSED);
}
END_TEST

START_TEST (precision)
{
  g_autoptr (Arena) arena = arena_new ();

  ck_assert_double_eq (parse (arena, "end == 64.552509s")->tolerance, 0.5e-6);
  ck_assert_double_eq (parse (arena, "end == 12.0ms")->tolerance, 0.5e-4);
  ck_assert_double_eq (parse (arena, "end == 12ms")->tolerance, 0.5e-9);
  ck_assert_double_eq (parse (arena, "end == latency.max")->tolerance, 0.5e-9);
  ck_assert_double_eq (parse (arena, "reqs_per_connect == 1.50")->tolerance, 0.5e-2);
  ck_assert_double_eq (parse (arena, "success == 99.5%")->tolerance, 0.5e-3);
  ck_assert_double_eq (parse (arena, "success == 50%")->tolerance, 0);
}
END_TEST

typedef struct {
  const char *yaml;
  const char *message;
} Wrong;

static void
check_wrong (const Wrong *cases, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (Arena) arena = arena_new ();
    g_autoptr (GError) error = NULL;

    ck_assert_ptr_null (try_parse (arena, cases[i].yaml, &error));
    ck_assert_str_eq (error->message, cases[i].message);
  }
}

START_TEST (wrong_names_and_values)
{
  static const Wrong cases[] = {
    { "establishd == 1",
      "t:1:1: expect: there is no metric \"establishd\"; `cmsim list metrics` lists "
      "them; did you mean \"established\"?" },
    { "== 1", "t:1:1: expect: a metric is missing, such as established == 512" },
    { "dorp: reqs == 1",
      "t:1:1: expect: there is no variant \"dorp\"; allowed: drop, reject-3, v1.5, v1; "
      "did you mean \"drop\"?" },
    { "'dorp: reqs == 1'",
      "t:1:2: expect: there is no variant \"dorp\"; allowed: drop, reject-3, v1.5, "
      "v1; did you mean \"drop\"?" },
    { "reqs",
      "t:1:5: expect: a comparison is missing before the value; allowed: == != < <= > >= in" },
    { "reqs 5",
      "t:1:6: expect: a comparison is missing before the value; allowed: == != < <= > >= in" },
    { "reqs = 5",
      "t:1:6: expect: \"=\" is no comparison; allowed: == != < <= > >= in; did you mean "
      "\"==\"?" },
    { "reqs => 5",
      "t:1:6: expect: \"=>\" is no comparison; allowed: == != < <= > >= in; did you mean "
      "\">=\"?" },
    { "reqs ==", "t:1:8: expect: a value is missing; reqs is a number, such as 512" },
    { "reqs == 5s", "t:1:9: expect: \"5s\" does not suit reqs, which is a number, such as 512" },
    { "reqs == 5%", "t:1:9: expect: \"5%\" does not suit reqs, which is a number, such as 512" },
    { "end == 5",
      "t:1:8: expect: \"5\" has no unit; write a time with ns, us, ms, s, min, h, such as "
      "5ms" },
    { "end == 5%",
      "t:1:8: expect: \"5%\": \"%\" is not a unit of a time; allowed: ns, us, ms, s, min, h" },
    { "end == 1.5ns", "t:1:8: expect: \"1.5ns\" is too fine; a time is a multiple of 1 ns" },
    { "end > reqs", "t:1:7: expect: end and reqs cannot be compared; one is a time" },
    { "end > drop.reqs", "t:1:7: expect: end and reqs cannot be compared; one is a time" },
    { "reqs > 2 * drop.rqs",
      "t:1:17: expect: there is no metric \"rqs\"; `cmsim list metrics` lists them; "
      "did you mean \"reqs\"?" },
    { "reqs > dorp.latency.max",
      "t:1:8: expect: there is no variant \"dorp\"; allowed: drop, reject-3, "
      "v1.5, v1; did you mean \"drop\"?" },
    { "reqs > latncy.max",
      "t:1:8: expect: there is no metric \"latncy.max\"; `cmsim list metrics` lists "
      "them; did you mean \"latency.max\"?" },
  };

  check_wrong (cases, G_N_ELEMENTS (cases));
}
END_TEST

START_TEST (wrong_forms)
{
  static const Wrong cases[] = {
    { "avg(reqs) > 2",
      "t:1:1: expect: there is no function \"avg\"; allowed: mean, min, max, sum" },
    { "mean(reqs > 2", "t:1:11: expect: a closing ) is missing" },
    { "reqs == 5 or more",
      "t:1:11: expect: \"or more\" is too much; a line ends after the comparison" },
    { "reqs > 5 +- 1", "t:1:10: expect: a tolerance +- goes with == only" },
    { "reqs == 5 +- -1", "t:1:14: expect: a tolerance is not negative" },
    { "reqs == 5 +- 1s",
      "t:1:14: expect: \"1s\" does not suit reqs, which is a number, such as 512" },
    { "reqs in 5", "t:1:9: expect: an interval is missing; write in [LOW, HIGH]" },
    { "reqs in [5]", "t:1:11: expect: a comma is missing between the ends of the interval" },
    { "reqs in [5, 6", "t:1:14: expect: the interval does not end; write in [LOW, HIGH]" },
    { "reqs in [6, 5]", "t:1:9: expect: the interval is empty; write the smaller end first" },
    { "reqs in (5, 5]", "t:1:9: expect: the interval is empty; write the smaller end first" },
    { "[reqs]", "t:1:1: expect: expected a line such as established == 512; found a list" },
    { "{drop: x, v1: y}",
      "t:1:1: expect: expected a line such as established == 512; found a mapping" },
    { "drop:", "t:1:6: expect: expected a line such as established == 512; found nothing" },
    { "|\n  reqs\n  5\n",
      "t:1:1: expect: \"\\n5\\n\" is no comparison; allowed: == != < <= > >= in" },
    { "reqs == 1e999",
      "t:1:9: expect: \"1e999\" does not suit reqs, which is a number, such as 512" },
  };

  check_wrong (cases, G_N_ELEMENTS (cases));
}
END_TEST

/* ----- verdicts ----- */

typedef struct {
  Arena *arena;
  Scenario scenario;
  ScenarioVariant by_name[N_VARIANTS];
  RunnerResults results;
  RunnerCell cells[N_REPLICATIONS * N_VARIANTS];
  WorldResult worlds[N_REPLICATIONS * N_VARIANTS];
} Run;

/* Values of one metric by replication, for a variant. */
static void
set (Run *run, guint variant, MetricId metric, double r0, double r1, double r2)
{
  const double values[N_REPLICATIONS] = { r0, r1, r2 };

  for (guint r = 0; r < N_REPLICATIONS; r++)
    run->worlds[r * N_VARIANTS + variant].metrics[metric] = values[r];
}

static void
start (Run *run)
{
  memset (run, 0, sizeof *run);
  run->arena = arena_new ();
  run->scenario.variants = g_ptr_array_new ();
  run->scenario.expects = g_ptr_array_new ();
  for (guint v = 0; v < N_VARIANTS; v++) {
    run->by_name[v].name = variants[v];
    g_ptr_array_add (run->scenario.variants, &run->by_name[v]);
  }
  for (guint i = 0; i < N_REPLICATIONS * N_VARIANTS; i++)
    run->cells[i].world = &run->worlds[i];
  run->results = (RunnerResults){ .variants = N_VARIANTS,
                                  .replications = N_REPLICATIONS,
                                  .complete = N_REPLICATIONS,
                                  .cells = run->cells };
  for (guint v = 0; v < N_VARIANTS; v++) {
    set (run, v, METRIC_ESTABLISHED, 512, 512, 512);
    set (run, v, METRIC_END, 0.012, 0.012, 0.012);
  }
  set (run, 0, METRIC_REQS, 10, 20, 60);
  set (run, 1, METRIC_REQS, 5, 10, 29);
  set (run, 0, METRIC_LATENCY_MAX, 64.552509296, 64.552509296, NAN);
  set (run, 1, METRIC_LATENCY_MAX, NAN, NAN, NAN);
  set (run, 0, METRIC_SUCCESS, 0.5, 0.5, 0.5);
}

static void
end (Run *run)
{
  g_ptr_array_unref (run->scenario.variants);
  g_ptr_array_unref (run->scenario.options);
  g_ptr_array_unref (run->scenario.expects);
  arena_free (run->arena);
}

/* One line, judged: what was found if it holds, else "FAIL " and that. (transfer full) */
static char *
judge (Run *run, const char *yaml)
{
  g_autoptr (GPtrArray) verdicts = NULL;
  const ExpectVerdict *verdict;

  g_ptr_array_set_size (run->scenario.expects, 0);
  g_ptr_array_add (run->scenario.expects, parse (run->arena, yaml));
  verdicts = expect_judge (&run->scenario, &run->results);
  if (verdicts->len == 0)
    return g_strdup ("left out");
  verdict = g_ptr_array_index (verdicts, 0);
  return g_strconcat (verdict->holds ? "" : "FAIL ", verdict->found, NULL);
}

START_TEST (verdicts)
{
  static const struct {
    const char *yaml;
    const char *found;
  } cases[] = {
    { "established == 512", "512 in all 3 replications" },
    { "established != 512", "FAIL drop, replication 0: 512 (and 11 more of 12)" },
    { "drop: reqs <= 20", "FAIL drop, replication 2: 60" },
    { "drop: reqs < 20", "FAIL drop, replication 1: 20 (and 1 more of 3)" },
    { "drop: reqs >= 10", "10 to 60 in all 3 replications" },
    { "drop: reqs > 10", "FAIL drop, replication 0: 10" },
    { "drop: reqs in [10, 60]", "10 to 60 in all 3 replications" },
    { "drop: reqs in (10, 60]", "FAIL drop, replication 0: 10" },
    { "drop: reqs in [10, 60)", "FAIL drop, replication 2: 60" },
    { "drop: mean(reqs) == 30", "30" },
    { "drop: min(reqs) == 10", "10" },
    { "drop: max(reqs) == 60", "60" },
    { "drop: sum(reqs) == 90", "90" },
    { "reject-3: mean(reqs) == 14.7", "14.6666667" },
    { "reject-3: mean(reqs) == 14.67", "14.6666667" },
    { "reject-3: mean(reqs) == 14.66", "FAIL reject-3: 14.6666667" },
    { "reject-3: mean(reqs) == 15", "FAIL reject-3: 14.6666667" },
    { "reject-3: mean(reqs) == 15 +- 3%", "14.6666667" },
    { "reject-3: mean(reqs) == 15 +- 2%", "FAIL reject-3: 14.6666667" },
    { "drop: reqs == 2 * reject-3.reqs", "FAIL drop, replication 2: 60, the right side 58" },
    { "drop: reqs == 2 * reject-3.reqs +- 4%", "10 to 60 in all 3 replications" },
    { "drop: reqs > reject-3.reqs", "10 to 60 in all 3 replications" },
    { "drop: reqs < reject-3.reqs",
      "FAIL drop, replication 0: 10, reject-3.reqs 5 (and 2 more of 3)" },
    { "drop: sum(reqs) == reject-3.reqs", "FAIL drop: 90, reject-3.reqs 44" },
    { "drop: reqs == established",
      "FAIL drop, replication 0: 10, drop.established 512 (and 2 more of 3)" },
    { "drop: success == 50%", "0.5 in all 3 replications" },
    { "drop: success > 50%", "FAIL drop, replication 0: 0.5 (and 2 more of 3)" },
    { "end == 12ms", "0.012 s in all 3 replications" },
    { "end == 12.000001ms", "FAIL drop, replication 0: 0.012 s (and 11 more of 12)" },
    { "end == 11.9ms", "FAIL drop, replication 0: 0.012 s (and 11 more of 12)" },
    { "end <= 12ms", "0.012 s in all 3 replications" },
    { "end < 12ms", "FAIL drop, replication 0: 0.012 s (and 11 more of 12)" },
    { "end in [12ms, 1s]", "0.012 s in all 3 replications" },
    /* Undefined satisfies nothing, not even "different". */
    { "drop: latency.max == 64.552509s", "FAIL drop, replication 2: undefined" },
    { "reject-3: latency.max != 1s", "FAIL reject-3, replication 0: undefined (and 2 more of 3)" },
    { "reject-3: mean(latency.max) > 0s", "FAIL reject-3: undefined" },
    { "drop: max(latency.max) > 0s", "FAIL drop: undefined" },
    { "drop: end <= reject-3.latency.max",
      "FAIL drop, replication 0: 0.012 s, reject-3.latency.max "
      "undefined (and 2 more of 3)" },
  };
  Run run;

  start (&run);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *found = judge (&run, cases[i].yaml);

    ck_assert_msg (!strcmp (found, cases[i].found), "%s: %s, expected %s", cases[i].yaml, found,
                   cases[i].found);
  }
  end (&run);
}
END_TEST

START_TEST (published_times)
{
  g_autofree char *found = NULL;
  Run run;

  /* The answer of case C04, as printed and in full. */
  start (&run);
  set (&run, 0, METRIC_LATENCY_MAX, 64.552509296, 64.552509440, 64.552509);
  found = judge (&run, "drop: latency.max == 64.552509s");
  ck_assert_str_eq (found, "64.552509 s to 64.55250944 s in all 3 replications");
  g_free (found);
  found = judge (&run, "drop: latency.max == 64.552510s");
  ck_assert_str_eq (found, "FAIL drop, replication 0: 64.552509296 s (and 2 more of 3)");
  g_free (found);
  found = judge (&run, "drop: latency.max == 64.552509296s");
  ck_assert_str_eq (found, "FAIL drop, replication 1: 64.55250944 s (and 1 more of 3)");
  end (&run);
}
END_TEST

START_TEST (variants_left_out)
{
  g_autofree char *found = NULL;
  Run run;

  /* Only "drop" was run: its column is the only one. */
  start (&run);
  g_ptr_array_set_size (run.scenario.variants, 1);
  run.results.variants = 1;
  run.results.complete = 1;
  found = judge (&run, "reject-3: reqs == 5");
  ck_assert_str_eq (found, "left out");
  g_free (found);
  found = judge (&run, "drop: reqs > reject-3.reqs");
  ck_assert_str_eq (found, "left out");
  g_free (found);
  found = judge (&run, "reqs == 10");
  ck_assert_str_eq (found, "10");
  g_free (found);
  /* Nothing was run to its end. */
  run.results.complete = 0;
  found = judge (&run, "reqs == 10");
  ck_assert_str_eq (found, "left out");
  end (&run);
}
END_TEST

START_TEST (metric_names)
{
  for (guint i = 0; i < METRIC_N; i++)
    ck_assert_int_eq (metric_find (metric_infos[i].name), i);
  ck_assert_int_eq (metric_find (""), METRIC_N);
  ck_assert_int_eq (metric_find ("latency"), METRIC_N);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("expect");
  TCase *tcase = tcase_create ("expect");

  tcase_add_test (tcase, forms);
  tcase_add_test (tcase, precision);
  tcase_add_test (tcase, wrong_names_and_values);
  tcase_add_test (tcase, wrong_forms);
  tcase_add_test (tcase, verdicts);
  tcase_add_test (tcase, published_times);
  tcase_add_test (tcase, variants_left_out);
  tcase_add_test (tcase, metric_names);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
