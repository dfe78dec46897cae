/* The memory that a run is said to need against the peak of a process that runs it. */
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory_need.h"
#include "runner.h"
#include "test_scenario.h"

#if defined __SANITIZE_ADDRESS__
#define MEASURABLE 0 /* every object has its surroundings */
#else
#define MEASURABLE 1
#endif

#define N "40000"

typedef struct {
  const char *name;
  const char *text;
  guint jobs;
} Case;

static const Case cases[] = {
  { "a host each, few in flight",
    HEAD "hosts: {server: 1, client: " N "}\n"
         "listeners:\n  - {on: server, service: 1, backlog: {limit: 1000},\n"
         "     accept: {workers: 4, qp: false}}\n"
         "connects:\n  - {from: client, to: \"server:1\", arrivals: {poisson: 16k/s}}\n",
    1 },
  { "a host each, all at once",
    HEAD "sa: {wait_limit: never}\n"
         "hosts: {server: 1, client: " N "}\n"
         "listeners:\n  - {on: server, service: 1, backlog: {limit: 1000},\n"
         "     accept: {workers: 4, qp: false}}\n"
         "connects:\n  - {from: client, to: \"server:1\"}\n",
    1 },
  { "all told to come again",
    HEAD "fabric: {transport: roce}\n"
         "hosts: {server: 1, client: " N "}\n"
         "listeners:\n  - {on: server, service: 1, backlog: {limit: 10},\n"
         "     accept: {workers: 1, service: 10ms, qp: false}}\n"
         "connects:\n  - {from: client, to: \"server:1\", max_retries: 2}\n",
    1 },
  { "few hosts",
    HEAD "hosts: {server: 1, client: 100}\n"
         "listeners:\n  - {on: server, service: 1, backlog: {limit: 1000},\n"
         "     accept: {workers: 4, qp: false}}\n"
         "connects:\n  - {from: client, to: \"server:1\", number: 100000,\n"
         "     arrivals: {poisson: 16k/s}}\n",
    1 },
  { "sockets",
    HEAD "fabric: {transport: tcp}\n"
         "hosts: {server: 1, client: " N "}\n"
         "listeners:\n  - {on: server, service: 1, backlog: {limit: 1000},\n"
         "     accept: {workers: 4, qp: false}}\n"
         "connects:\n  - {from: client, to: \"server:1\", arrivals: {poisson: 16k/s}}\n",
    1 },
  { "processes that listen",
    HEAD "hosts: {server: 2, client: 2}\n"
         "listeners:\n  - {on: server, service: 7471, processes: 50000}\n"
         "connects:\n  - {from: client, to: \"server:7471\"}\n",
    1 },
  { "processes that listen to sockets",
    HEAD "fabric: {transport: tcp}\n"
         "hosts: {server: 2, client: 2}\n"
         "listeners:\n  - {on: server, service: 7471, processes: 50000}\n"
         "connects:\n  - {from: client, to: \"server:7471\"}\n",
    1 },
  { "members that share a port",
    HEAD "hosts: {a: 2}\nmulticast:\n  - {from: a, group: 239.1.2.3, per_host: 100000}\n", 1 },
  { "members of IPoIB",
    HEAD "hosts: {a: 2}\n"
         "multicast:\n  - {from: a, group: 239.1.2.3, by: ipoib, per_host: 100000}\n",
    1 },
  { "members with a group each",
    HEAD "sa: {groups: 16382}\nhosts: {a: 2}\n"
         "multicast:\n  - {from: a, group: 0.0.0.0, per_host: 8000}\n",
    1 },
  { "members with a port each",
    HEAD "hosts: {a: " N "}\nmulticast:\n  - {from: a, group: 239.1.2.3}\n", 1 },
  { "members over RoCE",
    HEAD "fabric: {transport: roce}\nhosts: {a: 2}\n"
         "multicast:\n  - {from: a, group: 239.1.2.3, per_host: 100000}\n",
    1 },
  { "two at a time of three",
    HEAD "replications: 3\n"
         "hosts: {server: 1, client: " N "}\n"
         "listeners:\n  - {on: server, service: 1, backlog: {limit: 1000},\n"
         "     accept: {workers: 4, qp: false}}\n"
         "connects:\n  - {from: client, to: \"server:1\", arrivals: {poisson: 16k/s}}\n",
    2 },
};

/* Peak of a process that does nothing but run the scenario. */
static guint64
measure (const Scenario *scenario, guint jobs)
{
  struct rusage usage;
  int status;
  pid_t child = fork ();

  ck_assert (child >= 0);
  if (child == 0) {
    RunnerOptions options = { .jobs = jobs };
    RunnerResults *results = runner_run (scenario, &options);

    _exit (results->end == RUNNER_COMPLETE ? 0 : 1);
  }
  ck_assert (wait4 (child, &status, 0, &usage) == child);
  ck_assert (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  return (guint64) usage.ru_maxrss * 1024;
}

/* Never less than it is, never more than twice of it. */
START_TEST (within_two)
{
  const Case *c = &cases[_i];
  g_autoptr (Scenario) scenario = load (c->text);
  MemoryNeed need = memory_need (scenario, c->jobs);
  guint64 measured = measure (scenario, c->jobs);
  double ratio = (double) need.bytes / (double) measured;

  ck_assert_uint_eq (need.at_once, c->jobs);
  if (MEASURABLE)
    ck_assert_msg (ratio >= 1 && ratio <= 2, "%s: %.1f MB predicted, %.1f MB measured, %.2f",
                   c->name, (double) need.bytes * 1e-6, (double) measured * 1e-6, ratio);
}
END_TEST

/* What it is made of: hosts with the subnet manager's, connects, replications at a time. */
START_TEST (parts)
{
  g_autoptr (Scenario) scenario = load (HEAD "replications: 5\n" HOSTS LISTENERS CONNECTS);
  guint64 one = memory_need (scenario, 1).bytes, two = memory_need (scenario, 2).bytes;
  MemoryNeed need = memory_need (scenario, 64);

  ck_assert_uint_eq (need.hosts, 6);
  ck_assert_uint_eq (need.connects, 4);
  ck_assert_uint_eq (need.at_once, 5);
  ck_assert_uint_eq (need.bytes - one, 4 * (two - one));
}
END_TEST

/* A million hosts of sixty thousand processes each: more than any machine has. */
START_TEST (processes)
{
  g_autoptr (Scenario) scenario =
      load (HEAD "hosts: {server: 1000000, client: 2}\n"
                 "listeners:\n  - {on: server, service: 1, processes: 60000}\n"
                 "connects:\n  - {from: client, to: \"server:1\", processes: 300}\n");
  MemoryNeed need = memory_need (scenario, 1);

  ck_assert_uint_eq (need.listeners, (guint64) 1000000 * 60000);
  ck_assert_uint_eq (need.connects, 2 * 300);
  ck_assert_uint_gt (need.bytes, need.listeners * sizeof (gpointer));
}
END_TEST

START_TEST (words)
{
  g_autofree char *byte = memory_format (1), *kib = memory_format (64 * 1024);
  g_autofree char *small = memory_format (1 << 20), *large = memory_format ((guint64) 3 << 29);

  ck_assert_str_eq (byte, "1 B");
  ck_assert_str_eq (kib, "64 KiB");
  ck_assert_str_eq (small, "1 MiB");
  ck_assert_str_eq (large, "1.5 GiB");
  ck_assert_uint_gt (memory_limit_default (), (guint64) 1 << 28);
  ck_assert_uint_le (memory_limit_default (), memory_physical ());
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("memory_need");
  TCase *tcase = tcase_create ("need");

  mallopt (M_PERTURB, 0); /* Meson has memory filled, which makes all of it count */
  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, within_two, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tcase, parts);
  tcase_add_test (tcase, processes);
  tcase_add_test (tcase, words);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
