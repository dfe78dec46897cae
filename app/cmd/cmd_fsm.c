/* cmsim fsm: the state machine of the CM, from its own table. */
#include "cmd.h"

#include "cm_fsm_print.h"

#include <stdio.h>

static CmdExit
run_fsm (char **arguments)
{
  gboolean markdown = FALSE, dot = FALSE, csv = FALSE;
  const GOptionEntry entries[] = {
    { .long_name = "markdown", .arg = G_OPTION_ARG_NONE, .arg_data = &markdown,
      .description = "a Markdown table; the default" },
    { .long_name = "dot", .arg = G_OPTION_ARG_NONE, .arg_data = &dot,
      .description = "a graph for dot(1)" },
    { .long_name = "csv", .arg = G_OPTION_ARG_NONE, .arg_data = &csv,
      .description = "comma-separated values" },
    G_OPTION_ENTRY_NULL,
  };
  CmdParse parse;
  GString *out;
  char **rest;

  parse = cmd_parse (&cmd_fsm, arguments, entries, 0, 0, &rest);
  if (parse != CMD_PARSE_GO)
    return cmd_parse_exit (parse);
  g_strfreev (rest);
  if (markdown + dot + csv > 1) {
    cmd_error (&cmd_fsm, "--markdown, --dot and --csv exclude each other; write one of them");
    return CMD_BAD_INPUT;
  }
  out = g_string_new (NULL);
  if (dot)
    cm_fsm_print_dot (out);
  else if (csv)
    cm_fsm_print_csv (out);
  else
    cm_fsm_print_markdown (out);
  fputs (out->str, stdout);
  g_string_free (out, TRUE);
  return CMD_OK;
}

const Command cmd_fsm = {
  .name = "fsm",
  .arguments = "",
  .help = "Prints the state machine of the communication manager.",
  .run = run_fsm,
};
