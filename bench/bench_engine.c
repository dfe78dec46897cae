/* bench_engine WORKLOAD N OPERATIONS [EVENTS]: one workload of engine_bench.h on one future
 * event list (the default one, or that of `cmsim list events` named by EVENTS).
 *
 * `bench_engine --built` says how it was built.  Prints one line:
 *   R LIST WORKLOAD N OPERATIONS WALL CPU RSS_BEFORE RSS_PEAK CHECK
 * seconds for the operations, KiB, and the figure that must be the same for every list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_bench.h"

static const SimFelClass *
find_list (const char *name)
{
  for (guint i = 0; sim_fel_classes[i] != NULL; i++)
    if (name == NULL || !strcmp (name, sim_fel_classes[i]->name))
      return sim_fel_classes[i];
  return NULL;
}

/* What the counts of bench/icount.txt depend on. */
static int
print_built (void)
{
#ifdef __clang__
  printf ("clang %d", __clang_major__);
#else
  printf ("gcc %d", __GNUC__);
#endif
  printf (", %s, %s, %s\n", BENCH_MACHINE, BENCH_OPTIMIZATION,
          sizeof (void *) == 8 ? "64 bits" : "32 bits");
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 2 && !strcmp (argv[1], "--built"))
    return print_built ();

  const SimFelClass *fel = argc > 3 ? find_list (argc > 4 ? argv[4] : NULL) : NULL;
  guint n = argc > 2 ? (guint) strtoul (argv[2], NULL, 10) : 0;
  guint64 operations = argc > 3 ? strtoull (argv[3], NULL, 10) : 0;
  EngineBenchResult result;

  if (fel == NULL || operations == 0 || !engine_bench_run (argv[1], n, operations, fel, &result)) {
    fprintf (stderr, "usage: bench_engine WORKLOAD N OPERATIONS [EVENTS]\n");
    return 2;
  }
  printf ("R %s %s %u %" G_GUINT64_FORMAT " %.6f %.6f %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
          " %.9g\n", fel->name, argv[1], n, operations, result.wall, result.cpu,
          result.rss_before, result.rss_peak, result.check);
  return 0;
}
