/* A binary heap of conversations by the time when they are over, if nothing more comes. */
#include "cm_observer_private.h"

typedef struct {
  SimTime when; /* as it was when the conversation was added: it may have become later */
  CmConversation *conversation;
} Expiry;

#define EXPIRY(expiries, i) g_array_index (expiries, Expiry, i)

static void
heap_put (GArray *expiries, guint i, Expiry expiry)
{
  EXPIRY (expiries, i) = expiry;
  expiry.conversation->heap_place = i + 1;
}

static void
heap_up (GArray *expiries, guint i)
{
  Expiry moved = EXPIRY (expiries, i);

  for (; i > 0 && EXPIRY (expiries, (i - 1) / 2).when > moved.when; i = (i - 1) / 2)
    heap_put (expiries, i, EXPIRY (expiries, (i - 1) / 2));
  heap_put (expiries, i, moved);
}

static void
heap_down (GArray *expiries, guint i)
{
  guint n = expiries->len;
  Expiry moved = EXPIRY (expiries, i);

  for (guint child = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && EXPIRY (expiries, child + 1).when < EXPIRY (expiries, child).when)
      child++;
    if (EXPIRY (expiries, child).when >= moved.when)
      break;
    heap_put (expiries, i, EXPIRY (expiries, child));
    i = child;
  }
  heap_put (expiries, i, moved);
}

void
cm_expiry_add (GArray *expiries, CmConversation *conversation)
{
  Expiry expiry = { conversation->expires, conversation };

  g_array_append_val (expiries, expiry);
  heap_up (expiries, expiries->len - 1);
}

void
cm_expiry_remove (GArray *expiries, CmConversation *conversation)
{
  guint last = expiries->len - 1, i = conversation->heap_place - 1;

  conversation->heap_place = 0;
  if (i < last)
    heap_put (expiries, i, EXPIRY (expiries, last));
  g_array_set_size (expiries, last);
  if (i < last) {
    heap_down (expiries, i);
    heap_up (expiries, i);
  }
}

CmConversation *
cm_expiry_due (GArray *expiries, SimTime now)
{
  return expiries->len > 0 && EXPIRY (expiries, 0).when <= now ? EXPIRY (expiries, 0).conversation
                                                               : NULL;
}

GArray *
cm_expiries_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Expiry));
}
