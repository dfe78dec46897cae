#include "metrics.h"

#include <string.h>

const MetricInfo metric_infos[METRIC_N] = {
#define X(id, n, k, text) [METRIC_##id] = { .name = n, .kind = METRIC_##k, .help = text },
  METRIC_LIST (X)
#undef X
};

MetricId
metric_find (const char *name)
{
  guint i = 0;

  while (i < METRIC_N && strcmp (metric_infos[i].name, name))
    i++;
  return i;
}
