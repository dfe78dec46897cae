/* Outcomes: one bar per variant, stacked by cause. */
#include "figure.h"

#include <math.h>
#include <string.h>

/* Lighter than the variants' colours, so that a cause is not taken for a variant;
 * told apart by the colour-blind (Paul Tol's light scheme). */
static const char *const cause_colours[CONNECT_CAUSE_COUNT] = {
  [CONNECT_ESTABLISHED] = "#44BB99",     [CONNECT_REFUSED] = "#EE8866",
  [CONNECT_UNREACHABLE] = "#77AADD",     [CONNECT_SA_TIMEOUT] = "#EEDD88",
  [CONNECT_ADDRESS_TIMEOUT] = "#FFAABB", [CONNECT_GAVE_UP] = "#AAAA00",
  [CONNECT_SUPERSEDED] = "#BBCC33",      [CONNECT_PENDING] = "#DDDDDD",
};

/* Further reasons of a REJ: shades of the same colour. */
static const char *const refused_shades[] = { "#EE8866", "#F7C8B6", "#B85B3B" };

static void
outcomes_data (const OutputRun *run, OutputFile *file)
{
  const Summary *summary = run->summary;

  for (guint k = 0; k < summary->outcomes->len; k++) {
    output_file_printf (file, "%s# %s\n# variant share_percent from to\n", k ? "\n\n" : "",
                        g_array_index (summary->outcomes, SummaryOutcome, k).label);
    for (guint v = 0; v < summary->variants; v++) {
      const SummaryStat *shares = summary->by_variant[v].shares;
      double from = 0;

      for (guint i = 0; i < k; i++)
        from += 100 * shares[i].mean;
      if (shares[k].n > 0)
        output_file_printf (file, "%u %.6f %.6f %.6f\n", v + 1, 100 * shares[k].mean, from,
                            from + 100 * shares[k].mean);
      else
        output_file_printf (file, "%u 0 0 0\n", v + 1);
    }
  }
}

/* What a bar cannot show inside: "established 0.4 %, pending 0.1 %". */
static char *
small_shares (const Summary *summary, guint v, double least)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < summary->outcomes->len; k++) {
    double percent = 100 * summary->by_variant[v].shares[k].mean;

    if (percent > 0 && percent < least)
      g_string_append_printf (text, "%s%s %.2g %%", text->len ? ", " : "",
                              g_array_index (summary->outcomes, SummaryOutcome, k).label, percent);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
outcomes_head (const OutputRun *run, OutputFile *file)
{
  const Summary *summary = run->summary;
  const double least = 9; /* narrower than its number */
  guint n = summary->outcomes->len, shade = 0;
  g_autofree const char **labels = g_new (const char *, n);
  g_autofree const char **shades = g_new (const char *, n);
  g_autoptr (GPtrArray) small = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; k < n; k++) {
    const SummaryOutcome *outcome = &g_array_index (summary->outcomes, SummaryOutcome, k);

    labels[k] = outcome->label;
    shades[k] = outcome->total.cause == CONNECT_REFUSED
                    ? refused_shades[shade++ % G_N_ELEMENTS (refused_shades)]
                    : cause_colours[outcome->total.cause];
  }
  for (guint v = 0; v < summary->variants; v++)
    g_ptr_array_add (small, small_shares (summary, v, least));
  output_file_printf (file, "outcomes = %u\nleast = %g\n", n, least);
  if (n > 0) {
    figure_set_strings (file, "labels", labels, n);
    figure_set_strings (file, "shades", shades, n);
  }
  figure_set_strings (file, "small", (const char *const *) small->pdata, small->len);
}

const Figure figure_outcomes = {
  .name = "outcomes",
  .title = "How connects end",
  .help = "share of the connects by cause, mean over the replications",
  .of = OUTPUT_OF_VARIANTS,
  .applies = figure_has_connects,
  .write_data = outcomes_data,
  .write_head = outcomes_head,
};
