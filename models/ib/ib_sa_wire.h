/* Path queries, joins and leaves as bytes: PathRecord Get, MCMemberRecord Set and Delete, and
 * their responses (IBTA 15.2.5.16, 15.2.5.17). */
#pragma once

#include "ib_codec.h"

/* Behind the MAD header: RMPP header, SA header, path record. */
#define IB_SA_PATH_FIELDS(N, A, R) \
  N (guint8, rmpp_version, 0, 0, 8, "0: not a multi-packet transfer") \
  N (guint8, rmpp_type, 1, 0, 8, "0") \
  N (guint8, rmpp_flags, 2, 0, 8, "0") \
  N (guint8, rmpp_status, 3, 0, 8, "0") \
  N (guint64, rmpp_data, 4, 0, 64, "0") \
  N (guint64, sm_key, 12, 0, 64, "0") \
  N (guint16, attribute_offset, 20, 0, 16, "size of a record in 8 bytes; 0 for one record") \
  R (22, 0, 16) \
  N (guint64, component_mask, 24, 0, 64, "which members of the record the query gives") \
  N (guint64, service_id, 32, 0, 64, "0") \
  A (dgid, 40, 16, "receiver's GID") \
  A (sgid, 56, 16, "sender's GID") \
  N (guint16, dlid, 72, 0, 16, "receiver's LID") \
  N (guint16, slid, 74, 0, 16, "sender's LID") \
  N (guint8, raw_traffic, 76, 0, 1, "0") \
  R (76, 1, 3) \
  N (guint32, flow_label, 76, 4, 20, "GRH flow label") \
  N (guint8, hop_limit, 79, 0, 8, "GRH hop limit") \
  N (guint8, traffic_class, 80, 0, 8, "GRH traffic class") \
  N (guint8, reversible, 81, 0, 1, "1: good in both directions") \
  N (guint8, paths, 81, 1, 7, "most records to return") \
  N (guint16, pkey, 82, 0, 16, "partition key") \
  N (guint16, qos_class, 84, 0, 12, "0") \
  N (guint8, sl, 85, 4, 4, "service level") \
  N (guint8, mtu_selector, 86, 0, 2, "2: exactly") \
  N (guint8, mtu, 86, 2, 6, "MTU, a code") \
  N (guint8, rate_selector, 87, 0, 2, "2: exactly") \
  N (guint8, rate, 87, 2, 6, "rate, a code") \
  N (guint8, lifetime_selector, 88, 0, 2, "2: exactly") \
  N (guint8, packet_lifetime, 88, 2, 6, "packet lifetime, a time code") \
  N (guint8, preference, 89, 0, 8, "0: the best") \
  R (90, 0, 48) \
  R (96, 0, 1088)

typedef struct { IB_LAYOUT_STRUCT (IB_SA_PATH_FIELDS) } IbSaPath;

extern const IbLayout ib_sa_path_layout;

/* The same headers, then the record of a port's membership in a multicast group. */
#define IB_SA_MEMBER_FIELDS(N, A, R) \
  N (guint8, rmpp_version, 0, 0, 8, "0: not a multi-packet transfer") \
  N (guint8, rmpp_type, 1, 0, 8, "0") \
  N (guint8, rmpp_flags, 2, 0, 8, "0") \
  N (guint8, rmpp_status, 3, 0, 8, "0") \
  N (guint64, rmpp_data, 4, 0, 64, "0") \
  N (guint64, sm_key, 12, 0, 64, "0") \
  N (guint16, attribute_offset, 20, 0, 16, "size of a record in 8 bytes; 0 for one record") \
  R (22, 0, 16) \
  N (guint64, component_mask, 24, 0, 64, "which members of the record the query gives") \
  A (mgid, 32, 16, "the group's GID; 0: the subnet administrator names one") \
  A (port_gid, 48, 16, "GID of the port that joins or leaves") \
  N (guint32, qkey, 64, 0, 32, "Q_Key of the group") \
  N (guint16, mlid, 68, 0, 16, "LID of the group") \
  N (guint8, mtu_selector, 70, 0, 2, "2: exactly") \
  N (guint8, mtu, 70, 2, 6, "MTU, a code") \
  N (guint8, traffic_class, 71, 0, 8, "GRH traffic class") \
  N (guint16, pkey, 72, 0, 16, "partition key") \
  N (guint8, rate_selector, 74, 0, 2, "2: exactly") \
  N (guint8, rate, 74, 2, 6, "rate, a code") \
  N (guint8, lifetime_selector, 75, 0, 2, "2: exactly") \
  N (guint8, packet_lifetime, 75, 2, 6, "packet lifetime, a time code") \
  N (guint8, sl, 76, 0, 4, "service level") \
  N (guint32, flow_label, 76, 4, 20, "GRH flow label") \
  N (guint8, hop_limit, 79, 0, 8, "GRH hop limit") \
  N (guint8, scope, 80, 0, 4, "scope, as in the MGID") \
  N (guint8, join_state, 80, 4, 4, "1 full, 2 non-member, 4 send-only, 8 send-only full") \
  N (guint8, proxy_join, 81, 0, 1, "0") \
  R (81, 1, 23) \
  R (84, 0, 1184)

typedef struct { IB_LAYOUT_STRUCT (IB_SA_MEMBER_FIELDS) } IbSaMember;

extern const IbLayout ib_sa_member_layout;

/* The whole MAD.  The path asked for goes from source to destination; who joins or leaves is
 * source. */
void ib_sa_encode (const IbSaMsg *msg, const IbEnd *source, const IbEnd *destination,
                   guint8 *mad);
