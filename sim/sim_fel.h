/* Future event list: the set of pending events in total order.
 *
 * The order is (time, priority, sequence): earlier time first, then lower
 * priority number, then the order of insertion.  The key is unique, so every
 * implementation gives the same run; `sim_fel_heap` is the plain binary heap
 * that the others are compared with.
 *
 * Entries are named by the id of the event's record, sim_pool_id ().  The list may look
 * into the records, which the engine owns, and changes none; with many events pending a
 * look costs a cache miss, and a list spares those it can. */
#pragma once

#include "sim_pool.h"
#include "sim_time.h"

/* Bit of an order: after all entries of the same time without it. */
#define SIM_FEL_LATE ((guint64) 1 << 62)

typedef struct {
  SimTime time; /* 0 <= time < SIM_TIME_NEVER */
  guint64 id;   /* sim_pool_id () of its record */
} SimFelEntry;

typedef struct SimFel SimFel;

typedef struct {
  const char *name;
  const char *help;
  SimFel *(*new_) (const SimPool *pool);
  void (*free_) (SimFel *fel);
  /* Inserts an entry.  order: SIM_FEL_LATE or 0, and the sequence number, the greatest so
   * far, which is in its record's stamp too. */
  void (*insert) (SimFel *fel, SimTime time, guint64 order, guint64 id);
  /* Inserts an entry whose sequence number may be any that is not in the list. */
  void (*insert_old) (SimFel *fel, SimTime time, guint64 order, guint64 id);
  /* Removes the entry of this slot; it must be in the list, and its record has been put
   * back already. */
  void (*remove) (SimFel *fel, guint32 slot);
  /* The earliest entry without removing it; FALSE when empty. */
  gboolean (*peek) (SimFel *fel, SimFelEntry *ret_entry);
  /* Removes the earliest entry if its time is not after until; FALSE, and nothing
   * is removed, when there is none. */
  gboolean (*pop) (SimFel *fel, SimTime until, SimFelEntry *ret_entry);
  gsize (*count) (const SimFel *fel);
} SimFelClass;

extern const SimFelClass sim_fel_ladder, sim_fel_heap;

/* All implementations, NULL-terminated; the first is the default. */
extern const SimFelClass *const sim_fel_classes[];
