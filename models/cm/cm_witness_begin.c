/* What the ends of a conversation are taken to be before its first message. */
#include "cm_observer_private.h"

/* What SIDR does not tell: rdma_cm takes what it takes for connections. */
static void
begin_sidr (CmShadow *active, const CmProfile *profile, const IbCmMsg *req)
{
  active->conn = (CmConn){ .local_id = req->local_id,
                           .service_id = req->service_id,
                           .max_cm_retries = CM_RETRIES (profile->max_retries),
                           .local_response_timeout = CM_CODE (profile->response_timeout) };
  active->proved = active->conn;
}

/* As ib_send_cm_req fills it; what the path was like follows from the ACK timeout. */
void
cm_witness_begin (CmConversation *conversation, const CmProfile *profile, const IbCmMsg *req)
{
  CmShadow *active = &conversation->ends[CM_SIDE_ACTIVE];
  CmShadow *passive = &conversation->ends[CM_SIDE_PASSIVE];
  guint ack_timeout = req->local_ack_timeout;

  conversation->req = *req;
  active->fresh = passive->fresh = TRUE;
  if (conversation->sidr) {
    begin_sidr (active, profile, req);
    return;
  }
  active->conn = (CmConn){
    .local_id = req->local_id,
    .local_qpn = CM_24_BITS (req->qpn),
    .local_psn = req->starting_psn,
    .service_id = req->service_id,
    .max_cm_retries = CM_RETRIES (req->max_cm_retries),
    .remote_response_timeout = CM_CODE (req->remote_response_timeout),
    .local_response_timeout = CM_CODE (req->local_response_timeout),
    .packet_lifetime = CM_CODE (ack_timeout > 0 ? ack_timeout - 1 : 0),
  };
  active->proved = active->conn;
  active->ca_guid = req->ca_guid;
}

/* What was sent to it in either conversation has been sent to it. */
void
cm_witness_cross (CmConversation *conversation, CmConversation *other)
{
  CmShadow *passive = &conversation->ends[CM_SIDE_PASSIVE];
  const CmShadow *own = &other->ends[CM_SIDE_ACTIVE];

  passive->conn = own->conn;
  passive->proved = own->proved;
  passive->conn.peer = passive->proved.peer = TRUE;
  passive->ca_guid = own->ca_guid;
  passive->since = own->since;
  passive->proved_since = own->proved_since;
  passive->fresh = FALSE;
  other->crossed = TRUE;
}

CmSide
cm_witness_side (const IbCmMsg *msg)
{
  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REP:
  case IB_CM_APR:
  case IB_CM_DREP:
  case IB_CM_SIDR_REP:
    return CM_SIDE_PASSIVE;
  case IB_CM_MRA:
    return msg->message == IB_CM_MESSAGE_REP ? CM_SIDE_ACTIVE : CM_SIDE_PASSIVE;
  case IB_CM_REJ: /* "timeout" comes from an end that waits for a REP */
    return msg->message == IB_CM_MESSAGE_REP || msg->reason == IB_CM_REJ_TIMEOUT
               ? CM_SIDE_ACTIVE
               : CM_SIDE_PASSIVE;
  case IB_CM_REQ:
  case IB_CM_RTU:
  case IB_CM_DREQ:
  case IB_CM_LAP:
  case IB_CM_SIDR_REQ:
    return CM_SIDE_ACTIVE;
  }
  g_assert_not_reached ();
}

/* Where the ends stand when such a message is sent: the sender, the receiver. */
static void
states_of (const IbCmMsg *msg, CmState *ret_sender, CmState *ret_receiver)
{
  gboolean of_rep = msg->message == IB_CM_MESSAGE_REP;

  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REP:
    *ret_sender = CM_STATE_REP_SENT;
    *ret_receiver = CM_STATE_REQ_SENT;
    return;
  case IB_CM_RTU:
    *ret_sender = CM_STATE_REP_RCVD;
    *ret_receiver = CM_STATE_REP_SENT;
    return;
  case IB_CM_REJ:
    if (msg->reason == IB_CM_REJ_TIMEOUT) {
      *ret_sender = CM_STATE_REQ_SENT;
      *ret_receiver = CM_STATE_REQ_RCVD;
      return;
    }
    if (msg->message == IB_CM_MESSAGE_OTHER) {
      *ret_sender = CM_STATE_REP_SENT;
      *ret_receiver = CM_STATE_REP_RCVD;
      return;
    }
    G_GNUC_FALLTHROUGH;
  case IB_CM_MRA:
    *ret_sender = of_rep ? CM_STATE_MRA_REP_SENT : CM_STATE_MRA_REQ_SENT;
    *ret_receiver = of_rep ? CM_STATE_REP_SENT : CM_STATE_REQ_SENT;
    return;
  case IB_CM_DREP:
    *ret_sender = CM_STATE_DREQ_RCVD;
    *ret_receiver = CM_STATE_DREQ_SENT;
    return;
  case IB_CM_REQ:
  case IB_CM_SIDR_REQ:
    break; /* they begin a conversation */
  case IB_CM_SIDR_REP:
    *ret_sender = (CmState) CM_SIDR_STATE_SIDR_REQ_RCVD;
    *ret_receiver = (CmState) CM_SIDR_STATE_SIDR_REQ_SENT;
    return;
  case IB_CM_DREQ:
  case IB_CM_LAP:
  case IB_CM_APR:
    *ret_sender = *ret_receiver = CM_STATE_ESTABLISHED;
    return;
  }
  g_assert_not_reached ();
}

/* The most that a REQ's field holds: what this one said is not known. */
#define RETRIES_MAX 15
#define CODE_MAX 31

/* The first message seen may be a repetition or the first of all, so a wait has one more. */
static void
join_end (CmShadow *shadow, const CmProfile *profile, CmState state, guint32 local_id,
          guint32 remote_id)
{
  shadow->conn = (CmConn){
    .state = CM_STATE_BITS (state),
    .local_id = local_id,
    .remote_id = remote_id,
    .max_cm_retries = RETRIES_MAX,
    .retries_left = RETRIES_MAX + 1,
    .remote_response_timeout = CM_CODE (profile->response_timeout),
    .local_response_timeout = CM_CODE (profile->response_timeout),
    .packet_lifetime = CM_CODE (profile->packet_lifetime),
    .ack_timeout = CM_CODE (MIN (profile->packet_lifetime + 1, CODE_MAX)),
  };
  shadow->proved = shadow->conn;
  shadow->fresh = FALSE;
}

void
cm_witness_join (CmConversation *conversation, const CmProfile *profile, CmSide side,
                 const IbCmMsg *msg)
{
  CmShadow *sender = &conversation->ends[side], *receiver = &conversation->ends[!side];
  CmState sender_state, receiver_state;

  states_of (msg, &sender_state, &receiver_state);
  join_end (sender, profile, sender_state, msg->local_id, msg->remote_id);
  join_end (receiver, profile, receiver_state, msg->remote_id,
            receiver_state == CM_STATE_REQ_SENT ? 0 : msg->local_id);
  if (msg->attr == IB_CM_APR)
    sender->conn.lap_state = sender->proved.lap_state = CM_LAP_STATE_RCVD;
  sender->conn.active = sender->proved.active = side == CM_SIDE_ACTIVE;
  receiver->conn.active = receiver->proved.active = side != CM_SIDE_ACTIVE;
}
