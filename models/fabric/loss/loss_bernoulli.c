/* Independent losses: every MAD is lost with the same probability. */
#include "loss.h"

typedef struct {
  double probability;
} LossBernoulliParams;

static const SimParam bernoulli_params[] = {
  { .name = "probability",
    .kind = SIM_PARAM_PROBABILITY,
    .offset = G_STRUCT_OFFSET (LossBernoulliParams, probability),
    .help = "probability that a MAD is lost" },
  { .name = NULL },
};

static void
bernoulli_judge (gconstpointer params, gpointer shared G_GNUC_UNUSED,
                 gpointer state G_GNUC_UNUSED, const IbMad *mad G_GNUC_UNUSED, SimStream *stream,
                 LossFate *fate)
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
