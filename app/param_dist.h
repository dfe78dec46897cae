/* Distributions as a scenario writes them: classes with parameter rows, like any
 * other choice, and what each becomes. */
#pragma once

#include "arena.h"
#include "sim_param.h"

/* NULL-terminated. */
extern const SimClassInfo *const param_dist_classes[];

/* klass: one of them; params: filled by its rows.  Tables live in the arena.  NULL, or
 * what contradicts (transfer full). */
char *param_dist_build (Arena *arena, const SimClassInfo *klass, gconstpointer params,
                        SimDist *ret_dist);
