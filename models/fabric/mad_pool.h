/* MADs that wait for an event, named by a slot number that fits an event's
 * argument.  Grows when needed; no allocation once it is large enough. */
#pragma once

#include "ib_types.h"

typedef struct MadPool MadPool;

MadPool *mad_pool_new (void);
void mad_pool_free (MadPool *pool);
/* Copies *mad in and returns its slot. */
guint32 mad_pool_put (MadPool *pool, const IbMad *mad);
/* The MAD of a slot; stays where it is until mad_pool_drop(). */
const IbMad *mad_pool_at (const MadPool *pool, guint32 slot);
void mad_pool_drop (MadPool *pool, guint32 slot);
/* MADs in the pool. */
guint32 mad_pool_count (const MadPool *pool);
/* Bytes of one. */
gsize mad_pool_footprint (void);
