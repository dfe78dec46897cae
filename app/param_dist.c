#include "param_dist.h"

typedef struct {
  SimTime first, second; /* value, mean, median, scale; uniform: low, high */
  double number;         /* sigma, shape */
  guint k;
  GArray *table; /* EmpiricalRow */
} DistParams;

typedef struct {
  SimTime value;
  double weight;
} EmpiricalRow;

typedef struct {
  SimClassInfo info;
  char *(*build) (Arena *arena, const DistParams *params, SimDist *ret_dist);
} DistClass;

#define TIME_ROW(n, field, text) \
  { .name = n, .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (DistParams, field), .help = text }
#define NUMBER_ROW(n, low, high, text) \
  { .name = n, .kind = SIM_PARAM_DOUBLE, .offset = G_STRUCT_OFFSET (DistParams, number), \
    .min = low, .max = high, .help = text }
#define END_ROW { .name = NULL }

static const SimParam constant_rows[] = { TIME_ROW ("value", first, "The value."), END_ROW };
static const SimParam uniform_rows[] = {
  TIME_ROW ("low", first, "Least value."), TIME_ROW ("high", second, "Greatest value."), END_ROW,
};
static const SimParam exponential_rows[] = { TIME_ROW ("mean", first, "Mean."), END_ROW };
static const SimParam lognormal_rows[] = {
  TIME_ROW ("median", first, "Median."),
  NUMBER_ROW ("sigma", 0, 10, "Standard deviation of the logarithm."),
  END_ROW,
};
static const SimParam erlang_rows[] = {
  TIME_ROW ("mean", first, "Mean of the sum."),
  { .name = "k", .kind = SIM_PARAM_UINT, .offset = G_STRUCT_OFFSET (DistParams, k), .min = 1,
    .max = 1000, .help = "Number of exponential phases." },
  END_ROW,
};
static const SimParam weibull_rows[] = {
  TIME_ROW ("scale", first, "Scale."),
  NUMBER_ROW ("shape", 0.05, 100, "Shape: 1 is exponential, less has a heavier tail."),
  END_ROW,
};

static const SimParam table_rows[] = {
  { .name = "value", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (EmpiricalRow, value),
    .help = "Value." },
  { .name = "weight", .kind = SIM_PARAM_DOUBLE, .offset = G_STRUCT_OFFSET (EmpiricalRow, weight),
    .min = 1e-12, .max = 1e12, .help = "How often, compared with the others." },
  END_ROW,
};
static const SimParam empirical_rows[] = {
  { .name = "table", .kind = SIM_PARAM_LIST, .offset = G_STRUCT_OFFSET (DistParams, table),
    .rows = table_rows, .item_size = sizeof (EmpiricalRow), .help = "Pairs [value, weight]." },
  END_ROW,
};

static char *
build_constant (Arena *arena G_GNUC_UNUSED, const DistParams *params, SimDist *ret_dist)
{
  *ret_dist = sim_dist_constant (params->first);
  return NULL;
}

static char *
build_uniform (Arena *arena G_GNUC_UNUSED, const DistParams *params, SimDist *ret_dist)
{
  char low[32], high[32];

  if (params->first > params->second)
    return g_strdup_printf ("low %s is above high %s",
                            sim_time_format (params->first, low, sizeof low),
                            sim_time_format (params->second, high, sizeof high));
  *ret_dist = sim_dist_uniform (params->first, params->second);
  return NULL;
}

static char *
build_exponential (Arena *arena G_GNUC_UNUSED, const DistParams *params, SimDist *ret_dist)
{
  *ret_dist = sim_dist_exponential (params->first);
  return NULL;
}

static char *
build_lognormal (Arena *arena G_GNUC_UNUSED, const DistParams *params, SimDist *ret_dist)
{
  *ret_dist = sim_dist_lognormal (params->first, params->number);
  return NULL;
}

static char *
build_erlang (Arena *arena G_GNUC_UNUSED, const DistParams *params, SimDist *ret_dist)
{
  *ret_dist = sim_dist_erlang (params->first, params->k);
  return NULL;
}

static char *
build_weibull (Arena *arena G_GNUC_UNUSED, const DistParams *params, SimDist *ret_dist)
{
  *ret_dist = sim_dist_weibull (params->first, params->number);
  return NULL;
}

static void
free_table (gpointer table)
{
  sim_empirical_free (table);
}

static char *
build_empirical (Arena *arena, const DistParams *params, SimDist *ret_dist)
{
  guint n = params->table->len;
  SimTime *values;
  double *weights;
  SimEmpirical *table;

  if (n == 0)
    return g_strdup ("the table is empty; write pairs such as [[1ms, 9], [20ms, 1]]");
  values = g_new (SimTime, n);
  weights = g_new (double, n);
  for (guint i = 0; i < n; i++) {
    values[i] = g_array_index (params->table, EmpiricalRow, i).value;
    weights[i] = g_array_index (params->table, EmpiricalRow, i).weight;
  }
  table = sim_empirical_new (values, weights, n);
  arena_own (arena, table, free_table);
  g_free (values);
  g_free (weights);
  *ret_dist = sim_dist_empirical (table);
  return NULL;
}

#define CLASS(n, text, main) \
  static const DistClass dist_##n = { \
    .info = { .name = #n, .help = text, .params = n##_rows, .params_size = sizeof (DistParams), \
              .main_param = main }, \
    .build = build_##n, \
  }

CLASS (constant, "Always the same; a plain time means this.", "value");
CLASS (uniform, "Any value between low and high, all alike.", NULL);
CLASS (exponential, "Exponential with a mean.", "mean");
CLASS (lognormal, "Log-normal: many short, few very long.", NULL);
CLASS (erlang, "Sum of k exponential phases.", NULL);
CLASS (weibull, "Weibull.", NULL);
CLASS (empirical, "One of the values of a table, by weight.", "table");

const SimClassInfo *const param_dist_classes[] = {
  &dist_constant.info, &dist_uniform.info, &dist_exponential.info, &dist_lognormal.info,
  &dist_erlang.info,   &dist_weibull.info, &dist_empirical.info,   NULL,
};

char *
param_dist_build (Arena *arena, const SimClassInfo *klass, gconstpointer params, SimDist *ret_dist)
{
  /* The info is the head of its class. */
  return ((const DistClass *) klass)->build (arena, params, ret_dist);
}
