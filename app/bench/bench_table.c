/* The table of `cmsim bench`.
 *
 * Every single run is in a process of its own: the memory it takes is then its own, and no
 * run finds the memory of the one before. */
#include "bench_table.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_bench.h"
#include "part_bench.h"

typedef struct {
  const char *workload;
  guint n;
  guint64 operations;
} Case;

static const Case cases[] = {
  { "hold", 100, 4000000 },     { "hold", 10000, 3000000 },    { "hold", 1000000, 2000000 },
  { "hold", 10000000, 2000000 }, { "holdcb", 100, 4000000 },   { "holdcb", 1000, 4000000 },
  { "holdcb", 10000, 3000000 }, { "holdcb", 100000, 2000000 }, { "holdcb", 1000000, 2000000 },
  { "holdcb", 10000000, 2000000 }, { "phold", 1024, 3000000 }, { "phold", 1000000, 2000000 },
  { "timer", 1000, 2000000 },   { "timer", 100000, 1000000 },  { "mix", 1000, 3000000 },
  { "mix", 100000, 3000000 },   { "mmck", 0, 3000000 },
};

#define LARGE_N 10000000
#define ROUNDS_MAX 100

/* Runs in a child.  FALSE: it did not end well, for example for want of memory. */
static gboolean
run_apart (const Case *c, guint64 operations, const SimFelClass *fel, EngineBenchResult *ret_result)
{
  int ends[2];
  gssize got;
  int status;
  pid_t child;

  if (pipe (ends) != 0)
    return FALSE;
  fflush (NULL);
  child = fork ();
  if (child == 0) {
    EngineBenchResult result;
    engine_bench_run (c->workload, c->n, operations, fel, &result);
    _exit (write (ends[1], &result, sizeof result) == (gssize) sizeof result ? 0 : 1);
  }
  close (ends[1]);
  got = child > 0 ? read (ends[0], ret_result, sizeof *ret_result) : 0;
  close (ends[0]);
  return child > 0 && waitpid (child, &status, 0) == child && status == 0 &&
         got == (gssize) sizeof *ret_result;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Times and memory of one case on both lists. */
static gboolean
print_case (FILE *file, const Case *c, const BenchOptions *options)
{
  guint64 operations = (guint64) MAX (1000, (double) c->operations * options->scale);
  double ns[ROUNDS_MAX], heap_ns[ROUNDS_MAX], ratios[ROUNDS_MAX];
  EngineBenchResult result, heap;
  guint rounds = MIN (options->rounds, ROUNDS_MAX);
  double typical;

  for (guint i = 0; i < rounds; i++) {
    if (!run_apart (c, operations, &sim_fel_heap, &heap) ||
        !run_apart (c, operations, sim_fel_classes[0], &result)) {
      fprintf (file, "%-8s %9u  could not be run\n", c->workload, c->n);
      return FALSE;
    }
    if (result.check != heap.check) {
      fprintf (file, "%-8s %9u  ends differently: %.9g and, on the heap, %.9g\n", c->workload, c->n,
               result.check, heap.check);
      return FALSE;
    }
    ns[i] = result.cpu * 1e9 / (double) operations;
    heap_ns[i] = heap.cpu * 1e9 / (double) operations;
    ratios[i] = ns[i] / heap_ns[i];
  }
  typical = median (ns, rounds);
  fprintf (file, "%-8s %9u %9.1f %9.1f %7.3f %8.2f", c->workload, c->n, typical,
           median (heap_ns, rounds), median (ratios, rounds), 1e3 / typical);
  if (c->n >= 10000) /* else the pages of the program itself are most of it */
    fprintf (file, " %8.0f", (double) (result.rss_peak - result.rss_before) * 1024 / c->n);
  fprintf (file, "\n");
  fflush (file);
  return TRUE;
}

static void
print_parts (FILE *file, const BenchOptions *options)
{
  guint64 operations = (guint64) MAX (1000, 5e6 * options->scale);
  guint rounds = MIN (options->rounds, ROUNDS_MAX);

  fprintf (file, "\npart             ns/op\n");
  for (const PartBench *bench = part_benches; bench->name != NULL; bench++) {
    double ns[ROUNDS_MAX];
    for (guint i = 0; i < rounds; i++)
      ns[i] = part_bench_measure (bench, operations);
    fprintf (file, "%-14s %7.2f  %s\n", bench->name, median (ns, rounds), bench->help);
  }
}

/* The model name of the first processor, if the system tells. */
static void
print_machine (FILE *file)
{
  char *text = NULL, *model, *end;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) &&
      (model = strstr (text, "model name")) != NULL && (model = strchr (model, ':')) != NULL &&
      (end = strchr (model, '\n')) != NULL)
    fprintf (file, "%.*s, ", (int) (end - model - 2), model + 2);
  fprintf (file, "%u processors, medians of processor time\n\n", g_get_num_processors ());
  g_free (text);
}

/* The large ones only if they are asked for. */
static gboolean
is_wanted (const Case *c, const BenchOptions *options)
{
  g_autofree char *name = g_strdup_printf ("%s/%u", c->workload, c->n);

  return (options->large || c->n < LARGE_N) &&
         (options->only == NULL || strstr (name, options->only) != NULL);
}

gboolean
bench_table_has (const BenchOptions *options)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (is_wanted (&cases[i], options))
      return TRUE;
  return FALSE;
}

char *
bench_table_names (void)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_string_append_printf (names, "%s%s/%u%s", i ? ", " : "", cases[i].workload, cases[i].n,
                            cases[i].n < LARGE_N ? "" : " (--large)");
  return g_string_free (names, FALSE);
}

gboolean
bench_table_print (FILE *file, const BenchOptions *options)
{
  gboolean good = TRUE;

  print_machine (file);
  fprintf (file, "workload         N     ns/op      heap   ratio   M op/s  bytes/N\n");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (is_wanted (&cases[i], options))
      good = print_case (file, &cases[i], options) && good;
  if (options->only == NULL)
    print_parts (file, options);
  return good;
}
