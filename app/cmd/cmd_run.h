/* Running a scenario, for the commands that do. */
#pragma once

#include "cmd.h"

/* matrix: the scenario must have one, and --cell prints one cell of it instead. */
CmdExit cmd_run_as (const Command *command, char **arguments, gboolean matrix);
