/* cmsim matrix: runs every cell of a matrix, or prints one as a scenario. */
#include "cmd_run.h"

static CmdExit
run_matrix (char **arguments)
{
  return cmd_run_as (&cmd_matrix, arguments, TRUE);
}

const Command cmd_matrix = {
  .name = "matrix",
  .arguments = "SCENARIO",
  .help = "Runs every cell of a scenario's matrix and prints the table; or prints one cell.",
  .run = run_matrix,
};
