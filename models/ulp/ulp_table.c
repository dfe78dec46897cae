/* All upper-layer protocols: one row each. */
#include "ulp.h"

const SimClassInfo *const ulp_classes[] = { &ulp_sdp.info, &ulp_generic.info, NULL };
