/* The table of future event lists. */
#include "sim_fel.h"

const SimFelClass *const sim_fel_classes[] = { &sim_fel_ladder, &sim_fel_heap, NULL };
