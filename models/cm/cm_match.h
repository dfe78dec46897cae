/* Whether a received message concerns a connection: the rules by which Linux finds it. */
#pragma once

#include "cm_conn.h"
#include "ib_cm_msg.h"

/* The message came from the peer's host and names the connection's local id (or, in a
 * REQ or a REJ "timeout", could not); a SIDR_REP the request's number.  FALSE: the CM drops
 * it. */
gboolean cm_match (const CmConn *conn, const IbCmMsg *msg);
