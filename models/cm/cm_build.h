/* Messages of a connection, filled from its CmConn.  Private to models/cm. */
#pragma once

#include "cm_conn.h"
#include "ib_cm_msg.h"

/* The transaction id of an exchange begun by the owner of `local_id`. */
guint64 cm_build_tid (guint32 local_id);

/* The sender's CA GUID, which is the host's and not the connection's: in a REQ, a REP, and a
 * REJ for a timeout, where the peer finds the connection by it. */
void cm_build_sign (IbCmMsg *msg, guint64 ca_guid);

/* `sends` is 1 in all of them, and a CA GUID is not in them. */
IbCmMsg cm_build_req (const CmConn *conn, const CmProfile *profile);
IbCmMsg cm_build_rep (const CmConn *conn, const CmProfile *profile);
IbCmMsg cm_build_rtu (const CmConn *conn);
IbCmMsg cm_build_mra (const CmConn *conn, IbCmMessage message);
IbCmMsg cm_build_rej (const CmConn *conn, guint reason); /* by conn->state */
IbCmMsg cm_build_dreq (const CmConn *conn);
IbCmMsg cm_build_drep (const CmConn *conn);
IbCmMsg cm_build_lap (const CmConn *conn);
IbCmMsg cm_build_apr (const CmConn *conn, guint status);
IbCmMsg cm_build_sidr_req (const CmConn *conn);
IbCmMsg cm_build_sidr_rep (const CmConn *conn, guint status);
