/* connections.csv: a row per connect of the recorded replications. */
#include "output.h"
#include "output_file.h"

/* Empty where the time does not exist. */
static void
write_time (OutputFile *file, SimTime t)
{
  char text[32];

  output_file_printf (file, ",%s",
                      t == SIM_TIME_NEVER ? "" : sim_time_format_exact (t, text, sizeof text));
}

static const char *
outcome_name (ConnectCause cause)
{
  if (cause == CONNECT_ESTABLISHED)
    return "established";
  if (cause == CONNECT_SUPERSEDED)
    return "superseded";
  return cause == CONNECT_PENDING ? "pending" : "failed";
}

static void
write_record (OutputFile *file, const ScenarioModel *model, const ConnectRecord *record)
{
  const ConnectParams *params = &g_array_index (model->connects, ConnectParams, record->entry);
  SimTime start = record->steps[CONNECT_STEP_START];

  if (params->name)
    output_file_csv (file, params->name);
  else
    output_file_printf (file, "connects.%u", record->entry);
  output_file_printf (file, ",%u,", record->index);
  output_file_csv (file, params->from);
  output_file_printf (file, ".%u,%s,%s,", record->host, outcome_name (record->cause),
                      connect_cause_name (record->cause));
  if (record->cause == CONNECT_REFUSED)
    output_file_printf (file, "%u", record->reason);
  output_file_printf (file, ",%s,%u,%u", connect_errno_name (params, record), record->attempts,
                      record->reqs);
  write_time (file, record->end == SIM_TIME_NEVER ? SIM_TIME_NEVER : record->end - start);
  for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
    write_time (file, record->steps[step]);
  output_file_text (file, "\n");
}

static gboolean
connections_csv_write (const OutputRun *run, const char *dir, GError **error)
{
  OutputFile *file = output_file_new (dir, output_connections_csv.name);

  output_file_text (file, "variant,replication,entry,number,host,outcome,cause,reason,errno,"
                          "attempts,reqs,latency_s");
  for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
    output_file_printf (file, ",%s_s", connect_step_name (step));
  output_file_text (file, "\n");
  for (guint v = 0; v < run->results->variants; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);

    for (guint r = 0; r < run->results->recorded; r++) {
      const GArray *connects = runner_cell (run->results, v, r)->world->connects;

      for (guint i = 0; i < connects->len; i++) {
        if (g_array_index (connects, ConnectRecord, i).steps[CONNECT_STEP_START] == SIM_TIME_NEVER)
          continue; /* the run ended before it began */
        output_file_csv (file, variant->name);
        output_file_printf (file, ",%u,", r);
        write_record (file, &variant->model, &g_array_index (connects, ConnectRecord, i));
      }
    }
  }
  return output_file_close (file, error);
}

const OutputWriter output_connections_csv = {
  .name = "connections.csv",
  .help = "a row per connect: who, how it ended, what it sent, when each step was done",
  .write = connections_csv_write,
};
