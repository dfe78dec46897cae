/* The comparison compares: it reads captures right, knows the wheel, finds the
 * phase, and sees every kind of difference. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "compare.h"

/* One connect that is rejected after an MRA, and one that nobody answers. */
#define ASKS " local_cm_resp_to=20 max_cm_retries=15"

static const char mads_csv[]
    = "t_ms,dir,msg,nth,tid,local_id,remote_id,action,fields\n"
      "100.000,A>B,REQ,1,01,000000aa,00000000,fwd,service_id=0x1 qpn=0x1000 x=1" ASKS "\n"
      "101.000,A>B,REQ,1,02,000000bb,00000000,drop,service_id=0x1 qpn=0x1001 x=1" ASKS "\n"
      "6300.000,A>B,REQ,2,01,000000aa,00000000,fwd,service_id=0x1 qpn=0x1000 x=1" ASKS "\n"
      "6301.000,A>B,REQ,2,02,000000bb,00000000,drop,service_id=0x1 qpn=0x1001 x=1" ASKS "\n"
      "6306.000,B>A,MRA,1,01,00000cc0,000000aa,fwd,msg_mraed=0 service_to=24\n"
      "12702.000,A>B,REQ,3,02,000000bb,00000000,drop,service_id=0x1 qpn=0x1001 x=1" ASKS "\n"
      "75500.000,A>B,REQ,3,01,000000aa,00000000,fwd,service_id=0x1 qpn=0x1000 x=1" ASKS "\n"
      "75505.000,B>A,MRA,2,01,00000cc0,000000aa,fwd,msg_mraed=0 service_to=24\n"
      "80000.000,B>A,REJ,1,01,00000cc0,000000aa,fwd,msg_rejected=0 info_len=0 reason=28\n";

static const char events_csv[]
    = "t_ms,host,role,conn,event,status,guest_mono_us,extra\n"
      "20.000,-,wire,-1,NOTE,0,0,setup: srv[-b 1 -R -T] cli[-c 2 -t 90]\n"
      "50.000,B,srv,-1,LISTEN,0,50000,backlog=1\n"
      "99.000,A,cli,0,CONNECT,0,99000,qpn=0x1000 cycle=0\n"
      "110.000,B,srv,0,CONNECT_REQUEST,0,110000,peer_qpn=0x1000\n"
      "80005.000,A,cli,0,REJECTED,28,80005000,\n"
      "90100.000,A,cli,-1,TIME_LIMIT,0,90100000,\n";

static KernelLog *
parse (const char *mads, const char *events)
{
  GError *error = NULL;
  KernelLog *log = capture_parse (mads, events, &error);

  ck_assert_msg (log != NULL, "%s", error ? error->message : "no log, no error");
  return log;
}

/* (transfer full) text with the n-th line (1: first) replaced; NULL: left out. */
static char *
with_line (const char *text, guint n, const char *line)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) result = g_string_new (NULL);

  for (guint i = 0; lines[i]; i++) {
    const char *kept = i + 1 == n ? line : lines[i];
    if (kept && (*kept || lines[i + 1]))
      g_string_append_printf (result, "%s\n", kept);
  }
  return g_string_free (g_steal_pointer (&result), FALSE);
}

START_TEST (test_reads_capture)
{
  g_autoptr (KernelLog) log = parse (mads_csv, events_csv);

  ck_assert_uint_eq (log->connects, 2);
  ck_assert_uint_eq (log->mads->len, 9);
  ck_assert_int_eq (kernel_log_mad (log, 0)->at, 0);
  const KernelMad *mra = kernel_log_mad (log, 4);
  ck_assert_int_eq (mra->at, SIM_MS (6206));
  ck_assert_uint_eq (mra->attr, IB_CM_MRA);
  ck_assert_uint_eq (mra->code, 24);
  ck_assert_uint_eq (mra->side, KERNEL_SIDE_B);
  ck_assert_uint_eq (mra->conn, 0);
  ck_assert_uint_eq (kernel_log_mad (log, 5)->conn, 1);
  ck_assert_uint_eq (kernel_log_mad (log, 5)->nth, 3);
  ck_assert (kernel_log_mad (log, 5)->lost);
  ck_assert_uint_eq (kernel_log_mad (log, 8)->code, 28);
  ck_assert (!log->sees_timewait[KERNEL_SIDE_A] && log->sees_timewait[KERNEL_SIDE_B]);
  ck_assert (log->watched[KERNEL_SIDE_A] && log->watched[KERNEL_SIDE_B]);

  /* The request, the REJ, and at the time limit the connect not yet decided. */
  ck_assert_uint_eq (log->events->len, 3);
  ck_assert_uint_eq (kernel_log_event (log, 0)->type, KERNEL_EVENT_CONNECT_REQUEST);
  ck_assert_uint_eq (kernel_log_event (log, 0)->side, KERNEL_SIDE_B);
  ck_assert_int_eq (kernel_log_event (log, 1)->status, 28);
  ck_assert_uint_eq (kernel_log_event (log, 2)->type, KERNEL_EVENT_GAVE_UP);
  ck_assert_uint_eq (kernel_log_event (log, 2)->conn, 1);
}
END_TEST

/* Stock programs and hand-built peers say nothing. */
START_TEST (test_knows_programs)
{
  g_autofree char *stock = with_line (
      events_csv, 2, "20.000,-,wire,-1,NOTE,0,0,setup: srv[timeout 60 rping -s] cli[-c 1]");
  g_autofree char *peer = with_line (
      events_csv, 2, "20.000,-,wire,-1,NOTE,0,0,setup: peer rejects; cli[-c 1 -T -t 60]");
  g_autoptr (KernelLog) a = parse (mads_csv, stock);
  g_autoptr (KernelLog) b = parse (mads_csv, peer);

  ck_assert (a->watched[KERNEL_SIDE_A] && !a->watched[KERNEL_SIDE_B]);
  ck_assert (b->watched[KERNEL_SIDE_A] && !b->watched[KERNEL_SIDE_B]);
  ck_assert (b->sees_timewait[KERNEL_SIDE_A]);
}
END_TEST

static const struct {
  guint line;
  const char *text;
  const char *complaint;
} bad_lines[] = {
  { 2, "100.000,A>B,REQ,1,01,000000aa", "mads:2" },
  { 3, "1o1.000,A>B,REQ,1,02,000000bb,00000000,drop,qpn=0x1001" ASKS, "mads:3" },
  { 3, "101.000,A>C,REQ,1,02,000000bb,00000000,drop,qpn=0x1001", "mads:3" },
  { 3, "101.000,A>B,REK,1,02,000000bb,00000000,drop,qpn=0x1001", "mads:3" },
  { 10, "80000.000,B>A,REJ,1,01,00000cc0,000000aa,fwd,msg_rejected=0", "mads:10" },
  { 10, "80000.000,B>A,REJ,1,01,00000cc0,000000ff,fwd,msg_rejected=0 reason=28", "no connect" },
  { 4, "6300.000,A>B,REQ,3,01,000000aa,00000000,fwd,qpn=0x1000" ASKS, "mads:4" },
};

START_TEST (test_refuses_bad_line)
{
  g_autofree char *mads = with_line (mads_csv, bad_lines[_i].line, bad_lines[_i].text);
  g_autoptr (GError) error = NULL;

  ck_assert (capture_parse (mads, events_csv, &error) == NULL);
  ck_assert_msg (strstr (error->message, bad_lines[_i].complaint) != NULL, "%s", error->message);
}
END_TEST

/* An event that reached the recorder late has the time of the guest's own clock: here a REJ
 * told 50 ms late, by a guest whose clock is 3 s ahead. */
START_TEST (test_takes_the_guests_time)
{
  static const char late[]
      = "t_ms,host,role,conn,event,status,guest_mono_us,extra\n"
        "20.000,-,wire,-1,NOTE,0,0,setup: srv[-b 1] cli[-c 2]\n"
        "99.000,A,cli,0,CONNECT,0,3099000,qpn=0x1000 cycle=0\n"
        "80055.000,A,cli,0,REJECTED,28,83005000,\n";
  g_autoptr (KernelLog) log = parse (mads_csv, late);

  ck_assert_int_eq (kernel_log_event (log, 0)->at, SIM_MS (80005 - 100));
}
END_TEST

/* A client made by hand, on guest A, has no CM: its REQs are not timers.  The server's REP
 * goes by what the REQ asks for: code 18 is 1024 ms. */
START_TEST (test_knows_a_handmade_client)
{
  static const char mads[]
      = "t_ms,dir,msg,nth,tid,local_id,remote_id,action,fields\n"
        "100.000,B>A,REQ,1,01,000000aa,00000000,fwd,qpn=0x9 local_cm_resp_to=18 "
        "max_cm_retries=1\n"
        "110.000,A>B,REP,1,01,00000cc0,000000aa,fwd,\n"
        "600.000,B>A,REQ,2,01,000000aa,00000000,fwd,qpn=0x9 local_cm_resp_to=18 "
        "max_cm_retries=1\n"
        "1150.000,A>B,REP,2,01,00000cc0,000000aa,fwd,\n"
        "9000.000,B>A,DREP,1,02,00000077,00000000,fwd,\n";
  static const char events[]
      = "t_ms,host,role,conn,event,status,guest_mono_us,extra\n"
        "20.000,-,wire,-1,NOTE,0,0,setup: two REQs; srv[-b 16] on guest A\n"
        "105.000,A,srv,0,CONNECT_REQUEST,0,105000,peer_qpn=0x9\n"
        "2190.000,A,srv,0,UNREACHABLE,-110,2190000,\n";
  g_autoptr (KernelLog) log = parse (mads, events);
  g_autoptr (GArray) timers = kernel_timers (log, &kernel_times_6_1);

  ck_assert_uint_eq (log->client, KERNEL_SIDE_B);
  ck_assert_uint_eq (log->connects, 2); /* a stray DREP counts as one */
  ck_assert (log->handmade[KERNEL_SIDE_B] && !log->handmade[KERNEL_SIDE_A]);
  ck_assert_uint_eq (kernel_log_event (log, 0)->side, KERNEL_SIDE_A);
  ck_assert_uint_eq (timers->len, 2);
  for (guint i = 0; i < 2; i++) {
    ck_assert_uint_eq (g_array_index (timers, KernelTimer, i).side, KERNEL_SIDE_A);
    ck_assert_int_eq (g_array_index (timers, KernelTimer, i).nominal, SIM_MS (1024));
  }
  ck_assert_uint_eq (g_array_index (timers, KernelTimer, 1).kind, KERNEL_TIMER_GIVE_UP);
}
END_TEST

START_TEST (test_refuses_bad_event)
{
  g_autofree char *events
      = with_line (events_csv, 5, "110.000,B,srv,0,CONNECT_REQUEST,0,110000,peer_qpn=0x9999");
  g_autoptr (GError) error = NULL;

  ck_assert (capture_parse (mads_csv, events, &error) == NULL);
  ck_assert_msg (strstr (error->message, "events:5") != NULL, "%s", error->message);
}
END_TEST

/* Level n of the wheel serves 63 x 8^(n-1) to 63 x 8^n jiffies of 4 ms. */
START_TEST (test_wheel_steps)
{
  static const struct {
    guint delay, step; /* ms */
  } rows[] = {
    { 4, 4 }, { 251, 4 }, { 252, 32 }, { 512, 32 }, { 2015, 32 }, { 2016, 256 }, { 2048, 256 },
    { 6144, 256 }, { 16127, 256 }, { 16128, 2048 }, { 67584, 2048 }, { 129024, 16384 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_int_eq (kernel_timer_step (SIM_MS (rows[i].delay), 250), SIM_MS (rows[i].step));
  ck_assert_int_eq (kernel_timer_step (SIM_MS (6144), 1000), SIM_MS (512));
}
END_TEST

START_TEST (test_finds_timers)
{
  g_autoptr (KernelLog) log = parse (mads_csv, events_csv);
  g_autoptr (GArray) timers = kernel_timers (log, &kernel_times_6_1);

  ck_assert_uint_eq (timers->len, 4);
  const KernelTimer *timer = &g_array_index (timers, KernelTimer, 0);
  ck_assert_uint_eq (timer->conn, 0);
  ck_assert_int_eq (timer->end - timer->start, SIM_MS (6200));
  ck_assert_int_eq (timer->nominal, SIM_MS (6144));
  /* From the MRA on, not from the REQ. */
  timer = &g_array_index (timers, KernelTimer, 1);
  ck_assert_uint_eq (timer->nth, 2);
  ck_assert_int_eq (timer->end - timer->start, SIM_MS (75500 - 6306));
  ck_assert_int_eq (timer->nominal, SIM_MS (67584));
  timer = &g_array_index (timers, KernelTimer, 3);
  ck_assert_uint_eq (timer->conn, 1);
  ck_assert_int_eq (timer->end - timer->start, SIM_MS (6401));
  ck_assert_int_eq (timer->nominal, SIM_MS (6144));
}
END_TEST

static void
add_timer (GArray *timers, KernelSide side, guint end_ms, guint nominal_ms)
{
  KernelTimer timer = { .side = side, .end = SIM_MS (end_ms), .nominal = SIM_MS (nominal_ms),
                        .start = SIM_MS (end_ms) - SIM_MS (nominal_ms) - SIM_MS (100) };

  g_array_append_val (timers, timer);
}

/* Grid of A at 100 ms past multiples of 256; one expiry on a finer grid, and three
 * of one instant that count once; the wait after an MRA says which of the eight
 * points of 2048 ms it is. */
START_TEST (test_finds_phase)
{
  g_autoptr (GArray) timers = g_array_new (FALSE, TRUE, sizeof (KernelTimer));
  SimTime phase = -1;

  ck_assert (!kernel_timers_phase (timers, KERNEL_SIDE_A, 250, SIM_MS (30), &phase));
  add_timer (timers, KERNEL_SIDE_A, 24 * 256 + 108, 6144);
  add_timer (timers, KERNEL_SIDE_A, 49 * 256 + 104, 6144);
  add_timer (timers, KERNEL_SIDE_A, 74 * 256 + 164, 6144);
  add_timer (timers, KERNEL_SIDE_A, 74 * 256 + 165, 6144);
  add_timer (timers, KERNEL_SIDE_A, 74 * 256 + 166, 6144);
  add_timer (timers, KERNEL_SIDE_B, 17 * 256 + 7, 4096);
  ck_assert (kernel_timers_phase (timers, KERNEL_SIDE_A, 250, SIM_MS (30), &phase));
  ck_assert_int_eq (phase % SIM_MS (256), SIM_MS (104));
  ck_assert (kernel_timers_phase (timers, KERNEL_SIDE_B, 250, SIM_MS (30), &phase));
  ck_assert_int_eq (phase, SIM_MS (4)); /* a whole number of jiffies */
  add_timer (timers, KERNEL_SIDE_A, 34 * 2048 + 3 * 256 + 111, 67584);
  ck_assert (kernel_timers_phase (timers, KERNEL_SIDE_A, 250, SIM_MS (30), &phase));
  ck_assert_int_eq (phase, SIM_MS (3 * 256 + 104));
}
END_TEST

START_TEST (test_same_is_same)
{
  g_autoptr (KernelLog) a = parse (mads_csv, events_csv);
  g_autoptr (KernelLog) b = parse (mads_csv, events_csv);
  g_autoptr (KernelReport) report = kernel_compare (a, b, &kernel_times_6_1, SIM_MS (30));

  ck_assert_str_eq (report->differences->str, "");
  ck_assert_uint_eq (report->mads[0], 9);
  ck_assert_uint_eq (report->mads[1], 9);
  ck_assert_uint_eq (report->events[0], 3);
  ck_assert_uint_eq (report->timers, 4);
  ck_assert_int_eq (report->worst, 0);
}
END_TEST

/* Each row changes one line of the second log; `says` must be among the differences. */
static const struct {
  gboolean event;
  guint line;
  const char *text;
  const char *says;
} mutations[] = {
  { FALSE, 10, NULL, "REJ from B: captured 1, simulated 0" },
  { FALSE, 9, NULL, "MRA from B: captured 2, simulated 1" },
  { FALSE, 10, "80000.000,B>A,REJ,1,01,00000cc0,000000aa,fwd,msg_rejected=0 reason=3",
    "captured B>A REJ(28) #1 id 0, simulated B>A REJ(3) #1 id 0" },
  { FALSE, 10, "80000.000,B>A,REJ,1,01,00000cc0,000000bb,fwd,msg_rejected=0 reason=28",
    "connect 1, message 4: captured nothing" },
  { FALSE, 10, "80000.000,B>A,REJ,1,01,00000dd0,000000aa,fwd,msg_rejected=0 reason=28",
    "simulated B>A REJ(28) #1 id 1" },
  { FALSE, 6, "6306.000,B>A,MRA,1,01,00000cc0,000000aa,fwd,msg_mraed=0 service_to=23",
    "simulated B>A MRA(23) #1" },
  { FALSE, 6, "6306.000,B>A,MRA,1,01,00000cc0,000000aa,drop,msg_mraed=0 service_to=24",
    "6.144 s" },
  { FALSE, 7, "12742.000,A>B,REQ,3,02,000000bb,00000000,drop,qpn=0x1001" ASKS,
    "timer A REQ #2 of connect 1: captured 6.401000 s, simulated 6.441000 s" },
  { FALSE, 7, "12400.000,A>B,REQ,3,02,000000bb,00000000,drop,qpn=0x1001" ASKS,
    "simulated timer A REQ #2 of connect 1: 6.099 s is outside (6.144 s, 6.400 s]" },
  { TRUE, 6, "80005.000,A,cli,0,REJECTED,8,80005000,",
    "captured REJECTED(28), simulated REJECTED(8)" },
  { TRUE, 6, NULL, "captured REJECTED(28), simulated GAVE_UP(0)" },
  { TRUE, 5, NULL, "event at B 1: captured CONNECT_REQUEST(0), simulated nothing" },
};

START_TEST (test_sees_mutation)
{
  g_autofree char *mads = mutations[_i].event
                              ? g_strdup (mads_csv)
                              : with_line (mads_csv, mutations[_i].line, mutations[_i].text);
  g_autofree char *events = mutations[_i].event
                                ? with_line (events_csv, mutations[_i].line, mutations[_i].text)
                                : g_strdup (events_csv);
  g_autoptr (KernelLog) a = parse (mads_csv, events_csv);
  g_autoptr (KernelLog) b = parse (mads, events);
  g_autoptr (KernelReport) report = kernel_compare (a, b, &kernel_times_6_1, SIM_MS (30));

  ck_assert_msg (strstr (report->differences->str, mutations[_i].says) != NULL,
                 "not said: %s in:\n%s", mutations[_i].says, report->differences->str);
}
END_TEST

START_TEST (test_tolerates_guest)
{
  g_autofree char *mads
      = with_line (mads_csv, 7, "12727.000,A>B,REQ,3,02,000000bb,00000000,drop,qpn=0x1001" ASKS);
  g_autoptr (KernelLog) a = parse (mads_csv, events_csv);
  g_autoptr (KernelLog) b = parse (mads, events_csv);
  g_autoptr (KernelReport) report = kernel_compare (a, b, &kernel_times_6_1, SIM_MS (30));

  ck_assert_str_eq (report->differences->str, "");
  ck_assert_int_eq (report->worst, SIM_MS (25));
  ck_assert_str_eq (report->worst_name, "A REQ #2 of connect 1");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("kernel comparison");
  TCase *tcase = tcase_create ("all");
  SRunner *runner = srunner_create (suite);

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_reads_capture);
  tcase_add_test (tcase, test_knows_programs);
  tcase_add_test (tcase, test_takes_the_guests_time);
  tcase_add_test (tcase, test_knows_a_handmade_client);
  tcase_add_loop_test (tcase, test_refuses_bad_line, 0, G_N_ELEMENTS (bad_lines));
  tcase_add_test (tcase, test_refuses_bad_event);
  tcase_add_test (tcase, test_wheel_steps);
  tcase_add_test (tcase, test_finds_timers);
  tcase_add_test (tcase, test_finds_phase);
  tcase_add_test (tcase, test_same_is_same);
  tcase_add_loop_test (tcase, test_sees_mutation, 0, G_N_ELEMENTS (mutations));
  tcase_add_test (tcase, test_tolerates_guest);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
