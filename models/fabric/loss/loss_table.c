/* The loss models one can choose. */
#include "loss.h"

const SimClassInfo *const loss_classes[] = {
  &loss_none.info, &loss_bernoulli.info, &loss_burst.info, &loss_rules.info, NULL,
};
