/* The handlers that cm_fsm_table.c names, and the steps they share.  Private to
 * models/cm.  A handler does not look at clocks or tables; it edits the CmConn, fills
 * effects in the order they are to be done, the news for the consumer last, and returns
 * the next state. */
#pragma once

#include "cm_build.h"
#include "cm_fsm.h"
#include "cm_time.h"

/* Head of a handler; not every handler needs all of its arguments. */
#define CM_HANDLER(name) \
  CmState name (G_GNUC_UNUSED CmConn *conn, G_GNUC_UNUSED const CmEvent *event, \
                G_GNUC_UNUSED const CmProfile *profile, G_GNUC_UNUSED CmEffects *effects)

/* cm_establish.c: REQ, REP, RTU. */
CM_HANDLER (cm_send_req);
CM_HANDLER (cm_retry_req);
CM_HANDLER (cm_take_rep);
CM_HANDLER (cm_take_peer_req);
CM_HANDLER (cm_send_rtu);
CM_HANDLER (cm_repeat_rtu);
CM_HANDLER (cm_admit_req);
CM_HANDLER (cm_defer_req);
CM_HANDLER (cm_admit_deferred);
CM_HANDLER (cm_send_rep);
CM_HANDLER (cm_retry_rep);
CM_HANDLER (cm_take_rtu);
CM_HANDLER (cm_take_comm_est);

/* cm_mra.c: MRA. */
CM_HANDLER (cm_note_mra);
CM_HANDLER (cm_repeat_mra);
CM_HANDLER (cm_take_mra);

/* cm_refuse.c: REJ, and giving up without one. */
CM_HANDLER (cm_drop_req);
CM_HANDLER (cm_refuse_req);
CM_HANDLER (cm_drop_deferred);
CM_HANDLER (cm_send_rej);
CM_HANDLER (cm_send_rej_by_destroy);
CM_HANDLER (cm_send_rej_stale_rep);
CM_HANDLER (cm_send_rej_stale_req);
CM_HANDLER (cm_take_rej);

/* cm_release.c: DREQ, DREP, timewait. */
CM_HANDLER (cm_send_dreq);
CM_HANDLER (cm_retry_dreq);
CM_HANDLER (cm_take_dreq);
CM_HANDLER (cm_send_drep);
CM_HANDLER (cm_repeat_drep);
CM_HANDLER (cm_take_drep);
CM_HANDLER (cm_send_dreq_by_destroy);
CM_HANDLER (cm_abandon_dreq);
CM_HANDLER (cm_leave_timewait);

/* cm_wait.c: what handlers share. */

/* Sends for the first time a message that wants an answer. */
void cm_wait_begin (CmConn *conn, IbCmMsg msg, CmWaitKind wait, const CmProfile *profile,
                    CmEffects *effects);
/* How an established end waits: each side keeps the timer it was established with. */
static inline CmWaitKind
cm_wait_of_side (const CmConn *conn)
{
  return conn->active ? CM_WAIT_REQUEST : CM_WAIT_RESPONSE;
}
/* Sends it once more; FALSE when the retries are used up or the deadline is over. */
gboolean cm_wait_again (CmConn *conn, IbCmMsg msg, const CmEvent *timeout,
                        const CmProfile *profile, CmEffects *effects);
/* An MRA asks for more time. */
void cm_wait_stretch (CmConn *conn, const IbCmMsg *mra, const CmProfile *profile,
                      CmEffects *effects);
/* The answer came, or nobody wants it any more. */
void cm_wait_over (CmConn *conn, CmEffects *effects);
/* The same of an RC connection in any state; nothing if the state is not one of waiting. */
void cm_wait_end (CmConn *conn, CmEffects *effects);
/* Numbers a message that is sent again whenever a duplicate asks for it. */
void cm_number_repeat (CmConn *conn, IbCmMsg *msg);

/* Ways out: they leave the tables if the end is in them, and return the state. */
CmState cm_enter_idle (CmConn *conn, CmEffects *effects);
CmState cm_enter_timewait (CmConn *conn, const CmProfile *profile, CmEffects *effects);
