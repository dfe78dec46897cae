/* Independent losses: every MAD is lost with the same probability. */
#include "loss.h"

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (LossBernoulliParams, field)
static const SimParam bernoulli_params[] = {
  { ROW ("probability", probability), .kind = SIM_PARAM_PROBABILITY,
    .help = "Probability that a MAD is lost." },
  { .name = NULL },
};
#undef ROW

static void
bernoulli_judge (gconstpointer params, gpointer shared G_GNUC_UNUSED, gpointer state G_GNUC_UNUSED,
                 const IbMad *mad G_GNUC_UNUSED, SimStream *stream, LossFate *fate)
{
  const LossBernoulliParams *bernoulli = params;

  fate->drop = sim_stream_chance (stream, bernoulli->probability);
}

const LossClass loss_bernoulli = {
  .info = {
    .name = "bernoulli",
    .help = "Every MAD is lost with the same probability, independent of the others.",
    .params = bernoulli_params,
    .params_size = sizeof (LossBernoulliParams),
    .main_param = "probability",
  },
  .judge = bernoulli_judge,
};
