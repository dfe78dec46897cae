/* Memory for slabs and large arrays, in blocks.
 *
 * A page of 4 KiB that is touched for the first time costs a fault, 10 us on a virtual machine,
 * and a world of ten thousand connects has a thousand of them: half of its run.  Blocks
 * therefore lie on huge pages: a large one has its own, smaller ones share those of an
 * arena, which keeps pages that are free again for the next world.  One thread at a time
 * may use an arena; whoever runs one world after the other has one for all of them. */
#pragma once

#include <glib.h>

typedef struct SimArena SimArena;

SimArena *sim_arena_new (void);
void sim_arena_free (SimArena *arena); /* all its blocks are free; NULL is fine */

/* All 0; NULL for 0 bytes.  Without an arena (NULL) the block shares no page: for what
 * outlives its world, as a small block would keep a whole page. */
gpointer sim_block_new (SimArena *arena, gsize bytes);
/* The same, not initialised. */
gpointer sim_block_take (SimArena *arena, gsize bytes);
/* arena, bytes: as when it was made; block: may be NULL. */
void sim_block_free (SimArena *arena, gpointer block, gsize bytes);

/* All 0, so many pages of 4 KiB, and at the start of one. */
gpointer sim_block_new_pages (SimArena *arena, gsize pages);
void sim_block_free_pages (SimArena *arena, gpointer block, gsize pages);
