/* Loss models: what a wire does to a MAD besides carrying it.
 *
 * A model is one file with a `const LossClass` and a row in loss_table.c.  The
 * draws come from a stream of the sending port, so one host's traffic does not
 * shift another's losses. */
#pragma once

#include "ib_types.h"
#include "sim_param.h"
#include "sim_rng.h"

typedef struct {
  gboolean drop;
  guint copies;        /* further copies delivered, 0 normally; each copy_delay later */
  SimTime extra_delay; /* added to the latency */
  SimTime copy_delay;
} LossFate;

typedef struct {
  SimClassInfo info;
  gsize state_size;  /* per sending port, zeroed at start */
  /* May keep counts in state; sets *fate (zeroed on entry). */
  void (*judge) (gconstpointer params, gpointer state, const IbMad *mad, SimTime now,
                 SimStream *stream, LossFate *fate);
} LossClass;

extern const LossClass loss_none, loss_bernoulli, loss_burst, loss_rules;
/* All models' infos, NULL-terminated: for SIM_PARAM_CHOICE. Each info is the head of its LossClass. */
extern const SimClassInfo *const loss_classes[];
