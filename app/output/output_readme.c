/* README.md: what the other files of the directory are. */
#include "figure.h"
#include "matrix.h"
#include "output.h"
#include "output_file.h"
#include "suggest.h"

static gboolean
readme_write (const OutputRun *run, const char *dir, GError **error)
{
  const Scenario *scenario = run->scenario;
  g_autofree char *path = suggest_escape (scenario->path);
  OutputFile *file = output_file_new (dir, output_readme.name);

  output_file_printf (file, "# %s\n\n%s\n\nWritten by `cmsim run %s", scenario->name,
                      scenario->question, path);
  for (guint i = 0; i < scenario->options->len; i++)
    output_file_printf (file, " %s", (const char *) scenario->options->pdata[i]);
  output_file_printf (file,
                      "` (cmsim %s, seed %" G_GUINT64_FORMAT ", %u replication%s of %u variant%s, "
                      "scenario hash %s).\n\n",
                      CMSIM_VERSION, scenario->seed, run->summary->replications,
                      run->summary->replications == 1 ? "" : "s", run->summary->variants,
                      run->summary->variants == 1 ? "" : "s", scenario->hash);
  output_file_text (file, "| file | holds |\n|---|---|\n");
  for (guint i = 0; output_writers[i]; i++)
    if (output_applies (output_writers[i]->of, run))
      output_file_printf (file, "| %s | %s |\n", output_writers[i]->name, output_writers[i]->help);
  if (output_applies (OUTPUT_OF_MATRIX, run))
    output_file_text (file, "| " MATRIX_CELLS_DIR "/ | every cell as a scenario of its own |\n");
  for (guint i = 0; figures[i]; i++)
    if (figure_applies (figures[i], run))
      output_file_printf (file,
                          "| %s.svg, %s.png | %s |\n| %s.gp, %s.dat | draws them: "
                          "`gnuplot %s.gp` |\n",
                          figures[i]->name, figures[i]->name, figures[i]->help, figures[i]->name,
                          figures[i]->name, figures[i]->name);
  return output_file_close (file, error);
}

const OutputWriter output_readme = {
  .name = "README.md",
  .help = "this list",
  .write = readme_write,
};
