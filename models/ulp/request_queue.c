/* A listener's requests in their queues. */
#include "listener_private.h"

void
request_queue_push (RequestQueue *queue, RequestQueueKind kind, Request *request)
{
  request->links[kind] = (RequestLink){ .prev = queue->tail };
  if (queue->tail)
    queue->tail->links[kind].next = request;
  else
    queue->head = request;
  queue->tail = request;
  queue->length++;
}

void
request_queue_remove (RequestQueue *queue, RequestQueueKind kind, Request *request)
{
  RequestLink *link = &request->links[kind];

  g_assert (queue->length > 0);
  if (link->prev)
    link->prev->links[kind].next = link->next;
  else
    queue->head = link->next;
  if (link->next)
    link->next->links[kind].prev = link->prev;
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
