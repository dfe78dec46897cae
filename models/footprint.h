/* What the parts of a world take in memory, in bytes, for a prediction before it is built.
 *
 * Sizes of the structs themselves; what a large world has once, and slack of arrays that grow, is
 * the caller's to add. */
#pragma once

#include "hca.h"

/* A host that waits for nothing: its parts (see also fabric.h and hca.h), and all of it. */
gsize cm_agent_footprint (void);
gsize sa_client_footprint (void);
gsize cma_host_footprint (FabricTransport transport);

/* A connection while it is open: both ends with their search tables; the application's part. */
gsize cm_id_footprint (void);      /* one end */
gsize cm_waiting_footprint (void); /* one end that waits for an answer, besides */
gsize sa_query_footprint (void);   /* a path query on its way */
gsize tcp_stack_footprint (void);
gsize tcp_socket_footprint (void);
gsize cma_id_footprint (FabricTransport transport); /* one end, with the CM's or TCP's part */
/* Multicast: a host that has to do with it, besides; an id's join with its membership (see also
 * multicast.h). */
gsize cma_multicast_footprint (void);
gsize cma_join_footprint (FabricTransport transport);
gsize sa_multicast_footprint (void); /* of a port, with IPoIB's membership */
gsize sa_member_footprint (void);
gsize sa_group_footprint (void); /* of a port, with a request on its way */
gsize sa_ipoib_group_footprint (void); /* an application's, with IPoIB's membership */
gsize sa_ipoib_footprint (void);
gsize connector_connect_footprint (void);           /* a connect with its record */
gsize connect_record_footprint (void);              /* the record alone, all its room used */
gsize listener_request_footprint (void);
gsize cma_listen_footprint (void); /* a service that is listened on, at its host */
