/* Loading scenarios: values and defaults, all rows, limits, files. */
#include "test_scenario.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "param_dist.h"
#include "param_reader.h"
#include "scenario_schema.h"
#include "scenario_target.h"

/* ----- values and defaults ----- */

START_TEST (defaults)
{
  g_autoptr (Scenario) scenario = load (BASE);
  const ScenarioModel *m = model (scenario, 0);

  ck_assert_str_eq (scenario->name, "t");
  ck_assert_str_eq (scenario->path, "t.yaml");
  ck_assert_str_eq (scenario->question, "Why?");
  ck_assert_uint_eq (scenario->seed, 1);
  ck_assert_uint_eq (scenario->replications, 1);
  ck_assert_uint_eq (scenario->variants->len, 1);
  ck_assert_str_eq (variant_name (scenario, 0), "t");
  ck_assert_int_eq (m->run.until, SIM_TIME_NEVER);
  ck_assert_int_eq (m->run.warm_up, 0);
  ck_assert_uint_eq (m->run.event_limit, 2000000000);
  ck_assert_str_eq (m->profile.name, "linux-6.1");
  ck_assert_uint_eq (m->profile.hz, 250);
  ck_assert_str_eq (m->sm.name, "sm");
  ck_assert_uint_eq (m->sm.count, 1);
  ck_assert_uint_eq (m->sm.hca.recv_ring, 512);
  ck_assert_uint_eq (m->hosts->len, 2);
  ck_assert_str_eq (hosts (scenario, 0, 1)->name, "client");
  ck_assert_uint_eq (hosts (scenario, 0, 1)->count, 4);
  ck_assert_int_eq (hosts (scenario, 0, 1)->timer_phase, SIM_TIME_NEVER);
  ck_assert_str_eq (listener (scenario, 0, 0)->name, "listeners.0");
  ck_assert_ptr_eq (listener (scenario, 0, 0)->backlog.full.klass, &backlog_drop.info);
  ck_assert_uint_eq (listener (scenario, 0, 0)->accept.workers, 1);
  ck_assert_str_eq (connects (scenario, 0, 0)->name, "connects.0");
  ck_assert_ptr_eq (connects (scenario, 0, 0)->ulp.klass, &ulp_generic.info);
  ck_assert_uint_eq (scenario->expects->len, 0);
}
END_TEST

START_TEST (values)
{
  g_autoptr (Scenario) scenario = load (
      "cmsim: 1\nquestion: |\n  two\n  lines\n\nseed: 0xffffffffffffffff\nreplications: 100000\n"
      "run: {until: 64.552509296s, warm_up: 0.5min, event_limit: 3M}\n"
      "profile: {base: spec, hz: 1000, mra_for_duplicates: false, timing: linux-nominal}\n"
      "fabric: {latency: {uniform: [1us, 2us]}, rate: 0, overhead: 66B, transport: roce,\n"
      "         loss: {bernoulli: 1%}}\n"
      "sa: {service: {erlang: {mean: 2ms, k: 4}}, wait_limit: never}\n"
      "sm: {hca: {mad_service: 3us}}\n"
      "hosts: {a: {count: 3, timer_phase: 12ms, create_id: {empirical: [[2ms, 1], [1ms, 3]]}}}\n"
      "listeners:\n"
      "  - {name: x, on: a, service: 1, ulp: sdp, backlog: {limit: 5, counts: half-open,\n"
      "     full: {reject: {reason: 28}}}, accept: {unlimited: true, read: at-once}}\n"
      "connects:\n"
      "  - {from: a, to: a.2:65535, ulp: {generic: {retry_on: [3, 28], delay: 10ms}},\n"
      "     arrivals: {poisson: 5k/s}, retry: {jitter: 0.25}, number: 7, hold: 1h}\n");
  const ScenarioModel *m = model (scenario, 0);
  const SimDist *id = &hosts (scenario, 0, 0)->create_id;

  ck_assert_str_eq (scenario->question, "two lines");
  ck_assert_uint_eq (scenario->seed, G_MAXUINT64);
  ck_assert_uint_eq (scenario->replications, 100000);
  ck_assert_int_eq (m->run.until, G_GINT64_CONSTANT (64552509296));
  ck_assert_uint_eq (m->run.event_limit, 3000000);
  ck_assert_str_eq (m->profile.name, "spec");
  ck_assert_uint_eq (m->profile.hz, 1000);
  ck_assert_uint_eq (m->profile.timing, CM_TIMING_LINUX_NOMINAL);
  ck_assert_int_eq (m->profile.mra_for_duplicates, FALSE);
  ck_assert_uint_eq (m->profile.max_retries, 15); /* the base's */
  ck_assert_int_eq (m->fabric.latency.kind, SIM_DIST_UNIFORM);
  ck_assert_double_eq (sim_dist_mean (&m->fabric.latency), 1500);
  ck_assert_uint_eq (m->fabric.rate_bps, 0);
  ck_assert_uint_eq (m->fabric.overhead_bytes, 66);
  ck_assert_uint_eq (m->fabric.transport, FABRIC_TRANSPORT_ROCE);
  ck_assert_ptr_eq (m->fabric.loss.klass, &loss_bernoulli.info);
  ck_assert_double_eq (*(const double *) m->fabric.loss.params, 0.01);
  ck_assert_double_eq (sim_dist_mean (&m->sa.service), 2e6);
  ck_assert_double_eq (sim_dist_variance (&m->sa.service), 1e12); /* mean^2 / k */
  ck_assert_int_eq (m->sa.wait_limit, SIM_TIME_NEVER);
  ck_assert_double_eq (sim_dist_mean (&m->sm.hca.mad_service), 3000);
  ck_assert_double_eq (sim_dist_mean (id), 1.25e6); /* (2 + 3 x 1) / 4 ms */
  ck_assert_int_eq (hosts (scenario, 0, 0)->timer_phase, 12000000);
  ck_assert_str_eq (listener (scenario, 0, 0)->name, "x");
  ck_assert_uint_eq (listener (scenario, 0, 0)->backlog.counts, BACKLOG_COUNTS_HALF_OPEN);
  ck_assert_uint_eq (*(const guint *) listener (scenario, 0, 0)->backlog.full.params, 28);
  ck_assert_uint_eq (listener (scenario, 0, 0)->accept.read, LISTENER_READ_AT_ONCE);
  ck_assert_ptr_eq (connects (scenario, 0, 0)->arrivals.klass, &arrival_poisson.info);
  ck_assert_double_eq (
      ((const ArrivalPoissonParams *) connects (scenario, 0, 0)->arrivals.params)->rate, 5000);
  ck_assert_double_eq (*(const double *) connects (scenario, 0, 0)->retry.params, 0.25);
  ck_assert_uint_eq (connects (scenario, 0, 0)->number, 7);
  ck_assert_int_eq (connects (scenario, 0, 0)->hold, G_GINT64_CONSTANT (3600000000000));
}
END_TEST

/* Every row of every struct and class: a name of its own, help, and a default that its own
 * range allows. */
static void
check_rows (ParamReader *reader, YamlNode *nothing, const SimParam *rows, gsize size)
{
  gpointer target = g_malloc0 (size);
  GError *error = NULL;

  for (const SimParam *row = rows; row->name; row++) {
    ck_assert_ptr_eq (param_find (rows, row->name), row);
    ck_assert_msg (row->help && *row->help, "%s", row->name);
    if (row->value)
      ck_assert_msg (param_reader_row (reader, nothing, row, target, &error), "%s", row->name);
    for (guint i = 0; row->kind == SIM_PARAM_CHOICE && row->classes[i]; i++)
      if (row->classes[i]->params)
        check_rows (reader, nothing, row->classes[i]->params, row->classes[i]->params_size);
    if (row->main_param)
      ck_assert (param_find (row->rows, row->main_param) || !strcmp (row->main_param, "base"));
    if (row->kind == SIM_PARAM_LIST)
      check_rows (reader, nothing, row->rows, row->item_size);
    else if (row->kind == SIM_PARAM_GROUP && row->rows)
      check_rows (reader, nothing, row->rows, size);
  }
  g_free (target);
}

START_TEST (all_rows)
{
  g_autoptr (Arena) arena = arena_new ();
  g_autoptr (ParamReader) reader = param_reader_new (arena);
  YamlNode *nothing = param_reader_default (reader, "{}");

  for (const SimParam *row = scenario_rows; row->name; row++)
    if (row->rows)
      check_rows (reader, nothing, row->rows,
                  row->kind == SIM_PARAM_LIST ? row->item_size : sizeof (ScenarioDocument));
  for (guint i = 0; param_dist_classes[i]; i++)
    check_rows (reader, nothing, param_dist_classes[i]->params, param_dist_classes[i]->params_size);
}
END_TEST

START_TEST (all_classes_by_name)
{
  static const SimClassInfo *const *const lists[] = { loss_classes, backlog_classes, ulp_classes,
                                                      arrival_classes, param_dist_classes };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; lists[i][k]; k++) {
      const SimClassInfo *klass = lists[i][k];

      ck_assert_ptr_eq (param_find_class (lists[i], klass->name), klass);
      ck_assert (klass->help && *klass->help);
      ck_assert (!klass->main_param || param_find (klass->params, klass->main_param));
      ck_assert (!klass->params == !klass->params_size);
    }
}
END_TEST

/* ----- hashes and limits ----- */

START_TEST (hashes)
{
  g_autoptr (Scenario) scenario = load (BASE);
  g_autoptr (Scenario) other = load (BASE "seed: 2\n");
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  char text[17];

  for (const char *p = BASE; *p; p++)
    hash = (hash ^ (guchar) *p) * G_GUINT64_CONSTANT (0x100000001b3);
  g_snprintf (text, sizeof text, "%016" G_GINT64_MODIFIER "x", hash);
  ck_assert_str_eq (scenario->hash, text);
  ck_assert_str_ne (other->hash, text);
}
END_TEST

START_TEST (many_variants)
{
  GString *text = g_string_new (BASE "compare:\n");
  g_autoptr (Scenario) scenario = NULL;

  for (guint i = 0; i < 256; i++)
    g_string_append_printf (text, "  v%u: {}\n", i);
  scenario = load (text->str);
  ck_assert_uint_eq (scenario->variants->len, 256);
  g_string_append (text, "  v256: {}\n");
  refuse (text->str, "t.yaml:9:3: compare: 257 variants; at most 256");
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (many_values)
{
  GString *text = g_string_new (HEAD HOSTS LISTENERS CONNECTS "compare:\n");
  g_autoptr (GError) error = NULL;

  /* 60 variants of a scenario of 90 000 values. */
  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "  v%u: {}\n", i);
  g_string_append (text, "expect:\n");
  for (guint i = 0; i < 90000; i++)
    g_string_append (text, "- x\n");
  ck_assert_ptr_null (try_load (text->str, NULL, 0, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "compare: 60 variants of a scenario of 90"));
  g_string_free (text, TRUE);
}
END_TEST

/* ----- files ----- */

/* Its path (transfer full). */
static char *
in_folder (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  ck_assert (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
remove_folder (char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir))) {
    char *path = g_build_filename (folder, name, NULL);

    g_remove (path);
    g_free (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

#define TRACED                                                                                     \
  HEAD HOSTS "connects:\n  - {from: client, to: \"server:1\", arrivals: {trace: a.csv}}\n"

START_TEST (traces)
{
  char *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree char *path = in_folder (folder, "s.yaml", TRACED "compare: {a: {}, b: {}}\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (Scenario) scenario = NULL;
  const ArrivalTraceParams *params;
  const ArrivalTraceRow *rows;

  g_free (in_folder (folder, "a.csv",
                     "# times\nat_s,host\r\n0,3\r\n0.000000001, 1\n\n"
                     "64.552509296,0\n"));
  scenario = scenario_load (path, NULL, 0, &error);
  ck_assert_msg (scenario != NULL, "%s", error ? error->message : "");
  ck_assert_str_eq (scenario->name, "s");
  params = connects (scenario, 0, 0)->arrivals.params;
  ck_assert_uint_eq (params->rows->len, 3);
  ck_assert_uint_eq (connects (scenario, 0, 0)->number, 3);
  rows = (const ArrivalTraceRow *) params->rows->data;
  ck_assert_int_eq (rows[0].at, 0);
  ck_assert_uint_eq (rows[0].host, 3);
  ck_assert_int_eq (rows[1].at, 1);
  ck_assert_uint_eq (rows[1].host, 1);
  ck_assert_int_eq (rows[2].at, G_GINT64_CONSTANT (64552509296));
  /* Read once for both variants. */
  ck_assert_ptr_eq (((const ArrivalTraceParams *) connects (scenario, 1, 0)->arrivals.params)->rows,
                    params->rows);
  remove_folder (folder);
}
END_TEST

START_TEST (traces_without_hosts)
{
  char *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree char *path = in_folder (folder, "s.yaml", TRACED);
  g_autoptr (Scenario) scenario = NULL;
  const ArrivalTraceParams *params;

  g_free (in_folder (folder, "a.csv", "at_s\n1\n1\n2\n2\n2.5\n3"));
  scenario = scenario_load (path, NULL, 0, NULL);
  params = connects (scenario, 0, 0)->arrivals.params;
  ck_assert_uint_eq (params->rows->len, 6);
  /* The four hosts take turns. */
  for (guint i = 0; i < 6; i++)
    ck_assert_uint_eq (g_array_index (params->rows, ArrivalTraceRow, i).host, i % 4);
  remove_folder (folder);
}
END_TEST

START_TEST (unreadable)
{
  char *folder = g_dir_make_tmp (NULL, NULL), *wanted;
  g_autofree char *huge = g_build_filename (folder, "huge.yaml", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing.yaml", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo.yaml", NULL);
  GError *error = NULL;

  /* Only as long as it says: nothing of it is read. */
  ck_assert (g_file_set_contents (huge, "", 0, NULL));
  ck_assert_int_eq (truncate (huge, (off_t) 16 * 1024 * 1024 + 1), 0);
  ck_assert_int_eq (mkfifo (fifo, 0600), 0);
  const char *const paths[] = { missing, folder, huge, fifo };
  const char *const words[] = { "cannot be read: No such file or directory",
                                "is a directory; name a file", "is larger than 16 MiB",
                                "is not a regular file" };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    ck_assert_ptr_null (scenario_load (paths[i], NULL, 0, &error));
    wanted = g_strdup_printf ("%s: %s", paths[i], words[i]);
    ck_assert_str_eq (error->message, wanted);
    ck_assert (g_error_matches (error, SCENARIO_ERROR, SCENARIO_ERROR_READ));
    g_clear_error (&error);
    g_free (wanted);
  }
  remove_folder (folder);
}
END_TEST

START_TEST (targets)
{
  static const char *const wrong[] = { "",      "a",       ":1",     "a:",
                                       "a:0",   "a:65536", "a:x",    "a.:1",
                                       ".1:1",  "a.x:1",   "a.-1:1", "a.99999999999:1",
                                       "a:1:2", "a: 1" };
  ScenarioTarget target;

  ck_assert (scenario_target_parse ("server:7471", &target));
  ck_assert_str_eq (target.group, "server");
  ck_assert_int_eq (target.indexed, FALSE);
  ck_assert_uint_eq (target.port, 7471);
  scenario_target_clear (&target);
  ck_assert (scenario_target_parse ("rack-1.12:65535", &target));
  ck_assert_str_eq (target.group, "rack-1");
  ck_assert_uint_eq (target.index, 12);
  ck_assert_uint_eq (target.port, 65535);
  scenario_target_clear (&target);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    ck_assert_msg (!scenario_target_parse (wrong[i], &target), "%s", wrong[i]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scenario");
  TCase *tcase = tcase_create ("scenario");

  tcase_add_test (tcase, defaults);
  tcase_add_test (tcase, values);
  tcase_add_test (tcase, all_rows);
  tcase_add_test (tcase, all_classes_by_name);
  tcase_add_test (tcase, hashes);
  tcase_add_test (tcase, many_variants);
  tcase_add_test (tcase, many_values);
  tcase_add_test (tcase, traces);
  tcase_add_test (tcase, traces_without_hosts);
  tcase_add_test (tcase, unreadable);
  tcase_add_test (tcase, targets);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
