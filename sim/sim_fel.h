/* Future event list: the set of pending events in total order.
 *
 * The order is (time, priority, sequence): earlier time first, then lower
 * priority number, then the order of insertion.  The key is unique, so every
 * implementation gives the same run; `sim_fel_heap` is the plain binary heap
 * that the others are compared with.
 *
 * No entry is inserted with a time before that of the last one popped.
 *
 * Entries are named by the slot number of the engine's event pool.  The list
 * tells the engine nothing else and owns no event. */
#pragma once

#include "sim_time.h"

typedef struct {
  SimTime time;
  guint64 order; /* priority << 62 | sequence */
  guint32 slot;
} SimFelEntry;

typedef struct SimFel SimFel;

typedef struct {
  const char *name;
  const char *help;
  SimFel *(*new_) (void);
  void (*free_) (SimFel *fel);
  void (*insert) (SimFel *fel, SimFelEntry entry);
  /* Removes the entry with this slot; it must be in the list. */
  void (*remove) (SimFel *fel, guint32 slot);
  /* The earliest entry without removing it; FALSE when empty. */
  gboolean (*peek) (SimFel *fel, SimFelEntry *ret_entry);
  /* Removes the earliest entry if its time is not after until; FALSE, and nothing
   * is removed, when there is none. */
  gboolean (*pop) (SimFel *fel, SimTime until, SimFelEntry *ret_entry);
  gsize (*count) (const SimFel *fel);
} SimFelClass;

extern const SimFelClass sim_fel_heap;

/* All implementations, NULL-terminated; the first is the default. */
extern const SimFelClass *const sim_fel_classes[];
