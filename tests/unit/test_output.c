/* What is in the files of a results directory. */
#include "output.h"

#include <json-glib/json-glib.h>

#include "figure.h"
#include "test_output.h"

/* ----- what is in the files ----- */

START_TEST (connections)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *text = NULL;

  write_results (fixture, FALSE);
  text = content (fixture, "connections.csv");
  ck_assert_str_eq (
      text,
      "variant,replication,entry,number,host,outcome,cause,reason,errno,attempts,reqs,latency_s,"
      "start_s,create_id_s,resolve_addr_s,resolve_route_s,create_qp_s,connect_s,rep_s,"
      "established_s,disconnect_s,destroy_s\n"
      "\"a, \"\"first\"\"\",0,connects.0,0,client.0,established,established,,,1,2,0.001500000,"
      "0.000000000,,,,,,,0.001500000,,\n"
      "\"a, \"\"first\"\"\",0,connects.0,1,client.1,failed,refused,3,ECONNREFUSED,1,1,6.400000000,"
      "0.000000007,,,,,0.000001007,,,,\n"
      "\"a, \"\"first\"\"\",1,connects.0,0,client.0,established,established,,,1,2,0.001500000,"
      "0.000000000,,,,,,,0.001500000,,\n"
      "\"a, \"\"first\"\"\",1,connects.0,1,client.1,failed,refused,3,ECONNREFUSED,1,1,6.400000000,"
      "0.000000007,,,,,0.000001007,,,,\n"
      "b,0,clients,0,client.0,established,established,,,1,2,0.001500000,"
      "0.000000000,,,,,,,0.001500000,,\n"
      "b,0,clients,1,client.1,established,established,,,1,1,6.400000000,"
      "0.000000007,,,,,0.000001007,,6.400000007,,\n"
      "b,1,clients,0,client.0,established,established,,,1,2,0.001500000,"
      "0.000000000,,,,,,,0.001500000,,\n"
      "b,1,clients,1,client.1,established,established,,,1,1,6.400000000,"
      "0.000000007,,,,,0.000001007,,6.400000007,,\n");
  fixture_free (fixture);
}
END_TEST

START_TEST (series)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *text = NULL, *data = NULL;

  write_results (fixture, FALSE);
  text = content (fixture, "series.csv");
  ck_assert_str_eq (text,
                    "variant,replication,series,start_s,end_s,last,min,max\n"
                    "\"a, \"\"first\"\"\",0,backlog,0.000000000,0.001000000,1,0,2\n"
                    "\"a, \"\"first\"\"\",0,backlog,0.002000000,0.003000000,0,0,1\n"
                    "b,0,backlog,0.000000000,0.001000000,1,0,2\n"
                    "b,0,backlog,0.002000000,0.003000000,0,0,1\n");
  /* The figure's copy starts at 0 and goes on to the right edge, 3 % after the last change. */
  data = content (fixture, "backlog.dat");
  ck_assert_ptr_nonnull (strstr (data,
                                 "# b\n# start_s end_s last min max\n0 0 0 0 0\n"
                                 "0.000000000 0.001000000 1 0 2\n0.002000000 0.003000000 0 0 1\n"
                                 "0.003090000 0.003090000 0 0 0\n"));
  fixture_free (fixture);
}
END_TEST

/* Half of variant a's connects are missing to 100 %. */
START_TEST (latency_curve)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *data = NULL, *script = NULL;

  write_results (fixture, FALSE);
  data = content (fixture, "latency.dat");
  ck_assert_str_eq (data, "# a, \"first\"\n# latency_s share_percent\n0.001 0\n"
                          "0.001500000 50.000000\n10 50.000000\n\n\n"
                          "# b\n# latency_s share_percent\n0.001 0\n"
                          "0.001500000 50.000000\n6.400000000 100.000000\n10 100.000000\n");
  script = content (fixture, "latency.gp");
  ck_assert_ptr_nonnull (strstr (script, "array names[2] = [\"a, \\\"first\\\"\", \"b\"]\n"));
  ck_assert_ptr_nonnull (strstr (script, "array ends[2] = [50, 100]\n"));
  fixture_free (fixture);
}
END_TEST

START_TEST (stacked_outcomes)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *data = NULL;

  write_results (fixture, FALSE);
  data = content (fixture, "outcomes.dat");
  ck_assert_str_eq (data, "# established\n# variant share_percent from to\n"
                          "1 50.000000 0.000000 50.000000\n2 100.000000 0.000000 100.000000\n\n\n"
                          "# refused (REJ 3)\n# variant share_percent from to\n"
                          "1 50.000000 50.000000 100.000000\n2 0.000000 100.000000 100.000000\n");
  fixture_free (fixture);
}
END_TEST

static JsonObject *
variant_object (JsonParser *parser, guint v)
{
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));

  return json_array_get_object_element (json_object_get_array_member (root, "variants"), v);
}

START_TEST (summary_head)
{
  Fixture *fixture = fixture_new ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  JsonObject *root, *scenario, *line;

  write_results (fixture, FALSE);
  text = content (fixture, "summary.json");
  ck_assert (json_parser_load_from_data (parser, text, -1, NULL));
  root = json_node_get_object (json_parser_get_root (parser));
  ck_assert_str_eq (json_object_get_string_member (root, "schema"), "cmsim-summary");
  ck_assert_int_eq (json_object_get_int_member (root, "schema_version"), OUTPUT_SCHEMA_VERSION);
  ck_assert_str_eq (json_object_get_string_member (root, "program"), "cmsim " CMSIM_VERSION);
  ck_assert_str_eq (json_object_get_string_member (root, "seed"), "42");
  ck_assert_int_eq (json_object_get_int_member (root, "replications"), 2);
  ck_assert_int_eq (json_object_get_int_member (root, "replications_asked"), 2);
  scenario = json_object_get_object_member (root, "scenario");
  ck_assert_str_eq (json_object_get_string_member (scenario, "hash"), "0123456789abcdef");
  ck_assert_str_eq (json_object_get_string_member (scenario, "question"),
                    fixture->scenario.question);
  ck_assert_uint_eq (
      json_object_get_size (json_object_get_object_member (root, "metrics")), METRIC_N);
  line = json_array_get_object_element (json_object_get_array_member (root, "expectations"), 1);
  ck_assert_str_eq (json_object_get_string_member (line, "line"), test_bad.text);
  ck_assert (!json_object_get_boolean_member (line, "holds"));
  fixture_free (fixture);
}
END_TEST

START_TEST (summary_values)
{
  Fixture *fixture = fixture_new ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  JsonObject *metrics, *metric, *difference, *outcome;

  write_results (fixture, FALSE);
  text = content (fixture, "summary.json");
  ck_assert (json_parser_load_from_data (parser, text, -1, NULL));
  metrics = json_object_get_object_member (variant_object (parser, 1), "metrics");
  ck_assert_uint_eq (json_object_get_size (metrics), METRIC_N);
  for (guint m = 0; m < METRIC_N; m++)
    ck_assert_msg (json_object_has_member (metrics, metric_infos[m].name), "no %s",
                   metric_infos[m].name);
  metric = json_object_get_object_member (metrics, "latency.mean"); /* 10, 11; a: 0, 1 */
  ck_assert_int_eq (json_object_get_int_member (metric, "n"), 2);
  ck_assert_double_eq_tol (json_object_get_double_member (metric, "mean"), 10.5, 1e-12);
  ck_assert_double_eq_tol (json_object_get_double_member (metric, "ci95"), 12.706205 / 2, 1e-6);
  ck_assert_double_eq_tol (json_object_get_double_member (metric, "q25"), 10.25, 1e-12);
  ck_assert_int_eq (json_object_get_int_member (metric, "max"), 11);
  difference = json_object_get_object_member (metric, "difference");
  ck_assert_int_eq (json_object_get_int_member (difference, "mean"), 10);
  ck_assert_int_eq (json_object_get_int_member (difference, "ci95"), 0);
  metric = json_object_get_object_member (metrics, "failure.mean");
  ck_assert_int_eq (json_object_get_int_member (metric, "n"), 0);
  ck_assert (json_object_get_null_member (metric, "mean"));
  /* The first variant differs from itself by nothing worth saying. */
  metrics = json_object_get_object_member (variant_object (parser, 0), "metrics");
  ck_assert (!json_object_has_member (json_object_get_object_member (metrics, "reqs"),
                                      "difference"));
  outcome = json_array_get_object_element (
      json_object_get_array_member (variant_object (parser, 0), "outcomes"), 1);
  ck_assert_str_eq (json_object_get_string_member (outcome, "cause"), "refused");
  ck_assert_int_eq (json_object_get_int_member (outcome, "reason"), 3);
  ck_assert_int_eq (json_object_get_int_member (outcome, "connects"), 2);
  fixture_free (fixture);
}
END_TEST

/* ----- figures ----- */

START_TEST (pictures)
{
  Fixture *fixture = fixture_new ();

  write_results (fixture, TRUE);
  for (guint i = 0; figures[i]; i++)
    for (guint k = 0; k < 2 && figure_applies (figures[i], &fixture->run); k++) {
      g_autofree char *name = g_strconcat (figures[i]->name, k ? ".svg" : ".png", NULL);
      g_autofree char *path = g_build_filename (fixture->dir, name, NULL);
      g_autofree char *first = NULL, *second = NULL;
      gsize length, length2;

      ck_assert (g_file_get_contents (path, &first, &length, NULL));
      ck_assert_uint_gt (length, 5000);
      ck_assert (memcmp (first, k ? "<?xml" : "\x89PNG", k ? 5 : 4) == 0);
      write_results (fixture, TRUE);
      ck_assert (g_file_get_contents (path, &second, &length2, NULL));
      ck_assert_msg (length == length2 && memcmp (first, second, length) == 0,
                     "%s differs from run to run", name);
    }
  fixture_free (fixture);
}
END_TEST

START_TEST (no_gnuplot)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *old_path = g_strdup (g_getenv ("PATH"));
  g_autofree char *warning = NULL, *names = NULL;

  g_setenv ("PATH", fixture->place, TRUE);
  ck_assert (output_write (&fixture->run, fixture->dir, TRUE, &warning, NULL));
  g_setenv ("PATH", old_path, TRUE);
  ck_assert_ptr_nonnull (warning);
  ck_assert_ptr_nonnull (strstr (warning, "gnuplot"));
  ck_assert_ptr_null (strchr (warning, '\n'));
  names = listing (fixture->dir);
  ck_assert_str_eq (names, "README.md backlog.dat backlog.gp connections.csv latency.dat "
                           "latency.gp outcomes.dat outcomes.gp reqs.dat reqs.gp series.csv "
                           "summary.json ");
  fixture_free (fixture);
}
END_TEST

START_TEST (labels_apart)
{
  double one[] = { 0.3 };
  double equal[] = { 0.5, 0.5, 0.5 };
  double edge[] = { 1, 1, 0 };
  double chain[] = { 0.50, 0.10, 0.55, 0.62 };

  figure_spread_labels (one, 1, 0.1);
  ck_assert_double_eq_tol (one[0], 0.3, 1e-12);
  /* The first on top, the middle where all would be. */
  figure_spread_labels (equal, 3, 0.1);
  ck_assert_double_eq_tol (equal[0], 0.6, 1e-12);
  ck_assert_double_eq_tol (equal[1], 0.5, 1e-12);
  ck_assert_double_eq_tol (equal[2], 0.4, 1e-12);
  figure_spread_labels (edge, 3, 0.2);
  ck_assert_double_eq_tol (edge[0], 1, 1e-12);
  ck_assert_double_eq_tol (edge[1], 0.8, 1e-12);
  ck_assert_double_eq_tol (edge[2], 0, 1e-12);
  /* 0.50 and 0.55 move to 0.475 and 0.575, which pushes 0.62 into them. */
  figure_spread_labels (chain, 4, 0.1);
  ck_assert_double_eq_tol (chain[1], 0.10, 1e-12);
  ck_assert_double_eq_tol (chain[2] - chain[0], 0.1, 1e-12);
  ck_assert_double_eq_tol (chain[3] - chain[2], 0.1, 1e-12);
  ck_assert_double_eq_tol (chain[2], (0.50 + 0.55 + 0.62) / 3, 1e-12);
}
END_TEST

/* ----- the reference page ----- */

START_TEST (documented)
{
  g_autofree char *page = NULL;

  ck_assert (g_file_get_contents (SOURCE_ROOT "/docs/results-format.md", &page, NULL, NULL));
  for (guint m = 0; m < METRIC_N; m++) {
    g_autofree char *row = g_strdup_printf ("| `%s` |", metric_infos[m].name);

    ck_assert_msg (strstr (page, row), "docs/results-format.md lacks %s", row);
  }
  for (guint i = 0; output_writers[i]; i++)
    ck_assert_msg (strstr (page, output_writers[i]->name), "no %s", output_writers[i]->name);
  for (guint i = 0; figures[i]; i++) {
    g_autofree char *row = g_strdup_printf ("| `%s.gp` |", figures[i]->name);

    ck_assert_msg (strstr (page, row), "no %s", row);
  }
  for (guint i = 0; i < WORLD_SERIES_N; i++) {
    g_autofree char *row = g_strdup_printf ("| `%s` |", world_series_names[i]);

    ck_assert_msg (strstr (page, row), "no %s", row);
  }
  for (guint i = 0; i < CONNECT_CAUSE_COUNT; i++) {
    g_autofree char *row = g_strdup_printf ("| `%s` |", connect_cause_name (i));

    ck_assert_msg (strstr (page, row), "no %s", row);
  }
  for (guint i = 0; i < CONNECT_STEP_COUNT; i++) {
    g_autofree char *name = g_strdup_printf ("`%s_s`", connect_step_name (i));

    ck_assert_msg (strstr (page, name), "no %s", name);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("output");
  TCase *tcase = tcase_create ("output");

  tcase_add_test (tcase, connections);
  tcase_add_test (tcase, series);
  tcase_add_test (tcase, latency_curve);
  tcase_add_test (tcase, stacked_outcomes);
  tcase_add_test (tcase, summary_head);
  tcase_add_test (tcase, summary_values);
  tcase_add_test (tcase, pictures);
  tcase_add_test (tcase, no_gnuplot);
  tcase_add_test (tcase, labels_apart);
  tcase_add_test (tcase, documented);
  tcase_set_timeout (tcase, 120);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
