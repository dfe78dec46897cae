/* The transports of streams: TCP's retries and queues, MPA's hard rejects, and that nothing
 * is left over whatever the wire loses. */
#include <string.h>

#include "test_sim.h"
#include "world.h"

#define HOST "{hca: {mad_service: 0s, cm_service: 0s, qp_create: 0s, qp_modify: 0s}, create_id: 0s"

typedef struct {
  Scenario *scenario;
  WorldResult *result;
} Run;

static Run
run (const char *transport, const char *more, guint clients, const char *loss,
     const char *listener, const char *connect)
{
  g_autofree char *yaml = g_strdup_printf (
      "cmsim: 1\nquestion: q\n%s\n"
      "fabric: {transport: %s, latency: 0s, rate: 0bps, loss: %s}\n"
      "hosts: {server: " HOST "}, client: " HOST ", count: %u}}\n"
      "listeners: [%s]\n"
      "connects: [{from: client, to: \"server:5\", resolve: false%s}]\n",
      more, transport, loss, clients, listener, connect);
  WorldOptions options = { .series = FALSE };
  GError *error = NULL;
  char *broken = NULL;
  Run r = { .scenario = scenario_load_buffer ("t.yaml", yaml, strlen (yaml), NULL, 0, &error) };

  ck_assert_msg (r.scenario != NULL, "%s", error ? error->message : "");
  const ScenarioVariant *variant = g_ptr_array_index (r.scenario->variants, 0);
  r.result = world_run (&variant->model, r.scenario->seed, 0, &options, &broken);
  ck_assert_msg (broken == NULL, "%s: %s", transport, broken);
  return r;
}

static ConnectRecord
record (const Run *r, guint i)
{
  return connect_records_get (r->result->connects, i);
}

static void
done (Run *r)
{
  world_result_free (r->result);
  scenario_free (r->scenario);
}

#define ACCEPTS "{on: server, service: 5, accept: {service: 1ms}}"

/* SYNs at 0, 1, 3, 7, 15, 31 and 63 s, given up at 127 s: ETIMEDOUT. */
START_TEST (syn_retries)
{
  Run r = run ("tcp", "", 1, "{bernoulli: 100%}", ACCEPTS, "");

  ck_assert_uint_eq (record (&r, 0).cause, CONNECT_UNREACHABLE);
  ck_assert_int_eq (record (&r, 0).end, SIM_S (127));
  ck_assert_uint_eq (record (&r, 0).reqs, 7);
  done (&r);
}
END_TEST

/* The handshake is done, and then the wire is dead: an MPA request 200 ms, 400 ms ... apart, 120 s
 * at most, given up like Linux's data after 15 repeats: ETIMEDOUT, which is UNREACHABLE too.  Over
 * plain TCP the keepalive of 2 h finds it out in the same way. */
START_TEST (data_retries)
{
  /* 0.2 x (2^10 - 1) s for ten waits, then six of 120 s */
  const SimTime waits = SIM_MS (200) * 1023 + 6 * SIM_S (120);
  static const struct {
    const char *transport, *loss;
    SimTime begin;
  } rows[] = {
    { "iwarp", "{rules: [{action: drop, from: client, first: 2}]}", 0 },
    { "tcp", "{rules: [{action: drop, from: client, first: 3}]}", 2 * SIM_S (3600) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    Run r = run (rows[i].transport, "", 1, rows[i].loss,
                 "{on: server, service: 5, accept: {answer: never}}", "");

    ck_assert_uint_eq (record (&r, 0).cause, CONNECT_UNREACHABLE);
    ck_assert_int_eq (record (&r, 0).end, rows[i].begin + waits);
    done (&r);
  }
}
END_TEST

START_TEST (nobody_listens)
{
  static const char *const transports[] = { "tcp", "iwarp" };

  for (guint i = 0; i < 2; i++) {
    Run r = run (transports[i], "", 1, "none", "", "");
    ck_assert_uint_eq (record (&r, 0).cause, CONNECT_REFUSED);
    ck_assert_uint_eq (record (&r, 0).reason, 0);
    ck_assert_int_eq (record (&r, 0).end, 0);
    done (&r);
  }
}
END_TEST

/* Established when the application has accepted; the side that hung up first stays in
 * TIME-WAIT for 60 s. */
START_TEST (up_and_down)
{
  static const char *const transports[] = { "tcp", "iwarp" };

  for (guint i = 0; i < 2; i++) {
    Run r = run (transports[i], "", 1, "none", ACCEPTS, ", hold: 2s");
    ConnectRecord whole = record (&r, 0), *c = &whole;
    ck_assert_uint_eq (c->cause, CONNECT_ESTABLISHED);
    ck_assert_int_eq (c->steps[CONNECT_STEP_ESTABLISHED], SIM_MS (1));
    ck_assert_int_eq (c->steps[CONNECT_STEP_DISCONNECT], SIM_MS (2001));
    ck_assert_int_eq (c->steps[CONNECT_STEP_DESTROY], SIM_MS (62001));
    done (&r);
  }
}
END_TEST

/* Nobody reads.  The first waits in the accept queue; the server asks the second for its ACK
 * again after 1, 3, 7, 15 and 31 s and forgets it at 63 s; it learns so when it asks after
 * 2 hours. */
START_TEST (forgotten_half_open)
{
  Run r = run ("tcp", "run: {until: 3h}", 2, "none",
               "{on: server, service: 5, backlog: {limit: 1, counts: unaccepted, full: drop}, "
               "accept: {workers: 0}}", "");

  ck_assert_uint_eq (record (&r, 0).cause, CONNECT_PENDING);
  ck_assert_uint_eq (record (&r, 1).cause, CONNECT_REFUSED);
  ck_assert_int_eq (record (&r, 1).end, SIM_S (7200));
  ck_assert_double_eq (r.result->metrics[METRIC_DROPS], 6);
  ck_assert_double_eq (r.result->metrics[METRIC_REPS], 2 + 5); /* SYN-ACKs */
  done (&r);
}
END_TEST

/* A full accept queue: a SYN that comes now is dropped, and comes again. */
START_TEST (syn_dropped_while_full)
{
  Run r = run ("tcp", "", 2, "none",
               "{on: server, service: 5, backlog: {limit: 1, counts: unaccepted, full: drop}, "
               "accept: {service: 500ms}}", ", arrivals: {burst: {spacing: 100ms}}");

  ck_assert_int_eq (record (&r, 0).end, SIM_MS (500));
  ck_assert_uint_eq (record (&r, 1).reqs, 2);
  ck_assert_int_eq (record (&r, 1).end, SIM_MS (100 + 1000 + 500));
  ck_assert_double_eq (r.result->metrics[METRIC_DROPS], 0); /* it never got so far */
  done (&r);
}
END_TEST

/* iWARP: whatever a policy wants, the client hears of it once and at once. */
START_TEST (mpa_rejects)
{
  static const char *const policies[] = { "drop", "reject", "{reject: 28}" };

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++) {
    g_autofree char *listener = g_strdup_printf (
        "{on: server, service: 5, backlog: {limit: 2, counts: unaccepted, full: %s}, "
        "accept: {service: 1s}}", policies[i]);
    Run r = run ("iwarp", "", 5, "none", listener, "");

    ck_assert_double_eq (r.result->metrics[METRIC_ESTABLISHED], 2);
    ck_assert_double_eq (r.result->metrics[METRIC_REFUSED], 3);
    ck_assert_double_eq (r.result->metrics[METRIC_FAILURE_MAX], 0);
    ck_assert_double_eq (r.result->metrics[METRIC_REQ_RETRIES], 0);
    done (&r);
  }
}
END_TEST

START_TEST (mpa_deferral)
{
  Run r = run ("iwarp", "", 3, "none",
               "{on: server, service: 5, backlog: {limit: 1, counts: unaccepted, "
               "full: {defer: {wait: 1500ms, then: reject}}}, accept: {service: 1s}}", "");

  ck_assert_double_eq (r.result->metrics[METRIC_ESTABLISHED], 2);
  ck_assert_double_eq (r.result->metrics[METRIC_REFUSED], 1);
  ck_assert_double_eq (r.result->metrics[METRIC_FAILURE_MAX], 1.5);
  done (&r);
}
END_TEST

/* A consumer that says no. */
START_TEST (application_rejects)
{
  static const char *const transports[] = { "tcp", "iwarp" };

  for (guint i = 0; i < 2; i++) {
    Run r = run (transports[i], "", 3, "none",
                 "{on: server, service: 5, accept: {service: 1s, answer: reject}}", "");
    ck_assert_double_eq (r.result->metrics[METRIC_REFUSED], 3);
    done (&r);
  }
}
END_TEST

/* A script that says no and keeps the id: the stream is gone with the refusal, so nothing holds
 * a connection at the end, and further calls fail as rdma_reject() of an id without one. */
START_TEST (script_rejects)
{
  static const char *const transports[] = { "tcp", "iwarp" };
  static const char *const more[] = { "", ", {call: reject, returns: EINVAL}",
                                      ", {call: accept, returns: EINVAL}",
                                      ", {call: disconnect, returns: EINVAL}, {call: destroy}" };

  for (guint k = 0; k < 2 * G_N_ELEMENTS (more); k++) {
    g_autofree char *listener = g_strdup_printf (
        "{on: server, service: 5, accept: {script: [{call: reject}%s]}}", more[k / 2]);
    Run r = run (transports[k % 2], "", 3, "none", listener, "");

    ck_assert_int_eq (r.result->stop, SIM_STOP_IDLE);
    ck_assert_double_eq (r.result->metrics[METRIC_REFUSED], 3);
    ck_assert_double_eq (r.result->metrics[METRIC_SCRIPTS_FAILED], 0);
    done (&r);
  }
}
END_TEST

/* Plain sockets have no ucma: that of 2006, which refused what found its backlog full, has no
 * say. */
START_TEST (no_ucma)
{
  Run r = run ("tcp", "profile: ofed-1.1", 20, "none",
               "{on: server, service: 5, backlog: {limit: 4, counts: unaccepted}, "
               "accept: {service: 20ms}}",
               "");

  ck_assert_double_eq (r.result->metrics[METRIC_ESTABLISHED], 20);
  ck_assert_double_eq (r.result->metrics[METRIC_REJECTS], 0);
  done (&r);
}
END_TEST

/* A server that never answers: the peer is there, so the client waits for ever.  It asks whether
 * it is once, 2 h after the handshake; when it would ask again, at 4 h, nothing can have changed
 * since, and the run is over. */
START_TEST (never_answered)
{
  static const char *const transports[] = { "tcp", "iwarp" };
  static const char *const accepts[] = { "answer: never", "workers: 0", "script: [{call: read}]" };

  for (guint k = 0; k < 2 * G_N_ELEMENTS (accepts); k++) {
    g_autofree char *listener =
        g_strdup_printf ("{on: server, service: 5, accept: {%s}}", accepts[k / 2]);
    Run r = run (transports[k % 2], "", 3, "none", listener, "");

    ck_assert_int_eq (r.result->stop, SIM_STOP_IDLE);
    ck_assert_double_eq (r.result->metrics[METRIC_PENDING], 3);
    ck_assert_double_eq (r.result->metrics[METRIC_END], 4 * 3600);
    done (&r);
  }
}
END_TEST

/* The server's process ends at 3 h and its RST is lost: only a keepalive can tell the client.
 * Those at 2 and 4 h go; the RST that answers the second refuses the connect. */
START_TEST (keepalive_finds_a_lost_peer)
{
  /* What the server has sent before: SYN-ACK and, over MPA, the ACK of the request; the ACK of
   * the first keepalive. */
  static const struct {
    const char *transport;
    guint rst;
  } rows[] = { { "tcp", 3 }, { "iwarp", 4 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *loss = g_strdup_printf (
        "{rules: [{action: drop, from: server, first: %u, last: %u}]}", rows[i].rst, rows[i].rst);
    Run r = run (rows[i].transport, "", 1, loss,
                 "{on: server, service: 5, accept: {answer: never, exit_after: 3h}}", "");

    ck_assert_int_eq (r.result->stop, SIM_STOP_IDLE);
    ck_assert_uint_eq (record (&r, 0).cause, CONNECT_REFUSED);
    ck_assert_int_eq (record (&r, 0).end, 4 * SIM_S (3600));
    done (&r);
  }
}
END_TEST

/* Another connect gives up at 5 h: until then there is something left to do.  Its end is a socket
 * lost, so what was heard at 4 h is not believed: the keepalive of 6 h goes out, that of 8 h need
 * not. */
START_TEST (keepalives_go_on_while_something_is_left)
{
  Run r = run ("tcp", "", 1, "none", "{on: server, service: 5, accept: {answer: never}}",
               "}, {from: client, to: \"server:5\", resolve: false, give_up_after: 5h");

  ck_assert_double_eq (r.result->metrics[METRIC_PENDING], 1);
  ck_assert_double_eq (r.result->metrics[METRIC_GAVE_UP], 1);
  ck_assert_double_eq (r.result->metrics[METRIC_END], 8 * 3600);
  done (&r);
}
END_TEST

/* Loss, impatience, hanging up on both sides: everybody comes to an end, and no socket is
 * left (world_run checks that). */
START_TEST (storms)
{
  static const char *const transports[] = { "tcp", "iwarp" };
  static const char *const policies[] = { "drop", "reject", "{defer: {wait: 2s}}" };

  for (guint k = 0; k < 60; k++) {
    g_autofree char *more = g_strdup_printf ("seed: %u", k + 1);
    g_autofree char *listener = g_strdup_printf (
        "{on: server, service: 5, backlog: {limit: 4, counts: unaccepted, full: %s}, "
        "accept: {service: {exponential: 20ms}%s}}", policies[k % 3],
        k % 5 == 0 ? ", hold: 3s" : k % 5 == 1 ? ", exit_after: 4s" : "");
    g_autofree char *connect = g_strdup_printf (
        ", per_host: 3, hold: 1s, arrivals: {poisson: 20/s}%s%s",
        k % 4 == 0 ? ", give_up_after: 700ms" : k % 4 == 1 ? ", exit_after: 2s" : "",
        k % 7 == 0 ? ", crash_after: 500ms" : "");
    Run r = run (transports[k % 2], more, 10, k % 3 ? "{bernoulli: 20%}" : "none", listener,
                 connect);

    ck_assert_int_eq (r.result->stop, SIM_STOP_IDLE);
    ck_assert_double_eq (r.result->metrics[METRIC_PENDING], 0);
    done (&r);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tcp");
  TCase *tcase = tcase_create ("tcp");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, syn_retries);
  tcase_add_test (tcase, data_retries);
  tcase_add_test (tcase, nobody_listens);
  tcase_add_test (tcase, up_and_down);
  tcase_add_test (tcase, forgotten_half_open);
  tcase_add_test (tcase, syn_dropped_while_full);
  tcase_add_test (tcase, mpa_rejects);
  tcase_add_test (tcase, mpa_deferral);
  tcase_add_test (tcase, application_rejects);
  tcase_add_test (tcase, script_rejects);
  tcase_add_test (tcase, no_ucma);
  tcase_add_test (tcase, never_answered);
  tcase_add_test (tcase, keepalive_finds_a_lost_peer);
  tcase_add_test (tcase, keepalives_go_on_while_something_is_left);
  tcase_add_test (tcase, storms);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
