/* What the tests of the CM core share: two ends with the numbers of a captured
 * connection, and steps whose effects are compared as text. */
#pragma once

#include <string.h>

#include "cm_build.h"
#include "cm_fsm.h"
#include "test_sim.h"

/* The active end A and the passive end B; ids and A's QPN and PSN from a capture. */
#define A_ID 0x2fa35470u
#define A_GUID G_GUINT64_CONSTANT (0xa1)
#define A_QPN 0x11u
#define A_PSN 0x855443u
#define A_TID G_GUINT64_CONSTANT (0x27054a32f)
#define B_ID 0xb28653bau
#define B_GUID G_GUINT64_CONSTANT (0xb2)
#define B_QPN 0x20000u
#define B_PSN 0x76a2du
#define B_TID G_GUINT64_CONSTANT (0x2ba5386b2)
#define SERVICE G_GUINT64_CONSTANT (0x0000000001061d2f)

static inline const CmProfile *
linux_6_1 (void)
{
  return cm_profile_find ("linux-6.1");
}

static inline CmConn
end_a (void)
{
  return (CmConn){ .local_id = A_ID,
                   .local_qpn = A_QPN,
                   .local_psn = A_PSN,
                   .service_id = SERVICE,
                   .packet_lifetime = 18,
                   .remote_response_timeout = 20,
                   .local_response_timeout = 20,
                   .max_cm_retries = 15 };
}

static inline CmConn
end_b (void)
{
  return (CmConn){
    .local_id = B_ID, .local_qpn = B_QPN, .local_psn = B_PSN
  };
}

/* What A or B would send: ids in the order sender, receiver. */
static inline IbCmMsg
msg_from_a (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr,
                    .sends = 1,
                    .local_id = A_ID,
                    .remote_id = attr == IB_CM_REQ ? 0 : B_ID,
                    .tid = A_TID,
                    .qpn = attr == IB_CM_REQ ? A_QPN : B_QPN,
                    .service_id = SERVICE,
                    .ca_guid = A_GUID,
                    .remote_response_timeout = 20,
                    .local_response_timeout = 20,
                    .max_cm_retries = 15,
                    .local_ack_timeout = 19,
                    .service_timeout = 24 };
}

static inline IbCmMsg
msg_from_b (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr,
                    .sends = 1,
                    .local_id = B_ID,
                    .remote_id = A_ID,
                    .tid = A_TID,
                    .qpn = attr == IB_CM_REP ? B_QPN : A_QPN,
                    .ca_guid = B_GUID,
                    .target_ack_delay = 15,
                    .service_timeout = 24 };
}

/* The CA GUID in a message when it leaves a host with that one. */
static inline guint64
guid_sent (IbCmMsg msg, guint64 ca_guid)
{
  cm_build_sign (&msg, ca_guid);
  return msg.ca_guid;
}

static inline void
text_time (GString *text, const char *name, SimTime time)
{
  g_string_append_printf (text, "%s %" G_GINT64_FORMAT, name, time / SIM_MS (1));
  if (time % SIM_MS (1))
    g_string_append_printf (text, ".%06" G_GINT64_FORMAT, time % SIM_MS (1));
}

static inline void
text_send (GString *text, const IbCmMsg *msg)
{
  static const char *const messages[] = { "REQ", "REP", "other" };

  g_string_append_printf (text, "send %s", ib_cm_attr_name (msg->attr));
  if (msg->attr == IB_CM_REJ)
    g_string_append_printf (text, "(%u, %s)", msg->reason, messages[msg->message]);
  if (msg->attr == IB_CM_MRA)
    g_string_append_printf (text, "(%u, %s)", msg->service_timeout, messages[msg->message]);
  g_string_append_printf (text, " #%u", msg->sends);
}

/* "send REQ #1; start 6144"; times in milliseconds. */
static inline char *
effects_text (const CmEffects *effects)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < effects->n; i++) {
    const CmEffect *effect = &effects->list[i];

    if (i > 0)
      g_string_append (text, "; ");
    switch (effect->type) {
    case CM_EFFECT_SEND:
      text_send (text, &effect->msg);
      break;
    case CM_EFFECT_START_RESPONSE:
      text_time (text, "start", effect->time);
      break;
    case CM_EFFECT_MODIFY_RESPONSE:
      text_time (text, "modify", effect->time);
      break;
    case CM_EFFECT_STOP_RESPONSE:
      g_string_append (text, "stop");
      break;
    case CM_EFFECT_START_TIMEWAIT:
      text_time (text, "timewait", effect->time);
      break;
    case CM_EFFECT_INDEX:
      g_string_append (text, "index");
      break;
    case CM_EFFECT_UNINDEX:
      g_string_append (text, "unindex");
      break;
    case CM_EFFECT_NOTIFY:
      g_string_append_printf (text, "%s", cm_notify_name (effect->notify));
      if (effect->status)
        g_string_append_printf (text, "(%d)", effect->status);
      break;
    }
  }
  return g_string_free (text, FALSE);
}

static inline CmEffects
step_at (int line, CmConn *conn, const CmProfile *profile, CmEvent event, CmState state,
         const char *expected)
{
  CmEffects effects;
  CmState from = conn->state;

  cm_fsm_step (conn, &event, profile, &effects);
  g_autofree char *text = effects_text (&effects);
  ck_assert_msg (strcmp (text, expected) == 0, "line %d: %s in %s:\n  \"%s\", expected\n  \"%s\"",
                 line, cm_event_name (event.type), cm_state_name (from), text, expected);
  ck_assert_msg (conn->state == state, "line %d: %s in %s leads to %s, expected %s", line,
                 cm_event_name (event.type), cm_state_name (from), cm_state_name (conn->state),
                 cm_state_name (state));
  return effects;
}

/* Feeds an event given as designated initialisers; state without its prefix. */
#define STEP(conn, state, expected, ...) \
  step_at (__LINE__, conn, linux_6_1 (), (CmEvent){ __VA_ARGS__ }, CM_STATE_##state, expected)
#define STEP_IN(profile, conn, state, expected, ...) \
  step_at (__LINE__, conn, profile, (CmEvent){ __VA_ARGS__ }, CM_STATE_##state, expected)

static inline void
feed (CmConn *conn, CmEventType type, const IbCmMsg *msg)
{
  CmEffects effects;

  cm_fsm_step (conn, &(CmEvent){ .type = type, .msg = msg }, linux_6_1 (), &effects);
}

/* A brought to a state by the shortest way. */
static inline CmConn
a_in (CmState state)
{
  CmConn a = end_a ();
  IbCmMsg rep = msg_from_b (IB_CM_REP), mra = msg_from_b (IB_CM_MRA),
          dreq = msg_from_b (IB_CM_DREQ);

  if (state == CM_STATE_IDLE)
    return a;
  feed (&a, CM_EV_ULP_CONNECT, NULL);
  if (state == CM_STATE_REQ_SENT)
    return a;
  if (state == CM_STATE_MRA_REQ_RCVD) {
    feed (&a, CM_EV_RX_MRA, &mra);
    return a;
  }
  feed (&a, CM_EV_RX_REP, &rep);
  if (state == CM_STATE_MRA_REP_SENT)
    feed (&a, CM_EV_ULP_PREPARE_MRA, NULL);
  if (state == CM_STATE_REP_RCVD || state == CM_STATE_MRA_REP_SENT)
    return a;
  feed (&a, CM_EV_ULP_ESTABLISH, NULL);
  if (state == CM_STATE_DREQ_SENT)
    feed (&a, CM_EV_ULP_DISCONNECT, NULL);
  if (state == CM_STATE_DREQ_RCVD || state == CM_STATE_TIMEWAIT)
    feed (&a, CM_EV_RX_DREQ, &dreq);
  if (state == CM_STATE_TIMEWAIT)
    feed (&a, CM_EV_ULP_DISCONNECT, NULL);
  ck_assert_uint_eq (a.state, state);
  return a;
}

/* B brought to a state by the shortest way. */
static inline CmConn
b_in (CmState state)
{
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ), rtu = msg_from_a (IB_CM_RTU), mra = msg_from_a (IB_CM_MRA),
          dreq = msg_from_a (IB_CM_DREQ);

  mra.message = IB_CM_MESSAGE_REP;
  if (state == CM_STATE_IDLE)
    return b;
  feed (&b, CM_EV_REQ_ADMITTED, &req);
  if (state == CM_STATE_MRA_REQ_SENT)
    feed (&b, CM_EV_ULP_PREPARE_MRA, NULL);
  if (state == CM_STATE_REQ_RCVD || state == CM_STATE_MRA_REQ_SENT)
    return b;
  feed (&b, CM_EV_ULP_ACCEPT, NULL);
  if (state == CM_STATE_MRA_REP_RCVD)
    feed (&b, CM_EV_RX_MRA, &mra);
  if (state == CM_STATE_REP_SENT || state == CM_STATE_MRA_REP_RCVD)
    return b;
  feed (&b, CM_EV_RX_RTU, &rtu);
  if (state == CM_STATE_DREQ_SENT)
    feed (&b, CM_EV_ULP_DISCONNECT, NULL);
  if (state == CM_STATE_DREQ_RCVD || state == CM_STATE_TIMEWAIT)
    feed (&b, CM_EV_RX_DREQ, &dreq);
  if (state == CM_STATE_TIMEWAIT)
    feed (&b, CM_EV_ULP_DISCONNECT, NULL);
  ck_assert_uint_eq (b.state, state);
  return b;
}
