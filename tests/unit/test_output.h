/* A run of two variants and two replications with known contents, and a place to
 * write its results to. */
#pragma once

#include <glib/gstdio.h>
#include <string.h>

#include "fake_run.h"

typedef struct {
  Scenario scenario;
  RunnerResults *results;
  Summary *summary;
  GPtrArray *verdicts;
  OutputRun run;
  char *place; /* an own directory for the test */
  char *dir;   /* place/results/fake */
} Fixture;

static ExpectVerdict test_good = { (char *) "b: established == 2", TRUE, (char *) "2" };
static ExpectVerdict test_bad = { (char *) "a: refused < 1", FALSE, (char *) "replication 0: 1" };

/* Variant a: 1 established, 1 refused; variant b: 2 established. */
static inline WorldResult *
run_two (const ScenarioModel *model, guint64 seed G_GNUC_UNUSED, guint32 replication,
         const WorldOptions *options, char **ret_broken G_GNUC_UNUSED)
{
  gboolean b = g_array_index (model->connects, ConnectParams, 0).number == 3;
  WorldResult *world = fake_world ();
  ConnectRecord record;

  fake_connect (world, CONNECT_ESTABLISHED, 0, SIM_NS (0), SIM_US (1500));
  record = connect_records_get (world->connects, 0);
  record.reqs = 2;
  connect_records_set (world->connects, 0, &record);
  fake_connect (world, b ? CONNECT_ESTABLISHED : CONNECT_REFUSED, b ? 0 : 3, SIM_NS (7),
                SIM_S (6) + SIM_NS (400000007));
  record = connect_records_get (world->connects, 1);
  record.steps[CONNECT_STEP_CONNECT] = SIM_NS (1007);
  connect_records_set (world->connects, 1, &record);
  for (guint m = 0; m < METRIC_N; m++)
    world->metrics[m] = m;
  world->metrics[METRIC_LATENCY_MEAN] = replication + (b ? 10 : 0);
  world->metrics[METRIC_FAILURE_MEAN] = NAN;
  world->fingerprint = replication;
  for (guint i = 0; i < WORLD_SERIES_N && options->series; i++)
    world->series[i] = sim_series_new (SIM_MS (1), 4, 0);
  if (options->series) {
    sim_series_set (world->series[WORLD_SERIES_BACKLOG], SIM_US (500), 2);
    sim_series_set (world->series[WORLD_SERIES_BACKLOG], SIM_US (700), 1);
    sim_series_set (world->series[WORLD_SERIES_BACKLOG], SIM_US (2500), 0);
  }
  return world;
}

static inline Fixture *
fixture_new (void)
{
  Fixture *fixture = g_new0 (Fixture, 1);
  RunnerOptions options = { .jobs = 1, .run = run_two };
  ScenarioVariant *b;

  fixture->scenario = fake_scenario (2);
  g_ptr_array_add (fixture->scenario.variants, fake_variant ("a, \"first\"", 2));
  b = fake_variant ("b", 3);
  g_array_index (b->model.connects, ConnectParams, 0).name = "clients";
  g_ptr_array_add (fixture->scenario.variants, b);
  fixture->results = runner_run (&fixture->scenario, &options);
  fixture->summary = summary_new (fixture->results);
  fixture->verdicts = g_ptr_array_new ();
  g_ptr_array_add (fixture->verdicts, &test_good);
  g_ptr_array_add (fixture->verdicts, &test_bad);
  fixture->run = (OutputRun){ &fixture->scenario, fixture->results, fixture->summary,
                              fixture->verdicts };
  fixture->place = g_dir_make_tmp ("cmsim-test-XXXXXX", NULL);
  fixture->dir = g_build_filename (fixture->place, "results", "fake", NULL);
  return fixture;
}

static inline void
remove_tree (const char *path)
{
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries))) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    if (g_file_test (child, G_FILE_TEST_IS_DIR))
      remove_tree (child);
    else
      g_unlink (child);
  }
  g_rmdir (path);
}

static inline void
fixture_free (Fixture *fixture)
{
  remove_tree (fixture->place);
  g_free (fixture->place);
  g_free (fixture->dir);
  g_ptr_array_unref (fixture->verdicts);
  summary_free (fixture->summary);
  runner_results_free (fixture->results);
  g_ptr_array_unref (fixture->scenario.variants);
  g_ptr_array_unref (fixture->scenario.options);
  g_free (fixture);
}

static inline void
write_results (Fixture *fixture, gboolean draw)
{
  g_autoptr (GError) error = NULL;
  char *warning;

  ck_assert_msg (output_check (fixture->dir, &error), "%s", error ? error->message : "");
  ck_assert_msg (output_write (&fixture->run, fixture->dir, draw, &warning, &error), "%s",
                 error ? error->message : "");
  ck_assert_msg (warning == NULL, "%s", warning);
}

static inline char *
content (const Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->dir, name, NULL);
  char *text = NULL;

  ck_assert_msg (g_file_get_contents (path, &text, NULL, NULL), "no %s", name);
  return text;
}

/* Names in a directory, sorted, each followed by a blank. */
static inline char *
listing (const char *dir)
{
  g_autoptr (GDir) entries = g_dir_open (dir, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries)))
    g_ptr_array_add (names, g_strdup (name));
  for (guint pass = 0; pass < names->len; pass++)
    for (guint i = 0; i + 1 < names->len; i++)
      if (strcmp (names->pdata[i], names->pdata[i + 1]) > 0) {
        gpointer swap = names->pdata[i];

        names->pdata[i] = names->pdata[i + 1];
        names->pdata[i + 1] = swap;
      }
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s ", (char *) names->pdata[i]);
  return g_string_free (text, FALSE);
}
