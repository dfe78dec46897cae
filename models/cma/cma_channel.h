/* An event channel: events of all ids on it, read one by one in the order in which they came
 * (Linux ucma.c; librdmacm rdma_event_channel).
 *
 * An id is on the channel that its CmaIdOps.channel() names.  What is not there any more when its
 * turn comes, because its id or its multicast group was let go of, is not read. */
#pragma once

#include "cma.h"

typedef struct {
  /* An event is there to be read. */
  void (*arrived) (gpointer consumer);
} CmaChannelOps;

typedef struct {
  guint64 read, lost;    /* events; those there was no room for */
  guint length_max;
  SimTime wait, wait_max; /* of those read: from coming to being read; sum, longest */
} CmaChannelCounters;

/* limit: events that it holds; 0: any number.  One that finds no room is lost: Linux has no
 * memory for it.  A request that finds none is the listener's business. */
CmaChannel *cma_channel_new (SimEngine *engine, guint limit, const CmaChannelOps *ops,
                             gpointer consumer);
void cma_channel_free (CmaChannel *channel); /* after the ids on it, or at the end of the run */
guint cma_channel_length (const CmaChannel *channel);
gboolean cma_channel_is_full (const CmaChannel *channel);
/* CONNECT_REQUEST of a child: the listener's, which asks for room before. */
void cma_channel_put_request (CmaChannel *channel, CmaId *id);
/* The next one is a CONNECT_REQUEST.  The channel is not empty. */
gboolean cma_channel_next_is_request (const CmaChannel *channel);
/* Reads the next one.  A CONNECT_REQUEST is the caller's to handle, and its id is returned; another
 * event's id hears of it inside: NULL. */
CmaId *cma_channel_read (CmaChannel *channel);
const CmaChannelCounters *cma_channel_counters (const CmaChannel *channel);
void cma_channel_restart_max (CmaChannel *channel);
