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
  gsize state_size; /* per sending port, zeroed at start */
  /* State that all ports of a fabric share; the three are NULL if there is none. */
  gpointer (*shared_new) (gconstpointer params);
  void (*shared_free) (gpointer shared);
  /* Tells that `count` ports from LID `first` on are the hosts of `group`. */
  void (*name_ports) (gpointer shared, const char *group, IbLid first, guint count);
  /* Judges a MAD in the order of sending; sets *fate (zeroed on entry).  NULL: carries all. */
  void (*judge) (gconstpointer params, gpointer shared, gpointer state, const IbMad *mad,
                 SimStream *stream, LossFate *fate);
} LossClass;

typedef struct {
  double probability;
} LossBernoulliParams;

typedef struct {
  double loss_good, loss_bad;
  double mean_good, mean_bad; /* MADs */
} LossBurstParams;

extern const LossClass loss_none, loss_bernoulli, loss_burst, loss_rules;
/* All models' infos, NULL-terminated: for SIM_PARAM_CHOICE.  Each info is the head of
 * its LossClass. */
extern const SimClassInfo *const loss_classes[];
