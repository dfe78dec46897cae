/* All CM retry policies: one row each. */
#include "retry.h"

const SimClassInfo *const retry_classes[] = {
  &retry_fixed.info,
  &retry_jitter.info,
  &retry_exponential.info,
  &retry_decorrelated.info,
  &retry_linear_exponential.info,
  &retry_path_record.info,
  &retry_adaptive.info,
  &retry_budget.info,
  &retry_token_bucket.info,
  &retry_throttle.info,
  NULL,
};
