/* Queues of a listener's requests, linked through the requests themselves; each stands in one at
 * most, where it waits for something. */
#pragma once

#include <glib.h>

typedef struct Request Request;

typedef struct {
  Request *prev, *next;
} RequestLink;

typedef struct {
  Request *head, *tail;
  guint length;
} RequestQueue;

void request_queue_push (RequestQueue *queue, Request *request);
/* It must stand in this queue. */
void request_queue_remove (RequestQueue *queue, Request *request);
/* The first one; NULL if there is none. */
Request *request_queue_pop (RequestQueue *queue);
