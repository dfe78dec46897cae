/* A listener's requests in their queues. */
#include "listener_private.h"

static RequestLink *
link_of (Request *request, RequestQueueKind kind)
{
  return kind == REQUEST_QUEUE_ALIVE ? &request->alive : &request->work->link;
}

void
request_queue_push (RequestQueue *queue, RequestQueueKind kind, Request *request)
{
  *link_of (request, kind) = (RequestLink){ .prev = queue->tail };
  if (queue->tail)
    link_of (queue->tail, kind)->next = request;
  else
    queue->head = request;
  queue->tail = request;
  queue->length++;
}

void
request_queue_remove (RequestQueue *queue, RequestQueueKind kind, Request *request)
{
  RequestLink *link = link_of (request, kind);

  g_assert (queue->length > 0);
  if (link->prev)
    link_of (link->prev, kind)->next = link->next;
  else
    queue->head = link->next;
  if (link->next)
    link_of (link->next, kind)->prev = link->prev;
  else
    queue->tail = link->prev;
  queue->length--;
}

Request *
request_queue_pop (RequestQueue *queue, RequestQueueKind kind)
{
  Request *request = queue->head;

  if (request)
    request_queue_remove (queue, kind, request);
  return request;
}
