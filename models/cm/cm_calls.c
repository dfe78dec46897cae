/* What a consumer may ask of the CM. */
#include "cm_agent.h"

#include <errno.h>

#include "cm_lap.h"
#include "cm_shared.h"
#include "cm_sidr.h"

static gint
feed_type (CmId *id, CmEventType type)
{
  return cm_agent_feed (id, &(CmEvent){ .type = type });
}

/* ----- connections ----- */

CmId *
cm_connect (CmAgent *agent, const CmConnectRequest *request, SimStreamKey retry_key, gpointer owner)
{
  CmId *id = cm_shared_alloc (agent->shared, agent, request->destination);
  CmConn *conn = &id->conn;

  id->owner = owner;
  id->held = TRUE;
  if (cm_retry_is_needed (request->retry))
    cm_shared_set_retry (id, cm_retry_new (&cm_agent_extra (agent)->retry_states, request->retry,
                                           request->destination, retry_key,
                                           request->retry_stream));
  conn->active = TRUE;
  conn->peer = request->peer != 0;
  conn->wrong = (guint8) request->wrong;
  conn->service_id = request->service_id;
  conn->local_qpn = CM_24_BITS (request->qpn);
  conn->local_psn = request->starting_psn;
  conn->packet_lifetime = CM_CODE (request->packet_lifetime);
  conn->remote_response_timeout = CM_CODE (request->response_timeout);
  conn->local_response_timeout = CM_CODE (request->response_timeout);
  conn->max_cm_retries = CM_RETRIES (request->max_retries);
  if (conn->peer)
    cm_agent_add_peer (agent, id);
  feed_type (id, CM_EV_ULP_CONNECT);
  return id;
}

gint
cm_accept (CmId *id, guint32 qpn, guint32 starting_psn)
{
  if (cm_agent_no_memory (cm_id_agent (id))) /* ib_send_cm_rep: cm_alloc_msg */
    return -ENOMEM;
  id->conn.local_qpn = CM_24_BITS (qpn);
  id->conn.local_psn = starting_psn;
  return feed_type (id, CM_EV_ULP_ACCEPT);
}

gint
cm_reject (CmId *id, guint reason, IbLid redirect)
{
  return cm_agent_feed (
      id, &(CmEvent){ .type = CM_EV_ULP_REJECT, .reason = reason, .redirect = redirect });
}

gint
cm_establish (CmId *id)
{
  return feed_type (id, CM_EV_ULP_ESTABLISH);
}

gint
cm_prepare_mra (CmId *id)
{
  return feed_type (id, CM_EV_ULP_PREPARE_MRA);
}

gint
cm_disconnect (CmId *id)
{
  return feed_type (id, CM_EV_ULP_DISCONNECT);
}

void
cm_resolve_deferred (CmId *id, CmVerdict verdict)
{
  if (verdict.event != CM_EV_REQ_ADMITTED) {
    id->owner = NULL;
    id->held = FALSE;
  }
  cm_agent_feed (id, &(CmEvent){ .type = verdict.event,
                                 .reason = verdict.reason,
                                 .redirect = verdict.redirect });
}

void
cm_destroy (CmId *id)
{
  id->owner = NULL;
  id->held = FALSE;
  cm_shared_free_number (id);
  if (id->sidr)
    cm_agent_feed_sidr (id, &(CmEvent){ .type = CM_SIDR_EV_ULP_DESTROY });
  else
    feed_type (id, CM_EV_ULP_DESTROY);
}

void
cm_abandon (CmId *id)
{
  id->owner = NULL;
  id->held = FALSE;
  cm_shared_lose (cm_id_shared (id), id);
}

/* ----- alternate paths ----- */

gint
cm_load_alternate (CmId *id)
{
  return cm_agent_feed_lap (id, &(CmEvent){ .type = CM_LAP_EV_ULP_LOAD });
}

gint
cm_answer_alternate (CmId *id, guint status)
{
  return cm_agent_feed_lap (id, &(CmEvent){ .type = CM_LAP_EV_ULP_ANSWER, .reason = status });
}

gint
cm_delay_alternate (CmId *id, guint service_timeout)
{
  return cm_agent_feed_lap (
      id, &(CmEvent){ .type = CM_LAP_EV_ULP_DELAY, .service_timeout = service_timeout });
}

/* ----- service ID resolution ----- */

CmId *
cm_resolve_service (CmAgent *agent, const CmServiceRequest *request, gpointer owner)
{
  CmId *id = cm_shared_alloc (agent->shared, agent, request->destination);
  CmConn *conn = &id->conn;

  id->owner = owner;
  id->held = TRUE;
  id->sidr = TRUE;
  conn->service_id = request->service_id;
  conn->local_response_timeout = CM_CODE (request->response_timeout);
  conn->max_cm_retries = CM_RETRIES (request->max_retries);
  cm_agent_feed_sidr (id, &(CmEvent){ .type = CM_SIDR_EV_ULP_RESOLVE });
  return id;
}

gint
cm_reply_service (CmId *id, guint status, guint32 qpn)
{
  id->conn.local_qpn = CM_24_BITS (qpn);
  return cm_agent_feed_sidr (id, &(CmEvent){ .type = CM_SIDR_EV_ULP_REPLY, .reason = status });
}

/* ----- looking ----- */

const CmConn *
cm_id_conn (const CmId *id)
{
  return &id->conn;
}

IbLid
cm_id_remote (const CmId *id)
{
  return id->remote;
}
