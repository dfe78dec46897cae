/* cmsim bench: how fast the event engine is on this machine. */
#include "cmd.h"

#include "bench_table.h"
#include "suggest.h"

static CmdExit
run_bench (char **arguments)
{
  BenchOptions options = { .scale = 1 };
  gint rounds = 3;
  const GOptionEntry entries[] = {
    { .long_name = "rounds", .arg = G_OPTION_ARG_INT, .arg_data = &rounds,
      .description = "print medians of N rounds, 1 to 100; 3 by default", .arg_description = "N" },
    { .long_name = "scale", .arg = G_OPTION_ARG_DOUBLE, .arg_data = &options.scale,
      .description = "this share of the operations; 1 by default", .arg_description = "X" },
    { .long_name = "only", .arg = G_OPTION_ARG_STRING, .arg_data = (gpointer) &options.only,
      .description = "only workloads whose name/N has TEXT in it", .arg_description = "TEXT" },
    { .long_name = "large", .arg = G_OPTION_ARG_NONE, .arg_data = &options.large,
      .description = "ten million pending events too (1 GB of memory)" },
    G_OPTION_ENTRY_NULL,
  };
  CmdExit code = CMD_BAD_INPUT;
  CmdParse parse;
  char **rest;

  parse = cmd_parse (&cmd_bench, arguments, entries, 0, 0, &rest);
  if (parse != CMD_PARSE_GO)
    return cmd_parse_exit (parse);
  if (rounds < 1 || rounds > 100)
    cmd_error (&cmd_bench, "--rounds is %d; allowed are 1 to 100", rounds);
  else if (!(options.scale > 0 && options.scale <= 1000))
    cmd_error (&cmd_bench, "--scale is %g; allowed is more than 0, up to 1000", options.scale);
  else if (!bench_table_has (&options)) {
    g_autofree char *quoted = suggest_quote (options.only), *names = bench_table_names ();

    cmd_error (&cmd_bench, "--only: no workload has %s in its name; there are %s", quoted, names);
  } else {
    options.rounds = (guint) rounds;
    code = bench_table_print (stdout, &options) ? CMD_OK : CMD_BROKEN;
  }
  g_free ((gpointer) options.only);
  g_strfreev (rest);
  return code;
}

const Command cmd_bench = {
  .name = "bench",
  .arguments = "",
  .help = "Measures the event engine on this machine.",
  .run = run_bench,
};
