/* Sightings on their way to the observer.
 *
 * Reading packets and following conversations take about the same time, so a long capture
 * is followed by a thread of its own while more of it is read.  Order and result do not
 * depend on it: there is one reader and one follower. */
#pragma once

#include "cm_observer.h"

typedef struct ExplainPipe ExplainPipe;

/* observer: borrowed; not to be touched until explain_pipe_close(). */
ExplainPipe *explain_pipe_new (CmObserver *observer);
/* Where to put the next sighting. */
CmSighting *explain_pipe_room (ExplainPipe *pipe);
/* The sighting there is complete: it will be shown to the observer. */
void explain_pipe_put (ExplainPipe *pipe);
/* The observer has seen all of them. */
void explain_pipe_close (ExplainPipe *pipe);
