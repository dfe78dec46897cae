/* What the files of the ladder share. */
#pragma once

#include "sim_ladder.h"

/* Slots in use from which on records are asked for ahead of time: the records of fewer
 * stay in the second-level cache. */
#define SIM_LADDER_PREFETCH 8192

/* ----- sim_ladder.c ----- */

void sim_ladder_insert_old (SimLadder *ladder, guint64 key, guint32 slot, guint32 generation);
/* Memory for n entries in the bottom. */
void sim_ladder_bottom_reserve (SimLadder *ladder, guint64 n);

/* ----- sim_ladder_equal.c ----- */

/* By sequence number among entries with the same key.  There is memory for it. */
void sim_ladder_bottom_add_old (SimLadder *ladder, SimEntry entry);

/* TRUE if the entry, the latest of all, belongs to the bunch or has begun one. */
gboolean sim_ladder_bunch_add (SimLadder *ladder, SimEntry entry);
/* A list of entries with one key becomes the bunch; there is none, and the bottom is empty. */
void sim_ladder_bunch_give (SimLadder *ladder, SimChunkList list, guint64 key);
/* The bottom, with all keys equal, becomes the bunch, unless there is one. */
gboolean sim_ladder_bunch_all (SimLadder *ladder);
/* The bunch becomes part of the bottom. */
void sim_ladder_bunch_dissolve (SimLadder *ladder);
/* The bunch as a list, which the caller owns now. */
SimChunkList sim_ladder_bunch_take (SimLadder *ladder);

/* ----- sim_ladder_remove.c ----- */

void sim_ladder_sweep (SimLadder *ladder);
