/* The fields that messages made by hand have, and what is said of options written in vain. */
#include "test_scope.h"

/* ----- messages made by hand: the fields that each has ----- */

#define MADE(message_, more_) \
  HEAD HOSTS LISTENERS "handmade:\n  - {from: client, to: server, message: " message_ more_ "}\n"

/* Bytes of the message on the wire. */
static guint64
bytes_of (const char *message, const char *more)
{
  g_autofree char *text = g_strdup_printf (MADE ("%s", "%s"), message, more);
  g_autoptr (Scenario) scenario = load (text);

  return scope_run (model (scenario, 0));
}

static const struct {
  const char *key, *value;
} fields[] = {
  { "local_id", "77" },   { "remote_id", "78" },  { "qpn", "79" },
  { "service", "80" },    { "ulp", "sdp" },       { "response_timeout", "9" },
  { "max_retries", "8" }, { "ack_timeout", "7" }, { "wrong", "mtu" },
  { "reason", "6" },      { "about", "REP" },     { "service_timeout", "5" },
};

/* Each is on the wire, or is refused with the list of those that are. */
START_TEST (fields_of_messages)
{
  const char *message = ib_cm_attr_name (IB_CM_ATTR_FIRST + (guint) _i);
  guint64 plain = bytes_of (message, "");
  g_autoptr (GString) allowed = g_string_new ("; allowed: from, to, at, message");

  for (guint f = 0; f < G_N_ELEMENTS (fields); f++) {
    g_autofree char *text =
        g_strdup_printf (MADE ("%s", ", %s: %s"), message, fields[f].key, fields[f].value);
    g_autoptr (Scenario) scenario = try_load (text, NULL, 0, NULL);

    if (!scenario)
      continue;
    ck_assert_msg (scope_run (model (scenario, 0)) != plain, "%s has no %s", message,
                   fields[f].key);
    g_string_append_printf (allowed, ", %s", fields[f].key);
  }
  for (guint f = 0; f < G_N_ELEMENTS (fields); f++) {
    g_autofree char *text =
        g_strdup_printf (MADE ("%s", ", %s: %s"), message, fields[f].key, fields[f].value);
    g_autoptr (GError) error = NULL;
    g_autoptr (Scenario) scenario = try_load (text, NULL, 0, &error);

    ck_assert_msg (scenario || g_str_has_suffix (error->message, allowed->str), "%s",
                   error ? error->message : "");
  }
}
END_TEST

/* What IBTA 12.6 and 12.11 give each message (local_id is in every transaction id too): a row
 * that refuses too much would pass above. */
START_TEST (no_field_is_missing)
{
  static const struct {
    const char *message, *has;
  } rows[] = {
    { "REQ", "local_id qpn service ulp response_timeout max_retries ack_timeout wrong" },
    { "MRA", "local_id remote_id about service_timeout" },
    { "REJ", "local_id remote_id reason about" },
    { "REP", "local_id remote_id qpn" },
    { "RTU", "local_id remote_id" },
    { "DREQ", "local_id remote_id qpn" },
    { "DREP", "local_id remote_id" },
    { "SIDR_REQ", "local_id service" },
    { "SIDR_REP", "local_id remote_id qpn reason" },
    { "LAP", "local_id remote_id qpn" },
    { "APR", "local_id remote_id reason" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint f = 0; f < G_N_ELEMENTS (fields); f++) {
      g_auto (GStrv) has = g_strsplit (rows[i].has, " ", -1);
      g_autofree char *text = g_strdup_printf (MADE ("%s", ", %s: %s"), rows[i].message,
                                               fields[f].key, fields[f].value);
      g_autoptr (Scenario) scenario = try_load (text, NULL, 0, NULL);

      ck_assert_msg (!scenario == !g_strv_contains ((const char *const *) has, fields[f].key),
                     "%s, %s", rows[i].message, fields[f].key);
    }
}
END_TEST

/* ----- notes and refusals ----- */

#define TUNED "connects:\n  - {from: client, to: \"server:7471\", qpn: 5}\n"

/* A file runs on every transport: what only the transport is in the way of is told, once, and not
 * at all where another variant heeds it. */
START_TEST (notes)
{
  g_autoptr (Scenario) one = load (HEAD HOSTS LISTENERS TUNED "fabric: {transport: tcp}\n");
  g_autoptr (Scenario) none = load (HEAD HOSTS LISTENERS TUNED);
  g_autoptr (Scenario)
      swept = load (HEAD HOSTS LISTENERS TUNED "compare: {a: {fabric.transport: tcp}, b: }\n");
  g_autoptr (Scenario) streams = load (HEAD HOSTS LISTENERS TUNED
                                       "matrix:\n  t: {set: fabric.transport, to: [tcp, iwarp]}\n  "
                                       "n: {set: connects.0.per_host, to: [1, 2]}\n");
  g_autoptr (Scenario) standard =
      load (HEAD HOSTS LISTENERS "connects:\n  - {from: client, to: \"server:7471\", qpn: 0}\n"
                                 "fabric: {transport: tcp}\n");

  ck_assert_uint_eq (one->notes->len, 1);
  ck_assert_str_eq (one->notes->pdata[0],
                    "t.yaml:7:44: connects.0.qpn: note: has no effect with fabric.transport: tcp; "
                    "it has one with: ib, roce");
  ck_assert_uint_eq (none->notes->len, 0);
  ck_assert_uint_eq (swept->notes->len, 0);
  ck_assert_uint_eq (streams->notes->len, 1);
  ck_assert_uint_eq (standard->notes->len, 0);
}
END_TEST

/* On the command line, as the file's; and what no transport would heed is a mistake everywhere. */
START_TEST (refusals)
{
  ScenarioSetting tcp = { .path = "fabric.transport", .value = "tcp" };
  ScenarioSetting qpn = { .path = "connects.0.qpn", .value = "5" };
  g_autoptr (Scenario) set = try_load (HEAD HOSTS LISTENERS TUNED, &tcp, 1, NULL);
  g_autoptr (Scenario) both = NULL;
  ScenarioSetting settings[] = { tcp, qpn };

  ck_assert_uint_eq (set->notes->len, 1);
  both = try_load (BASE, settings, 2, NULL);
  ck_assert_str_eq (both->notes->pdata[0],
                    "--set connects.0.qpn: note: has no effect with fabric.transport: tcp; it has "
                    "one with: ib, roce");
  refuse (HEAD HOSTS "connects:\n  - {from: client, to: \"server:7471\", ud: true, hold: 1s}\n",
          "t.yaml:5:55: connects.0.hold: has no effect with ud: true, where nothing is connected; "
          "leave it out");
  /* Both are in the way, in all variants: the entry is what is told. */
  refuse (HEAD HOSTS "listeners: [{on: server, service: 1, accept: {script: [{call: read}], "
                     "reject_reason: 5}}]\n" CONNECTS
                     "compare: {a: {fabric.transport: tcp}, b: }\n",
          "t.yaml:4:86: listeners.0.accept.reject_reason: has no effect with a script, which makes "
          "the calls itself; leave it out");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scope_notes");
  TCase *tcase = tcase_create ("scope_notes");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, fields_of_messages, 0, IB_CM_ATTR_COUNT);
  tcase_add_test (tcase, no_field_is_missing);
  tcase_add_test (tcase, notes);
  tcase_add_test (tcase, refusals);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
