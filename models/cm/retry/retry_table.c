/* All CM retry policies: one row each. */
#include "retry.h"

const SimClassInfo *const retry_classes[] = { &retry_fixed.info, &retry_jitter.info, NULL };
