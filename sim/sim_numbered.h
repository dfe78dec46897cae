/* Records that come and go, by number: four bytes name one where a pointer takes eight.
 *
 * Records never move; chunks double.  A number is 1 or more, and that of a record put back is
 * given out again first.  The owner clears them in the end, which frees all of them. */
#pragma once

#include "sim_arena.h"

#define SIM_NUMBERED_FIRST 64u /* records of the first chunk; chunk c has 2^c times as many */
#define SIM_NUMBERED_CHUNKS 26

typedef struct {
  char *chunks[SIM_NUMBERED_CHUNKS];
  SimArena *arena;
  gsize item_size;
  guint32 n;    /* numbers given out so far */
  guint32 free; /* put back last, linked through their first bytes; 0: none */
} SimNumbered;

/* item_size: at least 4 bytes, rounded up to a multiple of 8.  arena: of the chunks, or NULL. */
void sim_numbered_init (SimNumbered *records, SimArena *arena, gsize item_size);
void sim_numbered_clear (SimNumbered *records);
/* Uninitialised. */
guint32 sim_numbered_take (SimNumbered *records);
/* The record with a number that the caller chooses, all 0 at first; where there is this there is
 * no take and no put. */
gpointer sim_numbered_make (SimNumbered *records, guint32 number);
void sim_numbered_put (SimNumbered *records, guint32 number);

static inline gpointer
sim_numbered_at (const SimNumbered *records, guint32 number)
{
  guint32 place = number - 1 + SIM_NUMBERED_FIRST;
  guint chunk = 25 - (guint) __builtin_clz (place); /* 2^6: chunk 0 */
  gsize i = place - (SIM_NUMBERED_FIRST << chunk);

  return records->chunks[chunk] + i * records->item_size;
}
