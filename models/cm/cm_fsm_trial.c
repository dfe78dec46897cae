/* Tries the handlers of a connection with each choice they make, under every profile. */
#include "cm_fsm.h"

/* What handlers look at when they choose a next state. */
typedef struct {
  gboolean last_try;
  gboolean stale;
  gboolean other; /* QPN of a DREQ; peer to peer: the greater CA GUID */
  IbCmMessage message;
} Choice;

static Choice
choice (guint trial)
{
  return (Choice){ .last_try = trial & 1,
                   .stale = trial >> 1 & 1,
                   .other = trial >> 2 & 1,
                   .message = (IbCmMessage) (trial >> 3 & 1) };
}

/* Of the profiles only the timing of the MRA leads elsewhere: both ways of it. */
static CmProfile
profile_of (guint trial)
{
  CmProfile profile = *cm_profile_find ("linux-6.1");

  profile.mra_before_callback = trial >> 4 & 1;
  return profile;
}

static gboolean
in_block (guint event, CmEventType first, CmEventType last)
{
  return event >= first && event <= last;
}

guint
cm_fsm_try_row (const CmFsmRow *row, guint state, guint trial, guint64 *ret_needed)
{
  Choice chosen = choice (trial);
  CmProfile profile = profile_of (trial);
  gboolean verdict = in_block (row->event, CM_EV_REQ_ADMITTED, CM_EV_REQ_DEFERRED);
  CmConn conn = { .state = CM_STATE_BITS (state),
                  .local_id = 1,
                  .local_qpn = 2,
                  .peer = TRUE,
                  .lap_state = chosen.last_try ? CM_LAP_STATE_IDLE : CM_LAP_STATE_UNINIT,
                  .retries_left = chosen.last_try ? 0 : 1,
                  .deferred = verdict && state != CM_STATE_IDLE };
  IbCmMsg msg = { .local_id = 3,
                  .qpn = chosen.other ? 4 : 2,
                  .ca_guid = chosen.other ? 6 : 4,
                  .message = (guint8) chosen.message,
                  .reason = chosen.stale ? IB_CM_REJ_STALE_CONNECTION : IB_CM_REJ_CONSUMER,
                  .attr = row->event == CM_EV_RX_REP_STALE ? IB_CM_REP : IB_CM_REQ };
  CmEvent event = { .type = row->event, .reason = IB_CM_REJ_CONSUMER, .ca_guid = 5 };
  CmEffects effects = { .n = 0 };
  CmState next;

  /* A verdict on a REQ that was deferred comes without the REQ. */
  if ((verdict || in_block (row->event, CM_EV_COMM_EST, CM_EV_COMM_EST) ||
       in_block (row->event, CM_EV_RX_REQ, CM_EV_RX_REQ_PEER)) &&
      !conn.deferred)
    event.msg = &msg;
  next = ((CmHandler) row->handler) (&conn, &event, &profile, &effects);
  for (guint i = 0; i < effects.n; i++)
    if (effects.list[i].type == CM_EFFECT_START_TIMEWAIT)
      *ret_needed |= 1u << CM_EV_TIMEWAIT_EXIT;
  if (cm_effects_start_response (&effects))
    *ret_needed |= 1u << CM_EV_RESPONSE_TIMEOUT;
  return next;
}
