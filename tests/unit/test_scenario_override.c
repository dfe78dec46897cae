/* Variants and settings: what a path reaches, and what it is told otherwise. */
#include "test_scenario.h"

static void
refuse_setting (const char *path, const char *value, const char *message)
{
  g_autoptr (GError) error = NULL;
  const ScenarioSetting setting = { .path = path, .value = value };
  Scenario *scenario = try_load (BASE, &setting, 1, &error);

  ck_assert_ptr_null (scenario);
  ck_assert_str_eq (error->message, message);
}

START_TEST (variants)
{
  g_autoptr (Scenario) scenario = load (
      HEAD "hosts: {server: 1, client: 4}\n"
           "listeners:\n"
           "  - {on: server, service: 1, backlog: {full: {reject: 28}}, accept: {service: "
           "{uniform: [1ms, "
           "2ms]}}}\n" CONNECTS "compare:\n"
           "  b-first: {}\n"
           "  a: {listeners.0.backlog.full: drop, listeners.0.backlog.limit: 3}\n"
           "  nothing:\n"
           "  count: {hosts.client.count: 9, hosts.server: 2}\n"
           "  profile: {profile.hz: 1000}\n"
           "  reason: {listeners.0.backlog.full.reject.reason: 7}\n"
           "  policy: {listeners.0.backlog.full.defer.limit: 7}\n"
           "  dist: {listeners.0.accept.service.uniform.high: 5ms}\n"
           "  default: {hosts.client.hca.cm_service.lognormal.sigma: 0}\n"
           "  group: {listeners.0.accept: {workers: 7}}\n"
           "  twice: {listeners.0.backlog: {limit: 4}, listeners.0.backlog.counts: half-open}\n");

  ck_assert_uint_eq (scenario->variants->len, 11);
  ck_assert_str_eq (variant_name (scenario, 0), "b-first");
  ck_assert_uint_eq (*(const guint *) listener (scenario, 0, 0)->backlog.full.params, 28);
  ck_assert_ptr_eq (listener (scenario, 1, 0)->backlog.full.klass, &backlog_drop.info);
  ck_assert_uint_eq (listener (scenario, 1, 0)->backlog.limit, 3);
  ck_assert_uint_eq (listener (scenario, 2, 0)->backlog.limit, 0);
  ck_assert_ptr_eq (listener (scenario, 2, 0)->backlog.full.klass, &backlog_reject.info);
  ck_assert_uint_eq (hosts (scenario, 3, 1)->count, 9);
  ck_assert_uint_eq (hosts (scenario, 3, 0)->count, 2);
  ck_assert_uint_eq (hosts (scenario, 4, 1)->count, 4);
  ck_assert_str_eq (model (scenario, 4)->profile.name, "linux-6.1");
  ck_assert_uint_eq (model (scenario, 4)->profile.hz, 1000);
  ck_assert_uint_eq (*(const guint *) listener (scenario, 5, 0)->backlog.full.params, 7);
  ck_assert_ptr_eq (listener (scenario, 6, 0)->backlog.full.klass, &backlog_defer.info);
  ck_assert_double_eq (sim_dist_mean (&listener (scenario, 7, 0)->accept.service), 3e6);
  /* The default is {lognormal: {median: 10us, sigma: 0.5}}. */
  ck_assert_double_eq (sim_dist_mean (&hosts (scenario, 8, 1)->hca.cm_service), 10000);
  ck_assert_uint_eq (listener (scenario, 9, 0)->accept.workers, 7);
  ck_assert_double_eq (sim_dist_mean (&listener (scenario, 9, 0)->accept.service), 0);
  ck_assert_uint_eq (listener (scenario, 10, 0)->backlog.limit, 4);
  ck_assert_uint_eq (listener (scenario, 10, 0)->backlog.counts, BACKLOG_COUNTS_HALF_OPEN);
}
END_TEST

START_TEST (shared_by_alias)
{
  g_autoptr (Scenario) scenario =
      load (HEAD HOSTS "listeners:\n  - {on: server, service: 1, backlog: &b {limit: 5}}\n"
                       "  - {on: server, service: 2, backlog: *b}\n" CONNECTS
                       "compare:\n  x: {listeners.1.backlog.limit: 6}\n");

  ck_assert_uint_eq (listener (scenario, 0, 0)->backlog.limit, 5);
  ck_assert_uint_eq (listener (scenario, 0, 1)->backlog.limit, 6);
}
END_TEST

START_TEST (settings)
{
  static const ScenarioSetting set[] = {
    { .path = "listeners.0.backlog.limit", .value = "7" },
    { .path = "listeners.0.backlog.full", .value = "{reject: 3}" },
    { .path = "seed", .value = "99", .option = "--seed" },
    { .path = "run.until", .value = "5s" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (Scenario) scenario = try_load (
      BASE
      "compare: {a: {}, b: {listeners.0.backlog.full: unlimited, listeners.0.backlog.limit: 1}}\n",
      set, G_N_ELEMENTS (set), &error);
  g_autoptr (Scenario) plain = load (BASE "compare: {a: {}, b: {}}\n");

  ck_assert_ptr_null (error);
  ck_assert_uint_eq (scenario->seed, 99);
  for (guint v = 0; v < 2; v++) {
    ck_assert_uint_eq (listener (scenario, v, 0)->backlog.limit, 7);
    ck_assert_ptr_eq (listener (scenario, v, 0)->backlog.full.klass, &backlog_reject.info);
    ck_assert_int_eq (model (scenario, v)->run.until, G_GINT64_CONSTANT (5000000000));
  }
  ck_assert_str_ne (scenario->hash, plain->hash);
}
END_TEST

START_TEST (wrong_settings)
{
  refuse_setting (
      "listeners.0.backlog.limt", "2",
      "--set listeners.0.backlog.limt: unknown key \"limt\" in listeners.0.backlog; allowed: "
      "limit, counts, full; did you mean \"limit\"?");
  refuse_setting (
      "listeners.7.backlog.limit", "2",
      "--set listeners.7.backlog.limit: \"7\" is not an element of listeners; it has 1, "
      "numbered 0 to 0");
  refuse_setting ("run.until", "5",
                  "--set run.until: \"5\" has no unit; write a time with ns, us, ms, "
                  "s, min, h, such as 5ms");
  refuse_setting ("hosts.clent.count", "5",
                  "--set hosts.clent.count: there is no \"clent\" in hosts; "
                  "allowed: server, client; did you mean \"client\"?");
  refuse_setting ("compare", "{}", "--set compare: compare can be changed in the file only");
  refuse_setting ("expect.0", "x", "--set expect.0: expect can be changed in the file only");
  refuse_setting ("seed", "[1",
                  "--set seed: not valid YAML: did not find expected ',' or ']' (while "
                  "parsing a flow sequence that starts on line 1); is a bracket not closed?");
  refuse_setting ("seed", "", "--set seed: no value");
  refuse_setting ("", "1",
                  "--set : not a path; write keys and numbers of list elements joined by "
                  "dots, such as listeners.0.backlog.limit");
  refuse_setting ("seed.x", "1", "--set seed.x: seed is a single value; nothing stands below it");
  refuse_setting ("listeners.0.backlog.full.drop.x", "1",
                  "--set listeners.0.backlog.full.drop.x: \"drop\" takes no parameters");
  refuse_setting ("a\nb", "1",
                  "--set a\\nb: unknown key \"a\\nb\" in the scenario; allowed: cmsim, "
                  "question, seed, replications, run, profile, fabric, sa, tcp, sm, hosts, "
                  "listeners, connects, handmade, multicast, compare, matrix, expect");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scenario_override");
  TCase *tcase = tcase_create ("scenario_override");

  tcase_add_test (tcase, variants);
  tcase_add_test (tcase, shared_by_alias);
  tcase_add_test (tcase, settings);
  tcase_add_test (tcase, wrong_settings);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
