/* Messages that want an answer: their response timer, their deadline, and the queue in
 * front of them where the profile limits how many a host may have outstanding.  Private to
 * models/cm. */
#pragma once

#include "cm_effects.h"
#include "mad_timer.h"

typedef struct CmPending CmPending; /* of one id, while it waits or is queued */
struct CmAgent;
struct CmId;
struct CmShared;

extern const MadTimerOps cm_pending_timer_ops;

/* Sends a message of the id, or queues it, and waits for `interval` from the completion of
 * the send on. */
void cm_pending_send (struct CmId *id, const IbCmMsg *msg, SimTime interval);
/* An MRA: waits for `interval` from now on. */
void cm_pending_stretch (struct CmId *id, SimTime interval);
/* The answer came; nothing if the id does not wait. */
void cm_pending_stop (struct CmId *id);
/* Sends what is queued and may go now. */
void cm_pending_pump (struct CmAgent *agent);
/* At the beginning and the end of a run; the ids must be there yet. */
void cm_pending_init (struct CmShared *shared);
void cm_pending_clear (struct CmShared *shared);
