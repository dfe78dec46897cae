/* Losses in bursts: the Gilbert-Elliott channel (Gilbert 1960, Elliott 1963).
 *
 * Each sending port has a link that is good or bad.  Before a MAD is judged the
 * link may change: it leaves a state with probability 1 / mean length, so lengths
 * are geometric, counted in MADs.  The first MAD finds the link in its stationary
 * distribution; the long-run loss is therefore also the expected loss of a run of
 * any length:
 *
 *   (mean_good x loss_good + mean_bad x loss_bad) / (mean_good + mean_bad) */
#include "loss.h"

typedef struct {
  gboolean started;
  gboolean bad;
} LossBurstState;

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (LossBurstParams, field)
static const SimParam burst_params[] = {
  { ROW ("loss_good", loss_good), .kind = SIM_PARAM_PROBABILITY, .value = "0",
    .help = "Probability that a MAD is lost while the link is good." },
  { ROW ("loss_bad", loss_bad), .kind = SIM_PARAM_PROBABILITY, .value = "1",
    .help = "Probability that a MAD is lost while the link is bad." },
  { ROW ("mean_good", mean_good), .kind = SIM_PARAM_DOUBLE, .min = 1, .max = 1e12,
    .help = "Mean number of MADs a port sends while its link stays good." },
  { ROW ("mean_bad", mean_bad), .kind = SIM_PARAM_DOUBLE, .min = 1, .max = 1e12,
    .help = "Mean number of MADs a port sends while its link stays bad." },
  { .name = NULL },
};
#undef ROW

/* Two draws per MAD whatever the state, so that the streams of two variants stay
 * in step. */
static void
burst_judge (gconstpointer params, gpointer shared G_GNUC_UNUSED, gpointer state,
             const IbMad *mad G_GNUC_UNUSED, SimStream *stream, LossFate *fate)
{
  const LossBurstParams *burst = params;
  LossBurstState *link = state;

  if (!link->started) {
    double share_bad = burst->mean_bad / (burst->mean_good + burst->mean_bad);

    link->bad = sim_stream_chance (stream, share_bad);
    link->started = TRUE;
  } else if (sim_stream_chance (stream, 1 / (link->bad ? burst->mean_bad : burst->mean_good))) {
    link->bad = !link->bad;
  }
  fate->drop = sim_stream_chance (stream, link->bad ? burst->loss_bad : burst->loss_good);
}

const LossClass loss_burst = {
  .info = {
    .name = "burst",
    .help = "Gilbert-Elliott: each port's link is good or bad for geometric numbers of MADs.",
    .source = "E. N. Gilbert, BSTJ 39 (1960); E. O. Elliott, BSTJ 42 (1963)",
    .params = burst_params,
    .params_size = sizeof (LossBurstParams),
  },
  .state_size = sizeof (LossBurstState),
  .judge = burst_judge,
};
