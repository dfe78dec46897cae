/* Members of a multicast group: the applications of one `multicast:` entry, which join, stay and
 * leave.  Each has an rdma_cm id of its own, or joins through the host's IPoIB. */
#pragma once

#include "arrivals.h"
#include "cma_channel.h"

typedef enum {
  MULTICAST_BY_RDMA_CM,
  MULTICAST_BY_IPOIB, /* an IP application's group: IPoIB tries until it is in, and stays in */
} MulticastBy;

typedef enum {
  MULTICAST_SPACE_UDP,
  MULTICAST_SPACE_IPOIB,
  MULTICAST_SPACE_TCP, /* its ids are not UD: refused */
} MulticastSpace;

typedef enum {
  MULTICAST_FULL,
  MULTICAST_SEND_ONLY,
} MulticastState;

typedef struct {
  const char *name;      /* of the entry; NULL: "multicast.N" */
  const char *from;      /* host group */
  const char *group;     /* see ib_group_parse() */
  guint by;              /* MulticastBy */
  guint port_space;      /* MulticastSpace */
  guint join_state;      /* MulticastState */
  SimChoice arrivals;    /* ArrivalClass */
  guint per_host;        /* members on each host of `from` */
  const char *channel; /* as ConnectParams.channel */
  gboolean resolve;      /* resolves the address; FALSE: only binds */
  gboolean rejoin;       /* joins again when it is out with the subnet manager or its port */
  SimTime retry_after;   /* another id after a join that failed; never */
  guint attempts;        /* at most; 0: no limit */
  SimTime leave_after;   /* from MULTICAST_JOIN to the leave; never */
  SimTime destroy_after; /* from the call to join to the id's end, whatever became of it; never */
} MulticastParams;

extern const SimParam multicast_params[];

/* How a member stands at the end. */
typedef enum {
  MULTICAST_WAITING, /* not started, or its join is under way */
  MULTICAST_IN,
  MULTICAST_LEFT,   /* by itself */
  MULTICAST_FAILED, /* MULTICAST_ERROR, or the call itself failed */
} MulticastEnd;

typedef struct {
  SimTime start;  /* the first call to join; SIM_TIME_NEVER: none */
  SimTime joined; /* MULTICAST_JOIN for the first time; SIM_TIME_NEVER: not yet */
  gint status;    /* of the last failure; 0: none */
  guint32 host;   /* index within the group */
  guint16 attempts;
  guint8 end; /* MulticastEnd */
} MulticastRecord;

/* Events and calls of all members. */
typedef struct {
  guint64 joins, errors, resets; /* MULTICAST_JOIN; MULTICAST_ERROR; of them -ENETRESET */
  guint64 refused, leaves;       /* calls to join that failed; to leave */
} MulticastCounters;

typedef struct Multicast Multicast;

typedef struct {
  /* For traces; may be NULL.  group: of MULTICAST_JOIN, else NULL. */
  void (*app_event) (gpointer owner, const Multicast *multicast, guint member, const char *event,
                     gint status, const CmaGroup *group);
} MulticastOps;

typedef struct {
  SimEngine *engine;
  const MulticastParams *params;
  Cma *const *hosts; /* of the group `from` */
  guint n_hosts;
  CmaChannel **channels; /* as ConnectorConfig.channels */
  guint entry; /* index of the entry */
  guint64 seed;
  guint32 replication;
} MulticastConfig;

Multicast *multicast_new (const MulticastConfig *config, const MulticastOps *ops, gpointer owner);
void multicast_start (Multicast *multicast); /* schedules the first arrival */
void multicast_free (Multicast *multicast);
guint multicast_entry (const Multicast *multicast);
guint multicast_members (const Multicast *multicast);
const MulticastRecord *multicast_record (const Multicast *multicast, guint member);
const MulticastCounters *multicast_counters (const Multicast *multicast);
/* What an entry's members take on so many hosts, in bytes (see footprint.h). */
gsize multicast_footprint (const MulticastParams *params, guint hosts, FabricTransport transport);
