/* cmsim fsm: a state machine of the CM, from its own table. */
#include "cmd.h"

#include "cm_fsm.h"
#include "cm_fsm_print.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

/* name: NULL for the first. */
static const CmMachine *
find_machine (const char *name)
{
  GPtrArray *names;
  char *quoted, *clause;

  for (guint i = 0; cm_machines[i]; i++)
    if (!name || !strcmp (cm_machines[i]->name, name))
      return cm_machines[i];
  names = g_ptr_array_new ();
  for (guint i = 0; cm_machines[i]; i++)
    g_ptr_array_add (names, (gpointer) cm_machines[i]->name);
  g_ptr_array_add (names, NULL);
  quoted = suggest_quote (name);
  clause = suggest_clause (name, (const char *const *) names->pdata);
  cmd_error (&cmd_fsm, "there is no machine %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return NULL;
}

static void
print_machine (const CmMachine *machine, gboolean dot, gboolean csv)
{
  GString *out = g_string_new (NULL);

  if (dot)
    cm_fsm_print_dot (machine, out);
  else if (csv)
    cm_fsm_print_csv (machine, out);
  else
    cm_fsm_print_markdown (machine, out);
  fputs (out->str, stdout);
  g_string_free (out, TRUE);
}

static CmdExit
run_fsm (char **arguments)
{
  gboolean markdown = FALSE, dot = FALSE, csv = FALSE;
  char *name = NULL;
  const GOptionEntry entries[] = {
    { .long_name = "markdown", .arg = G_OPTION_ARG_NONE, .arg_data = &markdown,
      .description = "a Markdown table; the default" },
    { .long_name = "dot", .arg = G_OPTION_ARG_NONE, .arg_data = &dot,
      .description = "a graph for dot(1)" },
    { .long_name = "csv", .arg = G_OPTION_ARG_NONE, .arg_data = &csv,
      .description = "comma-separated values" },
    { .long_name = "machine", .arg = G_OPTION_ARG_STRING, .arg_data = &name,
      .arg_description = "NAME",
      .description = "cm (connections; the default), sidr (service IDs), lap (alternate paths)" },
    G_OPTION_ENTRY_NULL,
  };
  const CmMachine *machine;
  CmdExit code = CMD_OK;
  CmdParse parse;
  char **rest;

  parse = cmd_parse (&cmd_fsm, arguments, entries, 0, 0, &rest);
  if (parse != CMD_PARSE_GO) {
    g_free (name);
    return cmd_parse_exit (parse);
  }
  g_strfreev (rest);
  if (markdown + dot + csv > 1) {
    cmd_error (&cmd_fsm, "--markdown, --dot and --csv exclude each other; write one of them");
    code = CMD_BAD_INPUT;
  } else if (!(machine = find_machine (name))) {
    code = CMD_BAD_INPUT;
  } else {
    print_machine (machine, dot, csv);
  }
  g_free (name);
  return code;
}

const Command cmd_fsm = {
  .name = "fsm",
  .arguments = "",
  .help = "Prints a state machine of the communication manager.",
  .run = run_fsm,
};
