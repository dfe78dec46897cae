/* The limit on a run's memory: reading it, and the refusal. */
#include "cmd_memory.h"

#include "memory_need.h"
#include "units.h"

gboolean
cmd_memory_read (const Command *command, const char *text, guint64 *ret_limit)
{
  g_autofree char *wrong = NULL;

  *ret_limit = G_MAXUINT64;
  if (!text) {
    *ret_limit = memory_limit_default ();
    return TRUE;
  }
  if (g_str_equal (text, "none"))
    return TRUE;
  wrong = units_parse_size (text, ret_limit);
  if (!wrong)
    return TRUE;
  cmd_error (command, "--memory-limit: %s; or none", wrong);
  return FALSE;
}

/* The most jobs that fit; 0: not even one. */
static guint
jobs_that_fit (const Scenario *scenario, guint jobs, guint64 limit)
{
  while (jobs > 0 && memory_need (scenario, jobs).bytes > limit)
    jobs--;
  return jobs;
}

guint
cmd_memory_jobs (const Scenario *scenario, guint jobs, guint64 limit)
{
  return MAX (jobs_that_fit (scenario, jobs, limit), 1);
}

/* "3 hosts, 1 listener, 2 connects", and members where there are any.  (transfer full) */
static char *
count_all (const MemoryNeed *need)
{
  const struct {
    guint64 n;
    const char *what;
    gboolean always;
  } counts[] = { { need->hosts, "host", TRUE },
                 { need->listeners, "listener", need->members == 0 },
                 { need->connects, "connect", need->members == 0 },
                 { need->members, "member", FALSE } };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i].n > 0 || counts[i].always)
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s%s", text->len > 0 ? ", " : "",
                              counts[i].n, counts[i].what, counts[i].n == 1 ? "" : "s");
  return g_string_free (text, FALSE);
}

gboolean
cmd_memory_check (const Command *command, const Scenario *scenario, guint jobs, guint64 limit)
{
  MemoryNeed need = memory_need (scenario, jobs);
  g_autofree char *needs = NULL, *allowed = NULL, *advice = NULL, *counts = NULL;
  guint fewer;

  if (need.bytes <= limit)
    return TRUE;
  fewer = jobs_that_fit (scenario, need.at_once - 1, limit);
  needs = memory_format (need.bytes);
  allowed = memory_format (limit);
  counts = count_all (&need);
  advice = fewer > 0 ? g_strdup_printf ("--jobs %u fits", fewer)
                     : g_strdup_printf ("use fewer %s, or raise --memory-limit",
                                        need.members > 0 ? "hosts, processes, members and connects"
                                                         : "hosts, processes and connects");
  cmd_error (command,
             "%s needs about %s of memory (%s, %u replication%s at once), the limit is %s: nothing "
             "was run; %s",
             scenario->path, needs, counts, need.at_once, need.at_once == 1 ? "" : "s", allowed,
             advice);
  return FALSE;
}
