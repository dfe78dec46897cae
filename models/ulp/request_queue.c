/* A listener's requests in their queues. */
#include "listener_private.h"

static RequestLink *
link_of (Request *request)
{
  g_assert (request->has_work);
  return &request->work->link;
}

void
request_queue_push (RequestQueue *queue, Request *request)
{
  *link_of (request) = (RequestLink){ .prev = queue->tail };
  if (queue->tail)
    link_of (queue->tail)->next = request;
  else
    queue->head = request;
  queue->tail = request;
  queue->length++;
}

void
request_queue_remove (RequestQueue *queue, Request *request)
{
  RequestLink *link = link_of (request);

  g_assert (queue->length > 0);
  if (link->prev)
    link_of (link->prev)->next = link->next;
  else
    queue->head = link->next;
  if (link->next)
    link_of (link->next)->prev = link->prev;
  else
    queue->tail = link->prev;
  queue->length--;
}

Request *
request_queue_pop (RequestQueue *queue)
{
  Request *request = queue->head;

  if (request)
    request_queue_remove (queue, request);
  return request;
}
