/* Upper-layer protocols against the table of their documented reactions, their retry delays
 * and their passive sides. */
#include <string.h>

#include "scenario.h"
#include "test_sim.h"

#define END ULP_END_REJECTED

/* One cell of the table: what happens, and the errno that remains if it is the end. */
typedef struct {
  const char *ulp;
  UlpEnd end;
  guint reason;
  UlpAction action;
  const char *errno_name;
} Cell;

/* Reasons: 1 no QP, 3 no resources, 4 timeout, 8 no such service, 10 stale, 24 and 25
 * redirects, 28 consumer. */
static const Cell cells[] = {
  /* SDP, all variants: any is ECONNREFUSED at once, also 3. */
  { "sdp", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "sdp", END, 28, ULP_FAIL, "ECONNREFUSED" },
  { "sdp", END, 10, ULP_FAIL, "ECONNREFUSED" },
  { "sdp", ULP_END_UNREACHABLE, 0, ULP_FAIL, "ENETUNREACH" },
  { "sdp", ULP_END_ADDRESS_ERROR, 0, ULP_FAIL, "ENETUNREACH" },
  { "sdp", ULP_END_ROUTE_ERROR, 0, ULP_FAIL, "ETIMEDOUT" },
  { "sdp", ULP_END_CONNECT_ERROR, 0, ULP_FAIL, "ETIMEDOUT" },
  { "sdp-ofed-2006", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "sdp-ofed-1.4", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "sdp-mlnx", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "sdp-freebsd", END, 28, ULP_FAIL, "ECONNREFUSED" },
  { "sdp-spec", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "sdp-illumos", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "wsd", END, 4, ULP_FAIL, "WSAETIMEDOUT" },
  { "wsd", END, 28, ULP_FAIL, "WSAECONNREFUSED" },
  { "wsd", END, 3, ULP_FAIL, "WSAECONNREFUSED" },
  { "rsockets", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "rsockets", END, 28, ULP_FAIL, "ECONNREFUSED" },
  { "rsockets", ULP_END_ADDRESS_ERROR, 0, ULP_RETRY, "ETIMEDOUT" },
  { "nvme-rdma", END, 3, ULP_RETRY, "ECONNRESET" },
  { "nvme-rdma", END, 28, ULP_RETRY, "ECONNRESET" },
  { "spdk", END, 10, ULP_RETRY, "ESTALE" },
  { "iser", END, 28, ULP_RETRY, "EIO" },
  { "srp", END, 24, ULP_REDIRECT, "ECONNRESET" },
  { "srp", END, 25, ULP_REDIRECT, "ECONNRESET" },
  { "srp", END, 10, ULP_FAIL, "ECONNRESET" },
  { "srp", END, 3, ULP_RETRY, "ECONNRESET" },
  { "nfs-rdma", END, 10, ULP_RETRY, "ENOTCONN" },
  { "nfs-rdma", END, 3, ULP_RETRY, "ECONNREFUSED" },
  { "rds", END, 3, ULP_RETRY, "EAGAIN" },
  { "rds", END, 28, ULP_RETRY, "EAGAIN" },
  { "lustre-o2iblnd", END, 10, ULP_RETRY, "ECONNREFUSED" },
  { "lustre-o2iblnd", END, 8, ULP_FAIL, "EHOSTUNREACH" },
  { "lustre-o2iblnd", END, 3, ULP_FAIL, "ECONNREFUSED" },
  { "lustre-o2iblnd", END, 1, ULP_FAIL, "ECONNREFUSED" },
  { "lustre-o2iblnd", ULP_END_UNREACHABLE, 0, ULP_FAIL, "ENETDOWN" },
  { "ipoib-cm", END, 1, ULP_RETRY, "(packets dropped)" },
  { "ipoib-cm", ULP_END_UNREACHABLE, 0, ULP_RETRY, "(packets dropped)" },
  { "libfabric-rxm", END, 28, ULP_RETRY, "FI_ECONNREFUSED" },
  { "ucx", END, 28, ULP_FAIL, "UCS_ERR_REJECTED" },
  { "ucx", END, 3, ULP_FAIL, "UCS_ERR_CONNECTION_RESET" },
  { "ucx", ULP_END_UNREACHABLE, 0, ULP_FAIL, "UCS_ERR_UNREACHABLE" },
  { "mpi", END, 28, ULP_FAIL, "MPI_ERR_OTHER" },
  { "cmtime", END, 28, ULP_FAIL, "exit(1)" },
};

START_TEST (reactions)
{
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++) {
    const Cell *cell = &cells[i];
    const UlpClass *ulp = ulp_find (cell->ulp);
    const UlpReaction *row;

    ck_assert_msg (ulp != NULL, "no ULP %s", cell->ulp);
    row = ulp_reaction (ulp, cell->end, cell->reason);
    ck_assert_msg (row->action == cell->action, "%s, end %d, reason %u: action %d", cell->ulp,
                   cell->end, cell->reason, row->action);
    ck_assert_str_eq (row->errno_name, cell->errno_name);
    ck_assert_str_eq (ulp_errno_name (ulp, cell->end, cell->reason), cell->errno_name);
  }
}
END_TEST

/* Every protocol has an answer to every end and every reason, and needs nothing else. */
START_TEST (tables_are_complete)
{
  for (guint i = 0; ulp_classes[i]; i++) {
    const UlpClass *ulp = (const UlpClass *) ulp_classes[i];
    guint rows = 0;

    for (UlpEnd end = ULP_END_REJECTED; end <= ULP_END_WATCHDOG; end++)
      ck_assert_ptr_nonnull (ulp_reaction (ulp, end, 65535));
    for (const UlpReaction *row = ulp->reactions; row->errno_name; row++, rows++) {
      ck_assert_str_ne (row->errno_name, "");
      /* Reached: no row before it takes all of its cases. */
      ck_assert_ptr_eq (ulp_reaction (ulp, row->end, row->reason ? row->reason : 65535), row);
      ck_assert_msg (row->action != ULP_RETRY || ulp->schedule || ulp->decide,
                     "%s retries without a schedule", ulp->info.name);
    }
    ck_assert_uint_ge (rows, 6);
    ck_assert_str_eq (ulp_errno_name (ulp, ULP_END_ESTABLISHED, 0), "");
    ck_assert_int_gt (ulp->address_timeout, 0);
    ck_assert_int_gt (ulp->route_timeout, 0);
    ck_assert_ptr_nonnull (ulp->listen.source);
  }
  ck_assert_ptr_null (ulp_find ("sdq"));
}
END_TEST

/* ----- what follows an attempt ----- */

static Scenario *scenario;

static void
teardown (void)
{
  g_clear_pointer (&scenario, scenario_free);
}

static const SimChoice *
choose (const char *text)
{
  g_autofree char *yaml = g_strdup_printf (
      "cmsim: 1\nquestion: q\nhosts: {a: 1, b: 1}\n"
      "connects: [{from: a, to: \"b:1\", ulp: %s}]\n", text);
  GError *error = NULL;

  g_clear_pointer (&scenario, scenario_free);
  scenario = scenario_load_buffer ("test.yaml", yaml, strlen (yaml), NULL, 0, &error);
  ck_assert_msg (scenario != NULL, "%s", error ? error->message : "");
  const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, 0);
  return &g_array_index (variant->model.connects, ConnectParams, 0).ulp;
}

static UlpDecision
after (const SimChoice *choice, UlpOutcome outcome)
{
  SimStream stream = test_stream (choice->klass->name);

  return ulp_decide ((const UlpClass *) choice->klass, choice->params, &outcome, &stream);
}

/* Delays in ms that follow attempts 1, 2, ...; -1: no further attempt.  Each attempt takes
 * no time. */
static void
check_delays (const char *text, UlpOutcome outcome, const gint64 *ms, guint n)
{
  const SimChoice *choice = choose (text);

  outcome.attempts = 0;
  for (guint i = 0; i < n; i++) {
    outcome.attempts++;
    UlpDecision decision = after (choice, outcome);
    ck_assert_msg (decision.retry == (ms[i] >= 0), "%s, attempt %u: retry %d", text, i + 1,
                   decision.retry);
    if (!decision.retry)
      break;
    ck_assert_msg (decision.delay == SIM_MS (ms[i]), "%s, attempt %u: %" G_GINT64_FORMAT " ns",
                   text, i + 1, decision.delay);
    outcome.since_start += decision.delay;
  }
}

#define REJ(n) ((UlpOutcome){ .end = ULP_END_REJECTED, .reason = n })

START_TEST (delays)
{
  static const gint64 never[] = { -1 };
  static const gint64 nfs[] = { 5000, 10000, 20000, 30000, 30000, 30000 };
  static const gint64 nvme[] = { 10000, 10000, 10000 };
  static const gint64 spdk[] = { 10, 10, 10, 10, 10, -1 };
  static const gint64 spdk_bdev[] = { 2000, 2000 };
  static const gint64 iser[] = { 1000, 1000, -1 };
  static const gint64 resolve[] = { 0, 0, 0, 0, 0, 0, -1 };
  static const gint64 cmtime[] = { 0, 0, -1 };
  static const gint64 packets[] = { 1000, 1000, -1 };
  static const gint64 rxm[] = { 1, 1, 1 };
  static const char *const final[] = { "sdp", "sdp-mlnx", "wsd", "rsockets", "nvme-rdma", "ucx",
                                       "srp", "mpi", "cmtime", "lustre-o2iblnd" };

  for (guint i = 0; i < G_N_ELEMENTS (final); i++)
    check_delays (final[i], REJ (3), never, 1);
  check_delays ("nfs-rdma", REJ (28), nfs, G_N_ELEMENTS (nfs));
  check_delays ("{nvme-rdma: reconnect}", REJ (3), nvme, G_N_ELEMENTS (nvme));
  check_delays ("spdk", REJ (10), spdk, G_N_ELEMENTS (spdk));
  check_delays ("spdk", REJ (3), never, 1);
  check_delays ("{spdk: {reconnect_delay: 2s}}", REJ (8), spdk_bdev, G_N_ELEMENTS (spdk_bdev));
  check_delays ("{iser: 2}", REJ (28), iser, G_N_ELEMENTS (iser));
  check_delays ("rsockets", (UlpOutcome){ .end = ULP_END_ROUTE_ERROR }, resolve,
                G_N_ELEMENTS (resolve));
  check_delays ("cmtime", (UlpOutcome){ .end = ULP_END_ADDRESS_ERROR }, cmtime,
                G_N_ELEMENTS (cmtime));
  check_delays ("{ipoib-cm: {packets: 3}}", (UlpOutcome){ .end = ULP_END_UNREACHABLE }, packets,
                G_N_ELEMENTS (packets));
  check_delays ("libfabric-rxm", REJ (28), rxm, G_N_ELEMENTS (rxm));
  check_delays ("{lustre-o2iblnd: false}", REJ (28), never, 1);
}
END_TEST

/* Reconnects every 10 s for 600 s: 60 after the first attempt. */
START_TEST (nvme_reconnects_for_ten_minutes)
{
  const SimChoice *choice = choose ("{nvme-rdma: reconnect}");
  UlpOutcome outcome = REJ (28);
  UlpDecision decision;

  for (outcome.attempts = 1; (decision = after (choice, outcome)).retry; outcome.attempts++)
    outcome.since_start += decision.delay;
  ck_assert_uint_eq (outcome.attempts, 61);
}
END_TEST

/* The first at once, then uniform in [0, cur) with cur = 1, 2, 4 ... 1000 ms. */
START_TEST (rds_draws_its_delays)
{
  const SimChoice *choice = choose ("rds");
  SimStream stream = test_stream ("rds");
  static const gint64 limits[] = { 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000, 1000 };

  for (guint a = 0; a < G_N_ELEMENTS (limits); a++) {
    SimTime longest = 0;

    for (guint i = 0; i < 200; i++) {
      UlpOutcome outcome = REJ (3);
      outcome.attempts = a + 1;
      UlpDecision decision =
          ulp_decide ((const UlpClass *) choice->klass, choice->params, &outcome, &stream);
      ck_assert_int_ge (decision.delay, 0);
      ck_assert_int_le (decision.delay, SIM_MS (limits[a]));
      longest = MAX (longest, decision.delay);
    }
    ck_assert_int_ge (longest, SIM_MS (limits[a]) / 10 * 9);
  }
}
END_TEST

START_TEST (srp_follows_a_redirect)
{
  const SimChoice *choice = choose ("srp");

  ck_assert (after (choice, (UlpOutcome){ .end = END, .reason = 24, .attempts = 1 }).redirect);
  ck_assert (after (choice, (UlpOutcome){ .end = END, .reason = 25, .attempts = 1 }).retry);
  ck_assert (!after (choice, (UlpOutcome){ .end = END, .reason = 10, .attempts = 1 }).retry);
}
END_TEST

START_TEST (generic_keeps_an_appointment)
{
  UlpOutcome hinted = { .end = END, .reason = 3, .attempts = 1, .retry_after = SIM_MS (420) };
  UlpOutcome bare = { .end = END, .reason = 3, .attempts = 1 };

  ck_assert (!after (choose ("generic"), hinted).retry); /* does not know the hint */
  UlpDecision decision = after (choose ("{generic: {busy_hint: true}}"), hinted);
  ck_assert (decision.retry);
  ck_assert_int_eq (decision.delay, SIM_MS (420));
  ck_assert (!after (choose ("{generic: {busy_hint: true}}"), bare).retry);
}
END_TEST

/* ----- the passive side ----- */

START_TEST (listens)
{
  static const struct {
    const char *ulp;
    BacklogAnswer full;
    guint reason, percent;
    gboolean early;
  } rows[] = {
    { "sdp", BACKLOG_ADMIT, 0, 0, TRUE },
    { "sdp-ofed-2006", BACKLOG_ADMIT, 0, 0, TRUE },
    { "sdp-ofed-1.4", BACKLOG_ADMIT, 0, 0, TRUE },
    { "sdp-mlnx", BACKLOG_ADMIT, 0, 0, TRUE },
    { "sdp-freebsd", BACKLOG_REJECT, 28, 150, TRUE },
    { "sdp-spec", BACKLOG_REJECT, 3, 0, FALSE },
    { "sdp-illumos", BACKLOG_REJECT, 3, 0, FALSE },
    { "wsd", BACKLOG_REJECT, 28, 0, FALSE },
    { "rsockets", BACKLOG_DROP, 0, 0, FALSE },
    { "nvme-rdma", BACKLOG_REJECT, 28, 0, FALSE },
    { "spdk", BACKLOG_DROP, 0, 0, FALSE },
    { "iser", BACKLOG_REJECT, 28, 0, FALSE },
    { "srp", BACKLOG_REJECT, 28, 0, FALSE },
    { "nfs-rdma", BACKLOG_ADMIT, 0, 0, FALSE },
    { "rds", BACKLOG_REJECT, 28, 0, FALSE },
    { "lustre-o2iblnd", BACKLOG_REJECT, 28, 0, FALSE },
    { "ipoib-cm", BACKLOG_REJECT, 1, 0, FALSE },
    { "libfabric-rxm", BACKLOG_DROP, 0, 0, FALSE },
    { "ucx", BACKLOG_DROP, 0, 0, FALSE },
    { "9p", BACKLOG_DROP, 0, 0, FALSE },
    { "smbdirect", BACKLOG_REJECT, 28, 0, FALSE },
    { "ipxe", BACKLOG_REJECT, 8, 0, FALSE },
    { "mpi", BACKLOG_DROP, 0, 0, FALSE },
    { "cmtime", BACKLOG_DROP, 0, 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const UlpListen *listen = &ulp_find (rows[i].ulp)->listen;

    ck_assert_msg (listen->full.answer == rows[i].full, "%s", rows[i].ulp);
    ck_assert_uint_eq (listen->full.reason, rows[i].reason);
    ck_assert_uint_eq (listen->limit_percent, rows[i].percent);
    ck_assert_int_eq (listen->accept_early, rows[i].early);
  }
}
END_TEST

/* Timeouts of the reference's list, and what a protocol asks of the CM. */
START_TEST (times_and_retries)
{
  static const struct {
    const char *ulp;
    gint64 resolve_ms;
    guint response_timeout, max_retries;
    gint64 watchdog_ms;
  } rows[] = {
    { "sdp", 1000, 0, 0, 0 },       { "sdp-mlnx", 1000, 22, 0, 0 },
    { "wsd", 1000, 18, 4, 0 },      { "nvme-rdma", 3000, 0, 0, 0 },
    { "iser", 1000, 0, 0, 0 },      { "rds", 5000, 0, 0, 0 },
    { "nfs-rdma", 5000, 0, 0, 0 },  { "srp", 1000, 0, 0, 0 },
    { "ucx", 10000, 0, 0, 0 },      { "libfabric-rxm", 2000, 0, 0, 0 },
    { "cmtime", 2000, 0, 0, 0 },    { "lustre-o2iblnd", 5000, 0, 0, 12000 },
    { "ipoib-cm", 1000, 20, 15, 0 }, { "spdk", 1000, 0, 0, 1000 },
    { "9p", 30000, 0, 0, 0 },       { "smbdirect", 5000, 0, 0, 0 },
    { "ipxe", 1000, 0, 15, 0 },     { "mpi", 5000, 0, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const UlpClass *ulp = ulp_find (rows[i].ulp);

    ck_assert_int_eq (ulp->route_timeout, SIM_MS (rows[i].resolve_ms));
    ck_assert_uint_eq (ulp->response_timeout, rows[i].response_timeout);
    ck_assert_uint_eq (ulp->max_retries, rows[i].max_retries);
    ck_assert_int_eq (ulp->watchdog, SIM_MS (rows[i].watchdog_ms));
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ulp");
  TCase *tcase = tcase_create ("ulp");

  tcase_add_checked_fixture (tcase, NULL, teardown);
  tcase_add_test (tcase, reactions);
  tcase_add_test (tcase, tables_are_complete);
  tcase_add_test (tcase, delays);
  tcase_add_test (tcase, nvme_reconnects_for_ten_minutes);
  tcase_add_test (tcase, rds_draws_its_delays);
  tcase_add_test (tcase, srp_follows_a_redirect);
  tcase_add_test (tcase, generic_keeps_an_appointment);
  tcase_add_test (tcase, listens);
  tcase_add_test (tcase, times_and_retries);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
