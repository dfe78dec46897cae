#include "explain_pipe.h"

#define BATCH 512 /* sightings; a capture with fewer needs no thread */
#define BATCHES 16

typedef struct {
  CmSighting sightings[BATCH];
  guint n;
} Batch;

struct ExplainPipe {
  CmObserver *observer;
  Batch *filling;
  GThread *follower;  /* NULL: not started, or the system has no thread to spare */
  gboolean started;
  GAsyncQueue *filled, *empty; /* of Batch */
  Batch batches[BATCHES];
};

static void
follow (CmObserver *observer, const Batch *batch)
{
  for (guint i = 0; i < batch->n; i++)
    cm_observer_see (observer, &batch->sightings[i]);
}

/* Until an empty batch. */
static gpointer
follower_main (gpointer data)
{
  ExplainPipe *pipe = data;
  Batch *batch;

  while ((batch = g_async_queue_pop (pipe->filled))->n > 0) {
    follow (pipe->observer, batch);
    g_async_queue_push (pipe->empty, batch);
  }
  return NULL;
}

ExplainPipe *
explain_pipe_new (CmObserver *observer)
{
  ExplainPipe *pipe = g_new (ExplainPipe, 1);

  pipe->observer = observer;
  pipe->follower = NULL;
  pipe->started = FALSE;
  pipe->filled = g_async_queue_new ();
  pipe->empty = g_async_queue_new ();
  for (guint i = 1; i < BATCHES; i++)
    g_async_queue_push (pipe->empty, &pipe->batches[i]);
  pipe->filling = &pipe->batches[0];
  pipe->filling->n = 0;
  return pipe;
}

CmSighting *
explain_pipe_room (ExplainPipe *pipe)
{
  return &pipe->filling->sightings[pipe->filling->n];
}

static void
hand_over (ExplainPipe *pipe)
{
  g_async_queue_push (pipe->filled, pipe->filling);
  pipe->filling = g_async_queue_pop (pipe->empty);
}

void
explain_pipe_put (ExplainPipe *pipe)
{
  if (++pipe->filling->n < BATCH)
    return;
  if (!pipe->started)
    pipe->follower = g_thread_try_new ("follower", follower_main, pipe, NULL);
  pipe->started = TRUE;
  if (pipe->follower)
    hand_over (pipe);
  else
    follow (pipe->observer, pipe->filling);
  pipe->filling->n = 0;
}

void
explain_pipe_close (ExplainPipe *pipe)
{
  if (pipe->follower) {
    if (pipe->filling->n > 0)
      hand_over (pipe);
    pipe->filling->n = 0;
    g_async_queue_push (pipe->filled, pipe->filling);
    g_thread_join (pipe->follower);
  } else {
    follow (pipe->observer, pipe->filling);
  }
  g_async_queue_unref (pipe->filled);
  g_async_queue_unref (pipe->empty);
  g_free (pipe);
}
