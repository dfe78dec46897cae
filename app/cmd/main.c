/* cmsim: picks the command. */
#include "cmd.h"

#include "suggest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const Command *const commands[] = {
  &cmd_run,           &cmd_matrix,    &cmd_trace, &cmd_check,   &cmd_explain, &cmd_list,
  &cmd_diff_profiles, &cmd_reference, &cmd_fsm,   &cmd_layouts, &cmd_verdicts, &cmd_bench,
  NULL,
};

static const Command *
find_command (const char *name)
{
  for (guint i = 0; commands[i]; i++)
    if (!strcmp (commands[i]->name, name))
      return commands[i];
  return NULL;
}

static void
print_usage (FILE *file)
{
  fputs ("cmsim simulates how hosts connect over InfiniBand and RDMA CM.\n\n"
         "Usage: cmsim COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n",
         file);
  for (guint i = 0; commands[i]; i++)
    fprintf (file, "  %-13s %s\n", commands[i]->name, commands[i]->help);
  fputs (
      "\n`cmsim COMMAND --help` prints the options of a command; `cmsim --version` the version.\n",
      file);
}

static CmdExit
unknown_command (const char *name)
{
  const char *names[G_N_ELEMENTS (commands)] = { NULL };
  char *quoted = suggest_quote (name), *clause;

  for (guint i = 0; commands[i]; i++)
    names[i] = commands[i]->name;
  clause = suggest_clause (name, names);
  fprintf (stderr, "cmsim: there is no command %s%s\n", quoted, clause);
  g_free (quoted);
  g_free (clause);
  return CMD_BAD_INPUT;
}

static CmdExit
help (char **arguments)
{
  char *help_option[] = { g_strdup ("--help"), NULL };
  const Command *command = *arguments ? find_command (*arguments) : NULL;
  CmdExit code = CMD_OK;

  if (command)
    code = command->run (help_option);
  else if (*arguments)
    code = unknown_command (*arguments);
  else
    print_usage (stdout);
  g_free (help_option[0]);
  return code;
}

static CmdExit
run (char **arguments)
{
  const Command *command;

  if (!*arguments) {
    print_usage (stderr);
    return CMD_BAD_INPUT;
  }
  if (!strcmp (*arguments, "--version")) {
    puts ("cmsim " CMSIM_VERSION);
    return CMD_OK;
  }
  if (!strcmp (*arguments, "help") || !strcmp (*arguments, "--help") || !strcmp (*arguments, "-h"))
    return help (arguments + 1);
  command = find_command (*arguments);
  return command ? command->run (arguments + 1) : unknown_command (*arguments);
}

int
main (int argc, char **argv)
{
  CmdExit code = run (argv + (argc > 0));

  /* What was printed must have arrived: a full disk is no success, but no worse than what else
   * there was. */
  if (fflush (stdout))
    fprintf (stderr, "cmsim: cannot write the output: %s\n", g_strerror (errno));
  else if (ferror (stdout)) /* an earlier write failed; its errno is gone */
    fprintf (stderr, "cmsim: not all of the output could be written\n");
  else
    return (int) code;
  return code == CMD_OK ? CMD_LIMIT : (int) code;
}
