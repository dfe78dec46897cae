/* What commands that take a SCENARIO share: --set and its kin, loading, --variant. */
#pragma once

#include "cmd.h"
#include "scenario.h"

/* Zero it, give its address to the entries, clear it in the end. */
typedef struct {
  char **set;         /* PATH=VALUE */
  char *replications; /* a setting of its own */
  char *seed;
  char **variants; /* only these, of a matrix patterns (expect_cell.h); NULL: all */
} CmdScenario;

/* Rows of a GOptionEntry array; options: a CmdScenario *. */
#define CMD_SCENARIO_SET(options) \
  { .long_name = "set", .arg = G_OPTION_ARG_FILENAME_ARRAY, .arg_data = &(options)->set, \
    .arg_description = "PATH=VALUE", \
    .description = "set a value in every variant, such as listeners.0.backlog.limit=256" }
#define CMD_SCENARIO_REPLICATIONS(options) \
  { .long_name = "replications", .arg = G_OPTION_ARG_FILENAME, \
    .arg_data = &(options)->replications, .arg_description = "N", \
    .description = "so many replications instead of the scenario's" }
#define CMD_SCENARIO_SEED(options) \
  { .long_name = "seed", .arg = G_OPTION_ARG_FILENAME, .arg_data = &(options)->seed, \
    .arg_description = "N", .description = "this seed instead of the scenario's" }
#define CMD_SCENARIO_VARIANT(options, text) \
  { .long_name = "variant", .arg = G_OPTION_ARG_FILENAME_ARRAY, .arg_data = &(options)->variants, \
    .arg_description = "NAME", .description = text }

/* Loads the scenario with the options' settings and keeps the variants they name, in the
 * order of the file.  NULL, after one line of error, if that fails. */
Scenario *cmd_scenario_load (const Command *command, const char *path, const CmdScenario *options);
/* Tells on standard error what was written in vain. */
void cmd_scenario_notes (const Scenario *scenario);
/* The cell of that name, or NULL after one line of error. */
const ScenarioVariant *cmd_scenario_cell (const Command *command, const Scenario *scenario,
                                          const char *name);
void cmd_scenario_clear (CmdScenario *options);
