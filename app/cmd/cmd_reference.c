/* cmsim reference: the page about the scenario format. */
#include "cmd.h"

#include "reference.h"

#include <stdio.h>

static CmdExit
run_reference (char **arguments)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  CmdParse parse;
  GString *out;
  char **rest;

  parse = cmd_parse (&cmd_reference, arguments, entries, 0, 0, &rest);
  if (parse != CMD_PARSE_GO)
    return cmd_parse_exit (parse);
  g_strfreev (rest);
  out = g_string_new (NULL);
  reference_print (out);
  fputs (out->str, stdout);
  g_string_free (out, TRUE);
  return CMD_OK;
}

const Command cmd_reference = {
  .name = "reference",
  .arguments = "",
  .help = "Prints the reference of the scenario format as Markdown.",
  .run = run_reference,
};
