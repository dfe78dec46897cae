/* Options of a command: GOptionContext parses; help and errors are ours, so that they are
 * plain ASCII and one line. */
#include "cmd.h"

#include "suggest.h"

#include <stdio.h>
#include <string.h>

void
cmd_error (const Command *command, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  fprintf (stderr, "cmsim %s: %s\n", command->name, text);
  g_free (text);
}

/* ----- help ----- */

static void
print_option (const GOptionEntry *entry)
{
  GString *left = g_string_new ("  ");

  if (entry->short_name)
    g_string_append_printf (left, "-%c, ", entry->short_name);
  g_string_append_printf (left, "--%s", entry->long_name);
  if (entry->arg_description)
    g_string_append_printf (left, "=%s", entry->arg_description);
  printf ("%-26s %s\n", left->str, entry->description);
  g_string_free (left, TRUE);
}

static void
print_help (const Command *command, const GOptionEntry *entries)
{
  printf ("Usage: cmsim %s%s%s%s\n\n%s\n\nOptions:\n", command->name,
          entries->long_name ? " [OPTION...]" : "", *command->arguments ? " " : "",
          command->arguments, command->help);
  for (; entries->long_name; entries++)
    print_option (entries);
  printf ("%-26s %s\n", "  -h, --help", "print this help");
}

static gboolean
wants_help (char **arguments)
{
  for (; *arguments && strcmp (*arguments, "--"); arguments++)
    if (!strcmp (*arguments, "--help") || !strcmp (*arguments, "-h"))
      return TRUE;
  return FALSE;
}

/* ----- errors ----- */

/* GLib's messages have typographic quotes. */
static char *
plain_quotes (const char *message)
{
  GString *plain = g_string_new (message);

  g_string_replace (plain, "\342\200\234", "\"", 0);
  g_string_replace (plain, "\342\200\235", "\"", 0);
  return g_string_free (plain, FALSE);
}

static void
option_error (const Command *command, const GOptionEntry *entries, const char *message)
{
  GPtrArray *names = g_ptr_array_new ();
  char *plain = plain_quotes (message), *escaped = suggest_escape (plain);
  const char *unknown = strstr (plain, "option --"), *nearest = NULL;

  escaped[0] = g_ascii_tolower (escaped[0]);
  for (; entries->long_name; entries++)
    g_ptr_array_add (names, (gpointer) entries->long_name);
  g_ptr_array_add (names, NULL);
  if (unknown)
    nearest = suggest_nearest (unknown + strlen ("option --"), (const char *const *) names->pdata);
  if (nearest)
    cmd_error (command, "%s; did you mean \"--%s\"?", escaped, nearest);
  else
    cmd_error (command, "%s; `cmsim %s --help` lists the options", escaped, command->name);
  g_ptr_array_unref (names);
  g_free (escaped);
  g_free (plain);
}

static CmdParse
check_count (const Command *command, char **rest, guint least, guint most)
{
  guint n = g_strv_length (rest);
  char *quoted;

  if (n < least) {
    cmd_error (command, "%s is missing; write cmsim %s %s", command->arguments, command->name,
               command->arguments);
    return CMD_PARSE_BAD;
  }
  if (n > most) {
    quoted = suggest_quote (rest[most]);
    if (most == 0)
      cmd_error (command, "%s is too much; the command takes no arguments", quoted);
    else
      cmd_error (command, "%s is too much; the command takes one %s", quoted, command->arguments);
    g_free (quoted);
    return CMD_PARSE_BAD;
  }
  return CMD_PARSE_GO;
}

/* ----- parsing ----- */

/* GLib's parser wants a blank after a short option with a value: -j 4; here -j4 as well. */
static void
add_arguments (GStrvBuilder *builder, char **arguments, const GOptionEntry *entries)
{
  for (; *arguments && strcmp (*arguments, "--"); arguments++) {
    const char *argument = *arguments;
    const GOptionEntry *entry = entries;

    if (argument[0] == '-' && argument[1] && argument[1] != '-' && argument[2])
      while (entry->long_name && entry->short_name != argument[1])
        entry++;
    else
      entry = NULL;
    if (entry && entry->long_name && entry->arg != G_OPTION_ARG_NONE) {
      char *option = g_strdup_printf ("-%c", entry->short_name);

      g_strv_builder_add_many (builder, option, argument + 2, NULL);
      g_free (option);
    } else
      g_strv_builder_add (builder, argument);
  }
  g_strv_builder_addv (builder, (const char **) arguments);
}

CmdParse
cmd_parse (const Command *command, char **arguments, const GOptionEntry *entries, guint least,
           guint most, char ***ret_rest)
{
  GOptionContext *context;
  GStrvBuilder *builder;
  CmdParse parse = CMD_PARSE_BAD;
  GError *error = NULL;
  char **rest;

  if (wants_help (arguments)) {
    print_help (command, entries);
    return CMD_PARSE_HELP;
  }
  /* The context takes the first for the program's name. */
  builder = g_strv_builder_new ();
  g_strv_builder_add (builder, "cmsim");
  add_arguments (builder, arguments, entries);
  rest = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  context = g_option_context_new (NULL);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse_strv (context, &rest, &error)) {
    option_error (command, entries, error->message);
    g_error_free (error);
  } else {
    char **from = rest + 1 + (rest[1] && !strcmp (rest[1], "--"));

    parse = check_count (command, from, least, most);
    if (parse == CMD_PARSE_GO)
      *ret_rest = g_strdupv (from);
  }
  g_option_context_free (context);
  g_strfreev (rest);
  return parse;
}

CmdExit
cmd_parse_exit (CmdParse parse)
{
  g_assert (parse != CMD_PARSE_GO);
  return parse == CMD_PARSE_HELP ? CMD_OK : CMD_BAD_INPUT;
}
