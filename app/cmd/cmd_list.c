/* cmsim list: what there is to choose from, a line each. */
#include "cmd.h"

#include "backlog.h"
#include "cm_profile.h"
#include "connect.h"
#include "loss.h"
#include "metrics.h"
#include "param_dist.h"
#include "retry.h"
#include "sim_fel.h"
#include "suggest.h"

#include <stdio.h>

static void
print_line (const char *name, const char *help)
{
  printf ("%-20s %s\n", name, help);
}

static void
print_classes (const SimClassInfo *const *classes)
{
  for (; *classes; classes++) {
    const SimClassInfo *info = *classes;
    g_autofree char *both = info->source ? g_strdup_printf ("%s (%s)", info->help, info->source)
                                         : NULL;

    print_line (info->name, both ? both : info->help);
  }
}

static void
print_profiles (void)
{
  for (guint i = 0; cm_profiles[i]; i++)
    print_line (cm_profiles[i]->name, cm_profiles[i]->help);
}

static void
print_policies (void)
{
  print_classes (backlog_classes);
}

static void
print_ulps (void)
{
  print_classes (ulp_classes);
}

static const char *
action_text (UlpAction action)
{
  switch (action) {
  case ULP_FAIL:
    return "";
  case ULP_RETRY:
    return " or again";
  case ULP_REDIRECT:
    return " or elsewhere";
  }
  g_assert_not_reached ();
}

static void
append_reaction (GString *text, const UlpReaction *row)
{
  static const char *const ends[] = {
    [ULP_END_ESTABLISHED] = "established", [ULP_END_REJECTED] = "REJ",
    [ULP_END_UNREACHABLE] = "unreachable", [ULP_END_ADDRESS_ERROR] = "address",
    [ULP_END_ROUTE_ERROR] = "route",       [ULP_END_CONNECT_ERROR] = "connect error",
    [ULP_END_WATCHDOG] = "watchdog",
  };

  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", ends[row->end]);
  if (row->end == ULP_END_REJECTED && row->reason != ULP_ANY_REASON)
    g_string_append_printf (text, " %u", row->reason);
  g_string_append_printf (text, ": %s%s", row->errno_name, action_text (row->action));
}

static void
append_listen (GString *text, const UlpListen *listen)
{
  g_string_append (text, "; when full: ");
  switch (listen->full.answer) {
  case BACKLOG_ADMIT:
    g_string_append (text, "never full");
    break;
  case BACKLOG_DROP:
    g_string_append (text, "silence");
    break;
  case BACKLOG_KEEP:
    g_string_append (text, "silence, and the id is kept");
    break;
  case BACKLOG_DESTROY:
    g_string_append (text, "the id is destroyed");
    break;
  case BACKLOG_REJECT:
    g_string_append_printf (text, "REJ %u", listen->full.reason);
    break;
  case BACKLOG_DEFER:
    g_string_append (text, "MRA");
    break;
  }
  if (listen->limit_percent > 0)
    g_string_append_printf (text, " beyond %u %% of the backlog", listen->limit_percent);
  if (listen->accept_early)
    g_string_append (text, ", accepts early");
}

/* What each protocol makes of each outcome, and how its passive side says no. */
static void
print_reactions (void)
{
  for (guint i = 0; ulp_classes[i]; i++) {
    const UlpClass *ulp = (const UlpClass *) ulp_classes[i];
    GString *text = g_string_new (NULL);

    for (const UlpReaction *row = ulp->reactions; row->errno_name; row++)
      append_reaction (text, row);
    append_listen (text, &ulp->listen);
    print_line (ulp->info.name, text->str);
    g_string_free (text, TRUE);
  }
}

static void
print_losses (void)
{
  print_classes (loss_classes);
}

static void
print_arrivals (void)
{
  print_classes (arrival_classes);
}

static void
print_retries (void)
{
  print_classes (retry_classes);
}

static void
print_metrics (void)
{
  for (guint i = 0; i < METRIC_N; i++)
    print_line (metric_infos[i].name, metric_infos[i].help);
}

static void
print_distributions (void)
{
  print_classes (param_dist_classes);
}

/* Future event lists, for --fel. */
static void
print_events (void)
{
  for (guint i = 0; sim_fel_classes[i]; i++)
    print_line (sim_fel_classes[i]->name, sim_fel_classes[i]->help);
}

typedef struct {
  const char *name;
  void (*print) (void);
} List;

static const List lists[] = {
  { .name = "profiles", .print = print_profiles },
  { .name = "policies", .print = print_policies },
  { .name = "ulps", .print = print_ulps },
  { .name = "reactions", .print = print_reactions },
  { .name = "losses", .print = print_losses },
  { .name = "arrivals", .print = print_arrivals },
  { .name = "retries", .print = print_retries },
  { .name = "metrics", .print = print_metrics },
  { .name = "distributions", .print = print_distributions },
  { .name = "events", .print = print_events },
};

/* name: NULL if there was none. */
static CmdExit
unknown_list (const char *name)
{
  const char *names[G_N_ELEMENTS (lists) + 1] = { NULL };
  char *quoted = suggest_quote (name ? name : ""), *clause;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    names[i] = lists[i].name;
  clause = suggest_clause (name ? name : "", names);
  if (name)
    cmd_error (&cmd_list, "there is no list %s%s", quoted, clause);
  else
    cmd_error (&cmd_list, "WHAT is missing%s", clause);
  g_free (quoted);
  g_free (clause);
  return CMD_BAD_INPUT;
}

static CmdExit
run_list (char **arguments)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  CmdExit code = CMD_OK;
  CmdParse parse;
  char **rest;
  guint i = 0;

  parse = cmd_parse (&cmd_list, arguments, entries, 0, 1, &rest);
  if (parse != CMD_PARSE_GO)
    return cmd_parse_exit (parse);
  while (i < G_N_ELEMENTS (lists) && g_strcmp0 (rest[0], lists[i].name))
    i++;
  if (i < G_N_ELEMENTS (lists))
    lists[i].print ();
  else
    code = unknown_list (rest[0]);
  g_strfreev (rest);
  return code;
}

const Command cmd_list = {
  .name = "list",
  .arguments = "WHAT",
  .help = "Lists profiles, policies, ulps, reactions (of the ulps), losses, arrivals, retries, "
          "metrics, distributions or events (event lists).",
  .run = run_list,
};
