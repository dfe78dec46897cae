/* The files of a results directory, besides the figures' (figure_table.c). */
#include "output.h"

const OutputWriter *const output_writers[] = { &output_readme,
                                               &output_summary_json,
                                               &output_connections_csv,
                                               &output_series_csv,
                                               &output_matrix_csv,
                                               &output_matrix_json,
                                               NULL };
