/* cmsim explain: what happened in a capture; what timeouts mean. */
#include "cmd.h"

#include "explain_report.h"
#include "explain_timeouts.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  gboolean json, csv;
  char *ladders, *profile;
  gint64 conversation, live;
  gint64 response, lifetime, retries, hz, mra, mra_after;
} Options;

static const CmProfile *
find_profile (const char *name)
{
  const CmProfile *profile = cm_profile_find (name);

  if (!profile) {
    GPtrArray *names = g_ptr_array_new ();
    char *quoted = suggest_quote (name), *clause;

    for (guint i = 0; cm_profiles[i]; i++)
      g_ptr_array_add (names, (gpointer) cm_profiles[i]->name);
    g_ptr_array_add (names, NULL);
    clause = suggest_clause (name, (const char *const *) names->pdata);
    cmd_error (&cmd_explain, "there is no profile %s%s", quoted, clause);
    g_free (clause);
    g_free (quoted);
    g_ptr_array_unref (names);
  }
  return profile;
}

/* A number option within a range; the default stands for "not given". */
static gboolean
check (const char *name, gint64 value, gint64 least, gint64 most, gint64 unset)
{
  if (value == unset || (value >= least && value <= most))
    return TRUE;
  cmd_error (&cmd_explain, "--%s takes a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
             name, least, most);
  return FALSE;
}

/* ----- a capture ----- */

static gboolean
parse_ladders (const char *text, gint64 *ret_ladders)
{
  guint64 n;

  *ret_ladders = 10;
  if (!text)
    return TRUE;
  *ret_ladders = -1;
  if (strcmp (text, "all") == 0)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, 1000000, &n, NULL)) {
    cmd_error (&cmd_explain, "--ladders takes a number from 0 to 1000000, or all");
    return FALSE;
  }
  *ret_ladders = (gint64) n;
  return TRUE;
}

static CmdExit
explain_file (const char *path, const Options *options, const CmProfile *profile)
{
  static const ExplainOps ops = { .conversation = explain_report_conversation };
  const ExplainOptions run = { .profile = profile, .live_max = (guint) options->live };
  ExplainReportOptions print = { .out = stdout, .profile = profile,
                                 .only = MAX (options->conversation, -1) };
  CmObserverCounters observed;
  GError *error = NULL;
  ExplainCounts counts;
  ExplainReport *report;
  CaptureReader *reader;

  print.format = options->json ? EXPLAIN_JSON : options->csv ? EXPLAIN_CSV : EXPLAIN_TEXT;
  if (!parse_ladders (options->ladders, &print.ladders))
    return CMD_BAD_INPUT;
  reader = capture_reader_open (path, &error);
  if (!reader) {
    cmd_error (&cmd_explain, "%s", error->message);
    g_error_free (error);
    return CMD_BAD_INPUT;
  }
  report = explain_report_new (&print);
  explain_capture (reader, &run, &ops, report, &counts, &observed);
  explain_report_finish (report, path, counts.broken ? capture_reader_why (reader) : NULL, &counts,
                         &observed);
  if (counts.broken)
    cmd_error (&cmd_explain, "the capture is broken after %" G_GUINT64_FORMAT " packets: %s",
               counts.packets, capture_reader_why (reader));
  capture_reader_free (reader);
  if (print.only >= 0 && (guint64) print.only >= observed.conversations) {
    cmd_error (&cmd_explain,
               "--conversation %" G_GINT64_FORMAT ": there %s %" G_GUINT64_FORMAT
               " conversation%s, counted from 0",
               print.only, observed.conversations == 1 ? "is" : "are", observed.conversations,
               observed.conversations == 1 ? "" : "s");
    return CMD_BAD_INPUT;
  }
  return counts.broken ? CMD_BAD_INPUT : CMD_OK;
}

/* ----- timeouts ----- */

static guint
given (gint64 value)
{
  return value == CMD_UNSET ? EXPLAIN_AS_PROFILE : (guint) value;
}

static CmdExit
explain_timeouts (const Options *options, const CmProfile *profile)
{
  const ExplainTimeouts timeouts = {
    .response_timeout = given (options->response),
    .packet_lifetime = given (options->lifetime),
    .max_retries = given (options->retries),
    .hz = given (options->hz),
    .mra_timeout = given (options->mra),
    .mra_after = (guint) options->mra_after,
    .profile = profile,
    .csv = options->csv,
  };

  if (options->json) {
    cmd_error (&cmd_explain, "timeouts come as text or as --csv");
    return CMD_BAD_INPUT;
  }
  explain_timeouts_print (stdout, &timeouts);
  return CMD_OK;
}

/* ----- the command ----- */

static gboolean
check_all (const Options *options)
{
  if (options->json && options->csv) {
    cmd_error (&cmd_explain, "--json and --csv exclude each other; write one of them");
    return FALSE;
  }
  if (options->conversation != CMD_UNSET && (options->json || options->csv)) {
    cmd_error (&cmd_explain, "--conversation shows a ladder, which neither --json nor --csv has");
    return FALSE;
  }
  return check ("conversation", options->conversation, 0, G_MAXINT64, CMD_UNSET) &&
         check ("live", options->live, 1, 100000000, CM_OBSERVER_LIVE_MAX) &&
         check ("response", options->response, 0, 31, CMD_UNSET) &&
         check ("lifetime", options->lifetime, 0, 31, CMD_UNSET) &&
         check ("retries", options->retries, 0, 15, CMD_UNSET) &&
         check ("hz", options->hz, 10, 10000, CMD_UNSET) &&
         check ("mra", options->mra, 0, 31, CMD_UNSET) &&
         check ("mra-after", options->mra_after, 1, 16, 2);
}

static CmdExit
run_explain (char **arguments)
{
  Options options = { .conversation = CMD_UNSET, .live = CM_OBSERVER_LIVE_MAX,
                      .response = CMD_UNSET, .lifetime = CMD_UNSET, .retries = CMD_UNSET,
                      .hz = CMD_UNSET, .mra = CMD_UNSET, .mra_after = 2 };
  const GOptionEntry entries[] = {
    { .long_name = "json", .arg = G_OPTION_ARG_NONE, .arg_data = &options.json,
      .description = "one JSON object instead of text" },
    { .long_name = "csv", .arg = G_OPTION_ARG_NONE, .arg_data = &options.csv,
      .description = "a line for each conversation, or each send of timeouts" },
    { .long_name = "ladders", .arg = G_OPTION_ARG_FILENAME, .arg_data = &options.ladders,
      .arg_description = "N", .description = "ladders of so many conversations, or all; 10" },
    { .long_name = "conversation", .arg = G_OPTION_ARG_INT64, .arg_data = &options.conversation,
      .arg_description = "N", .description = "only the ladder of this one, counted from 0" },
    { .long_name = "profile", .arg = G_OPTION_ARG_FILENAME, .arg_data = &options.profile,
      .arg_description = "NAME",
      .description = "whose state machine and timers to compare with; linux-6.1" },
    { .long_name = "live", .arg = G_OPTION_ARG_INT64, .arg_data = &options.live,
      .arg_description = "N", .description = "follow at most so many conversations at once" },
    { .long_name = "response", .arg = G_OPTION_ARG_INT64, .arg_data = &options.response,
      .arg_description = "CODE", .description = "timeouts: CM response timeout in the REQ" },
    { .long_name = "lifetime", .arg = G_OPTION_ARG_INT64, .arg_data = &options.lifetime,
      .arg_description = "CODE", .description = "timeouts: packet lifetime of the path" },
    { .long_name = "retries", .arg = G_OPTION_ARG_INT64, .arg_data = &options.retries,
      .arg_description = "N", .description = "timeouts: max CM retries" },
    { .long_name = "hz", .arg = G_OPTION_ARG_INT64, .arg_data = &options.hz,
      .arg_description = "N", .description = "timeouts: timer frequency of the kernel" },
    { .long_name = "mra", .arg = G_OPTION_ARG_INT64, .arg_data = &options.mra,
      .arg_description = "CODE", .description = "timeouts: service timeout in the MRA" },
    { .long_name = "mra-after", .arg = G_OPTION_ARG_INT64, .arg_data = &options.mra_after,
      .arg_description = "N", .description = "timeouts: the send that the MRA answers; 2" },
    G_OPTION_ENTRY_NULL,
  };
  const CmProfile *profile = NULL;
  CmdExit code = CMD_BAD_INPUT;
  CmdParse parse;
  char **rest;

  parse = cmd_parse (&cmd_explain, arguments, entries, 1, 1, &rest);
  if (parse != CMD_PARSE_GO) {
    code = cmd_parse_exit (parse);
  } else {
    if (check_all (&options) &&
        (!options.profile || (profile = find_profile (options.profile)) != NULL)) {
      if (strcmp (rest[0], "timeouts") == 0)
        code = explain_timeouts (&options, profile);
      else
        code = explain_file (rest[0], &options,
                             profile ? profile : cm_profile_find ("linux-6.1"));
    }
    g_strfreev (rest);
  }
  g_free (options.ladders);
  g_free (options.profile);
  return code;
}

const Command cmd_explain = {
  .name = "explain",
  .arguments = "CAPTURE|timeouts",
  .help = "Tells what happened in a packet capture, or when REQs are sent and given up.",
  .run = run_explain,
};
