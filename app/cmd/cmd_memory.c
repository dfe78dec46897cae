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

gboolean
cmd_memory_check (const Command *command, const Scenario *scenario, guint jobs, guint64 limit)
{
  MemoryNeed need = memory_need (scenario, jobs);
  g_autofree char *needs = NULL, *allowed = NULL, *advice = NULL;
  guint fewer;

  if (need.bytes <= limit)
    return TRUE;
  fewer = jobs_that_fit (scenario, need.at_once - 1, limit);
  needs = memory_format (need.bytes);
  allowed = memory_format (limit);
  advice = fewer > 0
               ? g_strdup_printf ("--jobs %u fits", fewer)
               : g_strdup ("use fewer hosts, processes and connects, or raise --memory-limit");
  cmd_error (command,
             "%s needs about %s of memory (%" G_GUINT64_FORMAT " hosts, %" G_GUINT64_FORMAT
             " listeners, %" G_GUINT64_FORMAT " connects, %u replication%s at once), the limit is "
             "%s: nothing was run; %s",
             scenario->path, needs, need.hosts, need.listeners, need.connects,
             need.at_once,
             need.at_once == 1 ? "" : "s", allowed, advice);
  return FALSE;
}
