/* The figures, in the order in which the report names them. */
#include "figure.h"

const Figure *const figures[] = { &figure_outcomes,
                                  &figure_latency,
                                  &figure_backlog,
                                  &figure_reqs,
                                  &figure_hysteresis,
                                  &figure_matrix,
                                  NULL };
