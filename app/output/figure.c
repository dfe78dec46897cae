/* What all figures share: the script's head, the variants' colours, axes and
 * labels, and running gnuplot. */
#include "figure.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "plots.h"
#include "text_wrap.h"

#define SUBTITLE_COLUMNS 110

/* Okabe and Ito's colours that stand out on white, for lines and their labels, then
 * some further ones.  A variant has the same one in every figure. */
static const char *const variant_colours[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                               "#E69F00", "#56B4E9", "#000000", "#882255",
                                               "#117733", "#332288", "#999933", "#AA4499",
                                               "#8C510A", "#777777" };

static void
write_quoted (OutputFile *file, const char *text)
{
  output_file_text (file, "\"");
  for (const char *rest = text; *rest; rest++)
    if (*rest == '\n')
      output_file_text (file, "\\n");
    else
      output_file_printf (file, *rest == '"' || *rest == '\\' ? "\\%c" : "%c", *rest);
  output_file_text (file, "\"");
}

void
figure_set_string (OutputFile *file, const char *name, const char *text)
{
  output_file_printf (file, "%s = ", name);
  write_quoted (file, text);
  output_file_text (file, "\n");
}

void
figure_set_numbers (OutputFile *file, const char *name, const double *values, guint n)
{
  output_file_printf (file, "array %s[%u] = [", name, n);
  for (guint i = 0; i < n; i++)
    if (isnan (values[i]))
      output_file_text (file, i ? ", NaN" : "NaN");
    else
      output_file_printf (file, i ? ", %.9g" : "%.9g", values[i]);
  output_file_text (file, "]\n");
}

void
figure_set_strings (OutputFile *file, const char *name, const char *const *texts, guint n)
{
  output_file_printf (file, "array %s[%u] = [", name, n);
  for (guint i = 0; i < n; i++) {
    if (i)
      output_file_text (file, ", ");
    write_quoted (file, texts[i]);
  }
  output_file_text (file, "]\n");
}

void
figure_set_time_axis (OutputFile *file, double x_max)
{
  double scale = x_max >= 1 || x_max <= 0 ? 1 : x_max >= 1e-3 ? 1e3 : 1e6;

  output_file_printf (file, "x_max = %.9g\nx_scale = %g\nx_unit = \"%s\"\n", x_max > 0 ? x_max : 1,
                      scale,
                      scale == 1     ? "s"
                      : scale == 1e3 ? "ms"
                                     : "us");
}

/* Of equal places, the first comes out highest.  Labels that touch form a block; a
 * block sits where its labels' mean place is, as far as 0..1 allows; blocks that touch
 * then join. */
void
figure_spread_labels (double *places, guint n, double gap)
{
  g_autofree guint *order = g_new (guint, n);
  g_autofree guint *length = g_new (guint, n);
  g_autofree double *centre = g_new (double, n);
  guint blocks = 0, next = 0;

  for (guint i = 0; i < n; i++) {
    guint k = i;

    for (; k > 0 && places[order[k - 1]] >= places[i]; k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  for (guint i = 0; i < n; i++) {
    length[blocks] = 1;
    centre[blocks] = places[order[i]];
    blocks++;
    while (blocks > 1
           && centre[blocks - 1] - centre[blocks - 2]
                  < gap * (length[blocks - 1] + length[blocks - 2]) / 2) {
      guint a = blocks - 2, b = blocks - 1, both = length[a] + length[b];

      centre[a] = (centre[a] * length[a] + centre[b] * length[b]) / both;
      centre[a] = CLAMP (centre[a], gap * (both - 1) / 2, 1 - gap * (both - 1) / 2);
      length[a] = both;
      blocks--;
    }
  }
  for (guint b = 0; b < blocks; b++)
    for (guint k = 0; k < length[b]; k++)
      places[order[next++]] = centre[b] + gap * (k - (length[b] - 1) / 2.0);
}

double
figure_series_end (const OutputRun *run, WorldSeriesId series)
{
  SimTime end = 0;

  for (guint v = 0; v < run->results->variants; v++) {
    const WorldResult *world = runner_cell (run->results, v, 0)->world;
    g_autoptr (GArray) points = sim_series_points (world->series[series]);

    if (points->len > 0)
      end = MAX (end, g_array_index (points, SimSeriesPoint, points->len - 1).end);
  }
  return 1.03 * sim_time_to_seconds (end);
}

/* The first row starts the curve at time 0, the last takes it to the right edge. */
void
figure_write_series (const OutputRun *run, WorldSeriesId series, OutputFile *file)
{
  double end = figure_series_end (run, series);

  for (guint v = 0; v < run->results->variants; v++) {
    const WorldResult *world = runner_cell (run->results, v, 0)->world;
    g_autoptr (GArray) points = sim_series_points (world->series[series]);
    gint64 last = sim_series_value (world->series[series]);

    output_file_printf (file, "%s# %s\n# start_s end_s last min max\n0 0 0 0 0\n", v ? "\n\n" : "",
                        output_variant_name (run, v));
    for (guint i = 0; i < points->len; i++) {
      const SimSeriesPoint *point = &g_array_index (points, SimSeriesPoint, i);

      output_file_printf (
          file, "%.9f %.9f %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
          sim_time_to_seconds (point->start), sim_time_to_seconds (point->end), point->last,
          point->min, point->max);
    }
    output_file_printf (
        file, "%.9f %.9f %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", end,
        end, last, last, last);
  }
}

static void
write_head (const Figure *figure, const OutputRun *run, OutputFile *file)
{
  g_autofree char *question = text_wrap (run->scenario->question, SUBTITLE_COLUMNS, 2);
  g_autofree const char **names = g_new (const char *, run->summary->variants);
  g_autofree const char **colours = g_new (const char *, run->summary->variants);

  for (guint v = 0; v < run->summary->variants; v++) {
    names[v] = output_variant_name (run, v);
    colours[v] = variant_colours[v % G_N_ELEMENTS (variant_colours)];
  }
  output_file_printf (
      file, "# %s: %s.\n# `gnuplot %s.gp` reads %s.dat and makes %s.svg and %s.png\n",
      figure->title, figure->help, figure->name, figure->name, figure->name, figure->name);
  figure_set_string (file, "figure", figure->name);
  figure_set_string (file, "headline", figure->title);
  figure_set_string (file, "subtitle", question);
  output_file_printf (
      file, "variants = %u\nreplications = %u\nrecorded = %u\nseed = \"%" G_GUINT64_FORMAT "\"\n",
      run->summary->variants, run->summary->replications, run->results->recorded,
      run->scenario->seed);
  figure_set_strings (file, "names", names, run->summary->variants);
  figure_set_strings (file, "colours", colours, run->summary->variants);
  figure->write_head (run, file);
}

gboolean
figure_write (const Figure *figure, const OutputRun *run, const char *dir, GError **error)
{
  g_autofree char *data_name = g_strconcat (figure->name, ".dat", NULL);
  g_autofree char *script_name = g_strconcat (figure->name, ".gp", NULL);
  g_autofree char *path = g_strconcat ("/cmsim/plots/", script_name, NULL);
  OutputFile *file = output_file_new (dir, data_name);

  figure->write_data (run, file);
  if (!output_file_close (file, error))
    return FALSE;

  file = output_file_new (dir, script_name);
  write_head (figure, run, file);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GBytes) bytes = g_resource_lookup_data (plots_get_resource (),
                                                       i ? path : "/cmsim/plots/style.gp",
                                                       G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

    g_assert (bytes); /* compiled in: plots/plots.gresource.xml */
    output_file_text (file, "\n");
    output_file_text (file, g_bytes_get_data (bytes, NULL));
  }
  return output_file_close (file, error);
}

/* gnuplot does not notice a full disk; the end of the file tells. */
static gboolean
picture_is_whole (const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  const char *end = g_str_has_suffix (path, ".png") ? "IEND\xae\x42\x60\x82" : "</svg>\n\n";
  gsize length = file ? g_mapped_file_get_length (file) : 0;

  return length > strlen (end)
         && memcmp (g_mapped_file_get_contents (file) + length - strlen (end), end, strlen (end))
                == 0;
}

/* NULL, or why gnuplot did not draw the figure. */
static char *
run_gnuplot (const char *dir, const char *script)
{
  /* -d: as it is installed, whatever the user's own settings are. */
  const char *argv[] = { "gnuplot", "-d", script, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *complaint = NULL;
  int status;

  if (!g_spawn_sync (dir, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                     NULL, NULL, NULL, &complaint, &status, &error))
    return g_strdup_printf ("%s; install gnuplot, then run it on the .gp files", error->message);
  if (g_spawn_check_wait_status (status, &error))
    return NULL;
  g_strdelimit (g_strstrip (complaint), "\n", ' ');
  return g_strdup_printf ("gnuplot %s: %s", script, *complaint ? complaint : error->message);
}

static gboolean
has_some (const OutputRun *run, gsize list)
{
  for (guint v = 0; v < run->scenario->variants->len; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);

    if (G_STRUCT_MEMBER (GArray *, &variant->model, list)->len > 0)
      return TRUE;
  }
  return FALSE;
}

gboolean
figure_has_connects (const OutputRun *run)
{
  return has_some (run, G_STRUCT_OFFSET (ScenarioModel, connects));
}

gboolean
figure_has_listeners (const OutputRun *run)
{
  return has_some (run, G_STRUCT_OFFSET (ScenarioModel, listeners));
}

gboolean
figure_applies (const Figure *figure, const OutputRun *run)
{
  return output_applies (figure->of, run) && (!figure->applies || figure->applies (run));
}

static gboolean
draw (const Figure *figure, const char *dir, char **ret_warning, GError **error)
{
  g_autofree char *script = g_strconcat (figure->name, ".gp", NULL);
  g_autofree char *why = run_gnuplot (dir, script);

  for (guint k = 0; k < 2; k++) {
    g_autofree char *name = g_strconcat (figure->name, k ? ".png" : ".svg", NULL);
    g_autofree char *path = g_build_filename (dir, name, NULL);

    if (why)
      g_unlink (path);
    else if (!picture_is_whole (path)) {
      output_error_set (error, ENOSPC, "write", name);
      return FALSE;
    }
  }
  if (why && !*ret_warning)
    *ret_warning = g_strdup_printf ("a picture is missing: %s", why);
  return TRUE;
}

gboolean
figures_draw (const OutputRun *run, const char *dir, char **ret_warning, GError **error)
{
  *ret_warning = NULL;
  for (guint i = 0; figures[i]; i++)
    if (figure_applies (figures[i], run) && !draw (figures[i], dir, ret_warning, error))
      return FALSE;
  return TRUE;
}
