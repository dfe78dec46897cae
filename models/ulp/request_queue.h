/* Queues of a listener's requests, linked through the requests themselves. */
#pragma once

#include <glib.h>

typedef struct Request Request;

/* A request stands in one queue of each kind at most. */
typedef enum {
  REQUEST_QUEUE_WORK,  /* where it waits for something */
  REQUEST_QUEUE_ALIVE, /* all requests of a listener, in the order they came */
} RequestQueueKind;

typedef struct {
  Request *prev, *next;
} RequestLink;

typedef struct {
  Request *head, *tail;
  guint length;
} RequestQueue;

void request_queue_push (RequestQueue *queue, RequestQueueKind kind, Request *request);
/* It must stand in this queue. */
void request_queue_remove (RequestQueue *queue, RequestQueueKind kind, Request *request);
/* The first one; NULL if there is none. */
Request *request_queue_pop (RequestQueue *queue, RequestQueueKind kind);
