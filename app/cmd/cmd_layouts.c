/* cmsim layouts: what is where in a message. */
#include "cmd.h"

#include "layouts.h"

#include <stdio.h>

static CmdExit
run_layouts (char **arguments)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  CmdParse parse;
  char **rest, *page;

  parse = cmd_parse (&cmd_layouts, arguments, entries, 0, 0, &rest);
  if (parse != CMD_PARSE_GO)
    return cmd_parse_exit (parse);
  g_strfreev (rest);
  page = layouts_markdown ();
  fputs (page, stdout);
  g_free (page);
  return CMD_OK;
}

const Command cmd_layouts = {
  .name = "layouts",
  .arguments = "",
  .help = "Prints the byte layouts of the messages and headers as Markdown.",
  .run = run_layouts,
};
