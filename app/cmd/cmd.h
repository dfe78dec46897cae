/* The commands of the program: one file and one row each. */
#pragma once

#include <glib.h>

typedef enum {
  CMD_OK = 0,
  CMD_EXPECT_FAILED = 1, /* an expectation of the scenario failed */
  CMD_BAD_INPUT = 2,     /* bad input or usage */
  CMD_BROKEN = 3,        /* a built-in invariant is broken */
  CMD_LIMIT = 4,         /* event limit, memory limit, disk full, interrupted */
} CmdExit;

typedef struct {
  const char *name;
  const char *arguments; /* "SCENARIO...", for the usage line */
  const char *help;      /* one sentence */
  /* arguments: what stands behind the command's name (NULL-terminated, borrowed). */
  CmdExit (*run) (char **arguments);
} Command;

extern const Command cmd_bench, cmd_check, cmd_diff_profiles, cmd_explain, cmd_fsm, cmd_layouts,
    cmd_list, cmd_matrix, cmd_reference, cmd_run, cmd_trace, cmd_verdicts;

typedef enum {
  CMD_PARSE_GO,   /* arguments are there, options are set */
  CMD_PARSE_HELP, /* help was asked for and printed */
  CMD_PARSE_BAD,  /* one line of error was printed */
} CmdParse;

/* Parses the command's options.  entries end with G_OPTION_ENTRY_NULL.  *ret_rest: the
 * arguments that are not options, between least and most of them (transfer full); set
 * only with CMD_PARSE_GO. */
CmdParse cmd_parse (const Command *command, char **arguments, const GOptionEntry *entries,
                    guint least, guint most, char ***ret_rest);
/* What to exit with when parsing did not say GO. */
CmdExit cmd_parse_exit (CmdParse parse);

/* What a number option is when it is not given: no number that anybody writes. */
#define CMD_UNSET G_MININT64

/* "cmsim COMMAND: ..." on stderr. */
void cmd_error (const Command *command, const char *format, ...) G_GNUC_PRINTF (2, 3);
