/* The table of where options have an effect is true: each row is run with and without its option
 * in every context, and what the wire and the applications saw is compared. */
#include "test_scope.h"

#include "scenario_scope.h"

/* Loss, a full backlog, repeats, and both sides hang up. */
#define STORM \
  "cmsim: 1\nquestion: q\nseed: 5\nrun: {until: 400s}\n" \
  "fabric: {loss: {bernoulli: 12%%}}\n" \
  "hosts: {server: 1, client: 10, other: 1}\n" \
  "listeners:\n" \
  "  - {on: server, service: 7471, backlog: {limit: 4, counts: unaccepted},\n" \
  "     accept: {service: 9ms}}\n" \
  "  - {on: other, service: 7471}\n" \
  "connects:\n" \
  "  - {from: client, to: 'server:7471', arrivals: {burst: {spacing: 300us}}, per_host: 2}\n" \
  "  - {from: client, to: 'other:7471'}\n"

#define STEPS \
  "{script: [{call: resolve-addr}, {event: ADDR_RESOLVED}, {call: resolve-route}, " \
  "{event: ROUTE_RESOLVED}, {call: connect}, {event: CONNECT_RESPONSE}, {call: establish}, " \
  "{call: disconnect, after: 1s}]}"
#define ANSWERS \
  "[{call: read, after: 1ms}, {call: accept, after: 2ms, returns: any}, {event: ESTABLISHED}, " \
  "{event: DISCONNECTED}, {call: disconnect, returns: any}]"

/* What the two ends of the entries can be. */
typedef struct {
  const char *name, *overrides;
  guint listener, connect; /* ScopeFact */
} Kind;

static const Kind kinds[] = {
  { "plain", "", 0, SCOPE_RESOLVES },
  { "ud", "listeners.0.ud: true, connects.0.ud: true", SCOPE_UD, SCOPE_UD | SCOPE_RESOLVES },
  { "active script", "connects.0.ulp: " STEPS, 0, SCOPE_SCRIPT | SCOPE_RESOLVES },
  { "passive script", "listeners.0.accept.script: " ANSWERS, SCOPE_SCRIPT | SCOPE_ALONE,
    SCOPE_RESOLVES },
  { "no resolution", "connects.0.resolve: false", 0, 0 },
  { "srp", "connects.0.ulp: srp", 0, SCOPE_RESOLVES | SCOPE_FOLLOWS },
};

#define ANYWHERE (IB | ROCE | IWARP | TCP)
#define LOSS "fabric.loss={rules: [{action: drop, message: apr, last: 4}]}"
#define MEMBERS "multicast=[{from: client, group: 239.1.2.3}]"
#define HINTED \
  "connects.0.ulp.generic.busy_hint=true; connects.0.ulp.generic.retry_any_reject=true; " \
  "connects.0.ulp.generic.attempts=4"
#define HOLD "connects.0.hold=1s"
#define REJECTS "listeners.0.backlog.full.reject="
#define REUSE "connects.0.per_host=20; connects.0.hold=1us; connects.0.arrivals.burst.spacing=500ms"
#define EVENTS "listeners.0.channel=c; listeners.0.channel_events=all"
#define NO_SA (ROCE | IWARP | TCP)
#define LAP "connects.0.alternate_path_after=1s"

/* An option as the scenario has it, and what makes it matter. */
typedef struct {
  const char *path, *value;
  const char *with; /* PATH=VALUE ..., which the run without the option has too */
  const char *here; /* overrides of an entry of `multicast` where the option is in vain */
  guint unseen;     /* transports on which this storm does not show it */
  guint facts;      /* ScopeFact: what `with` makes of its entry */
  gboolean empty;   /* where its entry is in the way it does something, that means nothing */
} Experiment;

#define IB SCOPE_TRANSPORT (IB)
#define ROCE SCOPE_TRANSPORT (ROCE)
#define IWARP SCOPE_TRANSPORT (IWARP)
#define TCP SCOPE_TRANSPORT (TCP)

#define TRY(path_, value_, ...) \
  { \
    .path = path_, .value = value_, __VA_ARGS__ \
  }
/* IPoIB's members, which heed none of it. */
#define BY_IPOIB(key, value_) \
  TRY ("multicast.0." key, value_, .with = "hosts.client.ipoib_up=1s; sa.reregister_at=9s", \
       .here = "multicast.0.by: ipoib", .unseen = ANYWHERE, .facts = SCOPE_IPOIB)
static const Experiment experiments[] = {
  TRY ("profile.timing", "spec"),
  TRY ("profile.hz", "1000"),
  TRY ("profile.response_timeout", "16"),
  TRY ("profile.max_retries", "1"),
  TRY ("profile.packet_lifetime", "12"),
  TRY ("profile.target_ack_delay", "10"),
  TRY ("profile.ca_ack_delay", "25"),
  TRY ("profile.ack_delay_in_timeouts", "false", .with = "profile.ca_ack_delay=25"),
  TRY ("profile.max_timeout", "17"),
  TRY ("profile.backoff_after", "1"),
  TRY ("profile.backoff_cap_ms", "3000", .with = "profile.backoff_after=1"),
  TRY ("profile.deadline_ms", "3000"),
  TRY ("profile.mra_for_duplicates", "false", .with = "listeners.0.accept.service=9s"),
  TRY ("profile.mra_before_callback", "true"),
  TRY ("profile.mra_service_timeout", "20", .with = "listeners.0.accept.service=9s"),
  TRY ("profile.mra_limit_ms", "9000", .with = "listeners.0.accept.service=9s"),
  TRY ("profile.mra_once", "true", .with = "listeners.0.accept.answer=never"),
  TRY ("profile.drop_on_no_memory", "false"),
  TRY ("profile.destroy_rejects", "false", .with = "connects.0.give_up_after=3ms"),
  TRY ("profile.destroy_mra_received_rej", "28",
       .with = "listeners.0.accept.service=9s; connects.0.give_up_after=8s"),
  TRY ("profile.sidr_unknown_answered", "false", .with = "connects.0.to='other:9'"),
  TRY ("profile.path_check", "all", .with = "connects.0.wrong=mtu"),
  TRY ("profile.class_version_rej", "true", .with = "connects.0.wrong=class-version"),
  TRY ("profile.ip_cm_version_rej", "false", .with = "connects.0.wrong=ip-cm-version"),
  TRY ("profile.duplicate_by_qpn", "true", .with = "connects.0.qpn=7"),
  TRY ("profile.dreq_on_stale", "false",
       .with = "connects.0.qpn=7; connects.0.arrivals.burst.spacing=200ms"),
  TRY ("profile.drep_for_unknown", "false",
       .with = "listeners.0.accept.hold=2s; connects.0.crash_after=1s"),
  TRY ("profile.ucma_full_no_memory", "false", .unseen = IWARP),
  TRY ("profile.cm_workers", "6", .with = "hosts.server.hca.cm_service=5ms"),
  TRY ("profile.mads_outstanding", "1"),
  TRY ("profile.sa_tries_per_timeout", "0"),
  TRY ("fabric.loss.rules.rules.0.message", "sa", .with = LOSS),
  TRY ("fabric.loss.rules.rules.0.message", "req", .with = LOSS),
  TRY ("sa.workers", "4", .with = "sa.service=1ms"),
  TRY ("sa.service", "1ms"),
  TRY ("sa.queue_limit", "1", .with = "sa.service=1ms"),
  TRY ("sa.wait_limit", "1ms", .with = "sa.service=1ms"),
  TRY ("sa.packet_lifetime", "10"),
  TRY ("sa.overload", "busy", .with = "sa.queue_limit=1; sa.service=1ms"),
  TRY ("sa.set_workers", "3", .with = MEMBERS "; sa.set_service=1ms"),
  TRY ("sa.set_service", "3ms", .with = MEMBERS),
  TRY ("sa.groups", "1", .with = MEMBERS "; multicast.0.retry_after=1s"),
  TRY ("sa.send_only_full", "false", .with = MEMBERS "; multicast.0.join_state=send-only"),
  TRY ("sa.broadcast_qkey", "77", .with = MEMBERS "; multicast.0.port_space=ipoib"),
  TRY ("sa.reregister_at", "1s", .with = MEMBERS),
  TRY ("sm.hca", "{mad_service: 3ms}"),
  TRY ("tcp.syn_retries", "0"),
  TRY ("tcp.synack_retries", "0"),
  TRY ("tcp.syn_backlog", "1"),
  TRY ("tcp.rto", "300ms"),
  TRY ("tcp.data_rto", "20ms"),
  TRY ("tcp.data_retries", "0"),
  TRY ("tcp.time_wait", "1s", .with = HOLD),
  TRY ("tcp.keepalive", "1s", .with = "listeners.0.accept.answer=never"),
  TRY ("hosts.server.hca.cm_service", "1ms"),
  TRY ("hosts.server.hca.cm_workers", "9", .with = "hosts.server.hca.cm_service=5ms"),
  TRY ("hosts.server.hca.qp_create", "1ms"),
  TRY ("hosts.server.hca.qp_modify", "1ms"),
  TRY ("hosts.server.hca.commands", "8", .with = "listeners.0.accept.workers=8"),
  TRY ("hosts.client.hca.qpn_reuse", "true", .with = REUSE),
  TRY ("hosts.client.hca.qpn_timewait", "500ms", .with = REUSE "; hosts.client.hca.qpn_reuse=true"),
  TRY ("hosts.server.hca.comm_est", "false", .with = "connects.0.data_after=1us"),
  TRY ("hosts.server.memory.fails", "30%"),
  TRY ("hosts.server.memory.from", "1s", .with = "hosts.server.memory.fails=30%"),
  TRY ("hosts.server.memory.until", "1s", .with = "hosts.server.memory.fails=30%"),
  TRY ("hosts.client.comm_ids", "2", .with = REUSE),
  TRY ("hosts.client.timer_phase", "5ms"),
  TRY ("hosts.client.ipoib_up", "1s", .with = MEMBERS "; multicast.0.retry_after=300ms"),
  TRY ("hosts.client.port_error_at", "1s", .with = MEMBERS),
  TRY ("multicast.0.by", "ipoib", .with = MEMBERS),
  TRY ("multicast.0.port_space", "ipoib", .with = MEMBERS, .unseen = NO_SA),
  TRY ("multicast.0.channel", "c", .with = MEMBERS "; " EVENTS "; multicast.0.from=server",
       .unseen = ANYWHERE),
  TRY ("multicast.0.resolve", "false", .with = MEMBERS, .unseen = ANYWHERE),
  TRY ("multicast.0.retry_after", "300ms", .with = MEMBERS "; hosts.client.ipoib_up=1s",
       .unseen = NO_SA),
  TRY ("multicast.0.attempts", "2",
       .with = MEMBERS "; hosts.client.ipoib_up=1s; multicast.0.retry_after=300ms", .unseen = NO_SA,
       .facts = SCOPE_RETRIES),
  TRY ("multicast.0.leave_after", "1s", .with = MEMBERS, .unseen = ROCE),
  TRY ("multicast.0.destroy_after", "1s", .with = MEMBERS, .unseen = ROCE),
  TRY ("multicast.0.join_state", "send-only", .with = MEMBERS),
  /* In vain. */
  TRY ("multicast.0.attempts", "2", .with = "hosts.client.ipoib_up=1s",
       .here = "multicast.0.rejoin: true", .unseen = ANYWHERE),
  TRY ("multicast.0.leave_after", "2s", .here = "multicast.0.destroy_after: 1s", .unseen = ANYWHERE,
       .facts = SCOPE_GOES),
  BY_IPOIB ("attempts", "2"),
  BY_IPOIB ("port_space", "ipoib"),
  BY_IPOIB ("join_state", "send-only"),
  BY_IPOIB ("resolve", "false"),
  BY_IPOIB ("rejoin", "false"),
  BY_IPOIB ("retry_after", "300ms"),
  BY_IPOIB ("leave_after", "1s"),
  BY_IPOIB ("destroy_after", "1s"),
  TRY ("multicast.0.rejoin", "false", .with = MEMBERS "; sa.reregister_at=1s", .unseen = IB),
  TRY ("listeners.0.ulp", "script", .unseen = ANYWHERE),
  TRY ("listeners.0.ud", "true", .with = "connects.0.ud=true"),
  TRY ("listeners.0.redirect_to", "other", .with = REJECTS "24; connects.0.ulp=srp"),
  TRY ("listeners.0.channel", "c",
       .with = "listeners.1.channel=c; listeners.1.on=server; listeners.1.service=7472; "
               "connects.1.to='server:7472'"),
  TRY ("listeners.0.channel_limit", "1"),
  TRY ("listeners.0.backlog.full", "keep"),
  TRY ("listeners.0.backlog.full", "{defer: {wait: 3s}}", .with = "fabric.latency=5ms"),
  TRY ("listeners.0.backlog.full.reject.retry_after", "70ms", .with = HINTED),
  TRY ("listeners.0.backlog.full.reject.spacing", "70ms",
       .with = HINTED "; listeners.0.backlog.full.reject.retry_after=5ms"),
  TRY ("listeners.0.backlog.full.defer.reason", "9",
       .with =
           "listeners.0.backlog.full.defer.wait=1ms; listeners.0.backlog.full.defer.then=reject"),
  TRY ("listeners.0.backlog.full.ulp-counted.reason", "9",
       .with = "listeners.0.backlog.full.ulp-counted.answer=reject"),
  TRY ("listeners.0.backlog.full.script.answers.0.answer", "mra",
       .with = "listeners.0.backlog.full={script: [{answer: drop}, {answer: admit}]}"),
  TRY ("listeners.0.backlog.full.script.answers.0.reason", "9",
       .with = "listeners.0.backlog.full={script: [{answer: reject}]}"),
  TRY ("listeners.0.accept.workers", "3"),
  TRY ("listeners.0.accept.unlimited", "true"),
  TRY ("listeners.0.accept.service", "15ms"),
  TRY ("listeners.0.accept.event_service", "90ms", .with = EVENTS "; " HOLD, .facts = SCOPE_EVENTS),
  TRY ("listeners.0.accept.event_service", "90ms", .with = HOLD, .unseen = ANYWHERE),
  TRY ("listeners.0.accept.read", "at-once", .with = "listeners.0.backlog.counts=unread"),
  TRY ("listeners.0.accept.early", "yes"),
  TRY ("listeners.0.accept.starts_after", "50ms"),
  TRY ("listeners.0.accept.wake", "1ms"),
  TRY ("listeners.0.accept.answer", "reject"),
  TRY ("listeners.0.accept.reject_reason", "5", .with = "listeners.0.accept.answer=reject"),
  TRY ("listeners.0.accept.qp", "false"),
  TRY ("listeners.0.accept.answer_disconnect", "false", .with = HOLD),
  TRY ("listeners.0.accept.hold", "700ms"),
  TRY ("listeners.0.accept.path_answer", "rejected", .with = LAP),
  TRY ("listeners.0.accept.path_service", "70ms", .with = LAP),
  TRY ("listeners.0.accept.path_mra", "20", .with = LAP),
  TRY ("connects.0.retry", "exponential"),
  TRY ("connects.0.tie_break", "address",
       .with = "connects.0.from=server; connects.0.processes=3; listeners.0.processes=3; "
               "connects.0.pattern=all-to-all; connects.0.per_host=1",
       .empty = TRUE),
  TRY ("connects.0.lockstep", "true"),
  TRY ("connects.0.window", "2"),
  TRY ("connects.0.ud", "true", .with = "listeners.0.ud=true"),
  TRY ("connects.0.qp", "false"),
  TRY ("connects.0.resolve", "false"),
  TRY ("connects.0.rtu_delay", "30ms"),
  TRY ("connects.0.wrong", "mtu", .with = "profile.path_check=all"),
  TRY ("connects.0.alternate_path_after", "1s"),
  TRY ("connects.0.data_after", "1us"),
  TRY ("connects.0.hold", "700ms"),
  TRY ("connects.0.answer_disconnect", "false", .with = "listeners.0.accept.hold=1s"),
  TRY ("connects.0.qpn", "77"),
  TRY ("connects.0.answer_within", "5ms"),
  TRY ("connects.0.redirect_to", "other:7471", .with = REJECTS "24"),
  TRY ("connects.0.path_lifetime", "12"),
  TRY ("connects.0.max_retries", "1"),
  TRY ("connects.0.response_timeout", "12"),
  /* No row: they have an effect everywhere. */
  TRY ("profile.ucma_backlog_max", "3", .with = "listeners.0.backlog.limit=0"),
  TRY ("fabric.latency", "5us"),
  TRY ("fabric.rate", "1Gbps"),
  TRY ("fabric.overhead", "74B"),
  TRY ("hosts.server.hca.mad_service", "1ms"),
  TRY ("hosts.client.address.delay", "1ms"),
  TRY ("hosts.client.address.unanswered", "30%"),
  TRY ("hosts.client.address.probes", "1", .with = "hosts.client.address.unanswered=50%"),
  TRY ("hosts.client.address.interval", "50ms", .with = "hosts.client.address.unanswered=50%"),
  TRY ("hosts.client.create_id", "1ms"),
  TRY ("listeners.0.port_space", "sdp"),
  TRY ("listeners.0.backlog.limit", "2"),
  TRY ("listeners.0.backlog.counts", "unread"),
  TRY ("listeners.0.backlog.full", "unlimited"),
  TRY ("listeners.0.backlog.full", "reject", .with = "fabric.latency=5ms", .unseen = IWARP),
  TRY ("listeners.0.accept.close_after", "1ms"),
  TRY ("listeners.0.accept.exit_after", "30ms"),
  TRY ("connects.0.ulp", "{generic: {retry_any_reject: true}}", .with = REJECTS "3"),
  TRY ("connects.0.arrivals", "{poisson: 100/s}"),
  TRY ("connects.0.per_host", "3"),
  TRY ("connects.0.processes", "2"),
  TRY ("connects.0.port_space", "sdp"),
  TRY ("connects.0.give_up_after", "20ms"),
  TRY ("connects.0.exit_after", "20ms"),
  TRY ("connects.0.crash_after", "20ms"),
};

/* ----- with and without ----- */

static const char *const transports[] = { "ib", "roce", "iwarp", "tcp" };

/* The scenario in this context; `heeded` is a variant that heeds the option, so that it may stand
 * in the file. */
static Scenario *
load_in (guint transport, const Kind *kind, const char *heeded, const Experiment *experiment,
         gboolean with, GError **error)
{
  g_autofree char *text = g_strdup_printf (
      STORM "%scompare:\n  here: {fabric.transport: %s%s%s%s%s}\n  heeds: {%s%s}\n",
      experiment->here ? "multicast: [{from: client, group: 239.1.2.3}]\n" : "",
      transports[transport], *kind->overrides ? ", " : "", kind->overrides,
      experiment->here ? ", " : "", experiment->here ? experiment->here : "", heeded,
      experiment->here ? ", multicast.0.retry_after: 1s" : "");
  g_auto (GStrv) extra = g_strsplit (experiment->with ? experiment->with : "", "; ", -1);
  ScenarioSetting settings[12];
  guint n = 0;

  for (guint i = 0; extra[i]; i++) {
    char *equals = strchr (extra[i], '=');

    if (!equals)
      continue;
    *equals = '\0';
    settings[n++] = (ScenarioSetting){ .path = extra[i], .value = equals + 1 };
  }
  if (with)
    settings[n++] = (ScenarioSetting){ .path = experiment->path, .value = experiment->value };
  return try_load (text, settings, n, error);
}

static const char *const heeders[] = {
  "fabric.transport: ib",
  "fabric.transport: tcp",
  "fabric.transport: ib, connects.0.ulp: srp",
  "fabric.transport: ib, listeners.0.accept.script: " ANSWERS,
  "fabric.transport: ib, listeners.0.channel: c, listeners.0.channel_events: all",
};

typedef enum { SAME, DIFFERENT, IMPOSSIBLE } Effect;

/* IMPOSSIBLE: it cannot be loaded, whatever else the file says; *ret_error says why. */
static Effect
effect_of (guint transport, const Kind *kind, const Experiment *experiment, char **ret_error)
{
  *ret_error = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (heeders); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Scenario) with = load_in (transport, kind, heeders[i], experiment, TRUE, &error);
    g_autoptr (Scenario) without = load_in (transport, kind, heeders[i], experiment, FALSE, NULL);

    if (with && without) {
      g_clear_pointer (ret_error, g_free);
      return scope_run (model (with, 0)) == scope_run (model (without, 0)) ? SAME : DIFFERENT;
    }
    if (!*ret_error)
      *ret_error = g_strdup (error ? error->message : "it cannot be left out");
  }
  return IMPOSSIBLE;
}

/* ----- the table ----- */

static gboolean
matches (const ScopeRow *row, const Experiment *experiment)
{
  g_auto (GStrv) steps = g_strsplit (experiment->path, ".", -1);
  g_autofree char *pattern = NULL;
  gboolean same;

  for (guint i = 1; steps[i]; i++)
    if (g_ascii_isdigit (*steps[i]) || strcmp (steps[i - 1], "hosts") == 0) {
      g_free (steps[i]);
      steps[i] = g_strdup ("*");
    }
  pattern = g_strjoinv (".", steps);
  same = strcmp (row->path, pattern) == 0 &&
         (!row->value || strcmp (row->value, experiment->value) == 0);
  if (!same && g_str_has_prefix (row->path, pattern) &&
      strlen (row->path) > strlen (pattern)) /* a class: {defer: ...}, keep */
    same = strstr (experiment->value, row->path + strlen (pattern) + 1) != NULL &&
           !strchr (row->path + strlen (pattern) + 1, '.');
  return same;
}

static const ScopeRow *
row_of (const Experiment *experiment)
{
  for (const ScopeRow *row = scenario_scope_rows; row->path; row++)
    if (matches (row, experiment))
      return row;
  return NULL;
}

START_TEST (every_row_has_an_experiment)
{
  for (const ScopeRow *row = scenario_scope_rows; row->path; row++) {
    gboolean found = row->messages != 0 || g_str_has_prefix (row->path, "handmade.");

    for (guint i = 0; !found && i < G_N_ELEMENTS (experiments); i++)
      found = row_of (&experiments[i]) == row;
    ck_assert_msg (found, "%s", row->path);
  }
}
END_TEST

/* Does the table say that it has an effect, and has it one? */
static gboolean
check_in (guint transport, const Kind *kind, const Experiment *experiment)
{
  const ScopeRow *row = row_of (experiment);
  gboolean listener = g_str_has_prefix (experiment->path, "listeners.");
  gboolean member = g_str_has_prefix (experiment->path, "multicast.");
  gboolean entry = row && (listener || member || g_str_has_prefix (experiment->path, "connects."));
  guint facts = experiment->facts | (listener ? kind->listener : member ? 0 : kind->connect);
  gboolean carried = !row || row->transports == 0 || row->transports & 1u << transport;
  gboolean fits = !entry || ((row->needs & ~facts) == 0 && (row->never & facts) == 0);
  g_autofree char *error = NULL;
  Effect effect = effect_of (transport, kind, experiment, &error);

  if (effect == IMPOSSIBLE)
    /* It, or what would show it, needs another transport. */
    ck_assert_msg (strstr (error, "is not possible with fabric.transport") ||
                       strstr (error, "ud") || kind->connect & SCOPE_UD,
                   "%s in %s, %s: %s", experiment->path, transports[transport], kind->name, error);
  else if (!carried || !fits)
    ck_assert_msg (effect == SAME || (experiment->empty && carried),
                   "%s=%s has an effect on %s, %s", experiment->path, experiment->value,
                   transports[transport], kind->name);
  return carried && fits && effect == DIFFERENT;
}

/* Where the table says so it has none; on each transport where it says so it has one, for some
 * kind of entry. */
START_TEST (rows_are_true)
{
  const Experiment *experiment = &experiments[_i];
  const ScopeRow *row = row_of (experiment);
  guint heeding = row ? row->transports : 0, seen = experiment->unseen;
  const char *step = g_getenv ("SCOPE_STEP"); /* one in so many is enough for sanitizers */

  if (step && (guint64) _i % MAX (g_ascii_strtoull (step, NULL, 10), 1) != 0)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint t = 0; t < G_N_ELEMENTS (transports); t++)
      if (check_in (t, &kinds[k], experiment))
        seen |= 1u << t;
  for (guint t = 0; t < G_N_ELEMENTS (transports); t++)
    if (heeding == 0 || heeding & 1u << t)
      ck_assert_msg (seen & 1u << t, "%s=%s has no effect on %s", experiment->path,
                     experiment->value, transports[t]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scope");
  TCase *tcase = tcase_create ("scope");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, every_row_has_an_experiment);
  tcase_add_loop_test (tcase, rows_are_true, 0, G_N_ELEMENTS (experiments));
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
