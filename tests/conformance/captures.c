/* Reading the captures' folder. */
#include "captures.h"

#include <stdlib.h>
#include <string.h>

char *
captures_folder (void)
{
  const char *shared = g_getenv ("CMSIM_SHARED");

  return shared ? g_build_filename (shared, "captures", NULL)
                : g_build_filename (SOURCE_ROOT, "..", "shared", "captures", NULL);
}

static gint
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
captures_names (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".pcap"))
      g_ptr_array_add (names, g_strndup (name, strlen (name) - strlen (".pcap")));
  if (dir)
    g_dir_close (dir);
  g_ptr_array_sort (names, by_text);
  return names;
}

/* Lines of NAME.WHAT.csv without the head; NULL. */
static char **
read_lines (const char *folder, const char *name, const char *what)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.%s.csv", folder, name, what);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strsplit (text, "\n", -1) : NULL;
}

static guint
attr_of (const char *name)
{
  guint attr = IB_CM_ATTR_FIRST;

  while (attr < IB_CM_ATTR_FIRST + IB_CM_ATTR_COUNT && strcmp (ib_cm_attr_name (attr), name) != 0)
    attr++;
  g_assert (attr < IB_CM_ATTR_FIRST + IB_CM_ATTR_COUNT);
  return attr;
}

GArray *
captures_mads (const char *folder, const char *name)
{
  g_auto (GStrv) lines = read_lines (folder, name, "mads");
  GArray *mads;

  if (!lines)
    return NULL;
  mads = g_array_new (FALSE, TRUE, sizeof (CapturedMad));
  for (guint i = 1; lines[i] && *lines[i]; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], ",", 5);
    CapturedMad mad = { .attr = (guint16) attr_of (cells[2]),
                        .nth = (guint) g_ascii_strtoull (cells[3], NULL, 10),
                        .a_to_b = strcmp (cells[1], "A>B") == 0 };

    g_array_append_val (mads, mad);
  }
  return mads;
}

static gboolean
is_end (const char *event)
{
  static const char *const ends[] = { "CONNECT_RESPONSE", "ESTABLISHED", "REJECTED",
                                      "UNREACHABLE", "CANCEL", NULL };

  return g_strv_contains (ends, event);
}

GArray *
captures_ends (const char *folder, const char *name)
{
  g_auto (GStrv) lines = read_lines (folder, name, "events");
  g_autoptr (GHashTable) qpns = g_hash_table_new (g_direct_hash, g_direct_equal);
  GArray *ends;

  if (!lines)
    return NULL;
  ends = g_array_new (FALSE, TRUE, sizeof (CapturedEnd));
  for (guint i = 1; lines[i] && *lines[i]; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], ",", 8);
    gint conn = (gint) g_ascii_strtoll (cells[3], NULL, 10);
    CapturedEnd end = { .status = (gint) g_ascii_strtoll (cells[5], NULL, 10) };

    if (strcmp (cells[2], "cli") != 0 || conn < 0)
      continue;
    if (strcmp (cells[4], "CONNECT") == 0 && g_str_has_prefix (cells[7], "qpn="))
      g_hash_table_insert (qpns, GINT_TO_POINTER (conn),
                           GUINT_TO_POINTER (strtoul (cells[7] + strlen ("qpn="), NULL, 0)));
    if (!is_end (cells[4]))
      continue;
    end.qpn = GPOINTER_TO_UINT (g_hash_table_lookup (qpns, GINT_TO_POINTER (conn)));
    g_strlcpy (end.event, cells[4], sizeof end.event);
    g_array_append_val (ends, end);
  }
  return ends;
}
