/* cmsim diff-profiles: what differs between two profiles, and how that is known. */
#include "cmd.h"

#include "cm_profile.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

static const CmProfile *
find_profile (const char *name)
{
  const CmProfile *profile = cm_profile_find (name);
  GPtrArray *names;
  char *quoted, *clause;

  if (profile)
    return profile;
  names = g_ptr_array_new ();
  for (guint i = 0; cm_profiles[i]; i++)
    g_ptr_array_add (names, (gpointer) cm_profiles[i]->name);
  g_ptr_array_add (names, NULL);
  quoted = suggest_quote (name);
  clause = suggest_clause (name, (const char *const *) names->pdata);
  cmd_error (&cmd_diff_profiles, "there is no profile %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return NULL;
}

static void
print_side (const CmProfile *profile, const SimParam *field, const char *value)
{
  printf ("  %-20s %-14s %s\n", profile->name, value, cm_profile_source (profile, field));
}

/* Returns the number of fields that differ. */
static guint
print_difference (const CmProfile *a, const CmProfile *b, gboolean all)
{
  guint n = 0;

  for (const SimParam *field = cm_profile_params; field->name; field++) {
    char *of_a = cm_profile_value (a, field), *of_b = cm_profile_value (b, field);
    gboolean differs = strcmp (of_a, of_b) != 0;

    n += differs ? 1 : 0;
    if (differs || all) {
      printf ("%s: %s\n", field->name, field->help);
      print_side (a, field, of_a);
      print_side (b, field, of_b);
    }
    g_free (of_a);
    g_free (of_b);
  }
  return n;
}

static CmdExit
run_diff_profiles (char **arguments)
{
  gboolean all = FALSE;
  const GOptionEntry entries[] = {
    { .long_name = "all", .arg = G_OPTION_ARG_NONE, .arg_data = &all,
      .description = "the values that are equal too" },
    G_OPTION_ENTRY_NULL,
  };
  CmdParse parse;
  char **rest;
  const CmProfile *a, *b;
  CmdExit code = CMD_BAD_INPUT;

  parse = cmd_parse (&cmd_diff_profiles, arguments, entries, 2, 2, &rest);
  if (parse != CMD_PARSE_GO)
    return cmd_parse_exit (parse);
  a = find_profile (rest[0]);
  b = a ? find_profile (rest[1]) : NULL;
  if (b) {
    if (print_difference (a, b, all) == 0)
      printf ("%s and %s do not differ.\n", a->name, b->name);
    code = CMD_OK;
  }
  g_strfreev (rest);
  return code;
}

const Command cmd_diff_profiles = {
  .name = "diff-profiles",
  .arguments = "A B",
  .help = "Prints what differs between two profiles, with the source of each value.",
  .run = run_diff_profiles,
};
