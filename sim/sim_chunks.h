/* Lists of entries of the future event list, in chunks of 512 bytes.
 *
 * A list is appended to at one end and read from the other, so its order is that of the
 * insertions.  An entry is 16 bytes and the chunks are aligned: moving a list is a
 * sequential copy that never touches an event record. */
#pragma once

#include "sim_prefetch.h"

typedef struct {
  guint64 key; /* time << 1 | late */
  guint64 id;  /* sim_pool_id () of the event's record, and SIM_ENTRY_OLD */
} SimEntry;

/* Not the latest event that was inserted: its place among equals is given by its
 * sequence number, not by where it stands in a list. */
#define SIM_ENTRY_OLD ((guint64) 1 << 63)
/* No entry, behind all those of the bottom. */
#define SIM_ENTRY_END G_MAXUINT64

#define SIM_CHUNK_BYTES 512u
#define SIM_CHUNK_ENTRIES (SIM_CHUNK_BYTES / sizeof (SimEntry) - 1)

typedef struct SimChunk SimChunk;
struct SimChunk {
  SimChunk *next;
  guint64 padding;
  SimEntry entries[SIM_CHUNK_ENTRIES];
};

/* Zero-initialise.  All chunks but the last are full. */
typedef struct {
  SimChunk *head;
  SimEntry *end; /* where the next entry goes; at a chunk's end, or NULL: to a new chunk */
  guint64 n;
} SimChunkList;

/* The chunks of one owner.  Zero-initialise. */
typedef struct {
  SimChunk *free;
  char *next, *end; /* rest of the last block */
  gpointer *blocks;
  guint n_blocks;
} SimChunkStore;

void sim_chunk_store_clear (SimChunkStore *store);
void sim_chunk_list_extend (SimChunkStore *store, SimChunkList *list); /* private */

/* Whether the next entry needs no new chunk. */
static inline gboolean
sim_chunk_list_has_room (const SimChunkList *list)
{
  return ((guintptr) list->end & (SIM_CHUNK_BYTES - 1)) != 0;
}

/* There must be room.  Entries are handed on in two registers: as a structure they would
 * be written to the stack in halves and read as a whole, for which the processor waits. */
static inline void
sim_chunk_list_push (SimChunkList *list, guint64 key, guint64 id)
{
  list->end->key = key;
  list->end->id = id;
  list->end++;
  list->n++;
}

static inline void
sim_chunk_list_append (SimChunkStore *store, SimChunkList *list, guint64 key, guint64 id)
{
  if (G_UNLIKELY (!sim_chunk_list_has_room (list)))
    sim_chunk_list_extend (store, list);
  sim_chunk_list_push (list, key, id);
}

static inline void
sim_chunk_free (SimChunkStore *store, SimChunk *chunk)
{
  chunk->next = store->free;
  store->free = chunk;
}

/* Asks for a chunk that will be read soon. */
static inline void
sim_chunk_prefetch (const SimChunk *chunk)
{
  for (guint byte = 0; byte < SIM_CHUNK_BYTES; byte += 64)
    sim_prefetch ((const char *) chunk + byte);
}

/* Reads a list from the front and gives its chunks back on the way:
 *   SimChunkReader reader = { .rest = list };
 *   while ((entries = sim_chunk_reader_next (store, &reader, &n)) != NULL) ...
 * The entries stay valid until the next call. */
typedef struct {
  SimChunkList rest;
  SimChunk *last;
} SimChunkReader;

static inline const SimEntry *
sim_chunk_reader_next (SimChunkStore *store, SimChunkReader *reader, guint *ret_n)
{
  SimChunk *chunk = reader->rest.head;

  if (reader->last != NULL)
    sim_chunk_free (store, reader->last);
  reader->last = chunk;
  if (reader->rest.n == 0)
    return NULL;
  *ret_n = (guint) MIN (reader->rest.n, SIM_CHUNK_ENTRIES);
  reader->rest.n -= *ret_n;
  reader->rest.head = chunk->next;
  if (reader->rest.n > 0)
    sim_chunk_prefetch (chunk->next);
  return chunk->entries;
}
