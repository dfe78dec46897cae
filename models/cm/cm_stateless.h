/* Answers that need no connection: to a message for a service nobody offers, a QPN in
 * use, or a connection nobody knows. */
#pragma once

#include "ib_cm_msg.h"

/* The REJ of a REQ or REP (Linux cm.c cm_issue_rej). */
void cm_stateless_rej (const IbCmMsg *rejected, guint reason, IbCmMsg *ret_rej);
/* The SIDR_REP of a SIDR_REQ. */
void cm_stateless_sidr_rep (const IbCmMsg *req, guint status, IbCmMsg *ret_rep);
/* The MRA of a REQ. */
void cm_stateless_mra (const IbCmMsg *req, guint32 local_id, guint service_timeout,
                       IbCmMsg *ret_mra);
/* The DREP to a DREQ (cm_issue_drep). */
void cm_stateless_drep (const IbCmMsg *dreq, IbCmMsg *ret_drep);
