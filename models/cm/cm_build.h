/* Messages of a connection, filled from its CmConn.  Private to models/cm. */
#pragma once

#include "cm_conn.h"
#include "ib_cm_msg.h"

/* The transaction id of an exchange begun by the owner of `local_id`. */
guint64 cm_build_tid (guint32 local_id);

/* `sends` is 1 in all of them. */
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
