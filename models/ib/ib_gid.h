/* Multicast GIDs, and how they are made of IP groups. */
#pragma once

#include <glib.h>

typedef struct {
  guint64 high, low; /* bytes 0 to 7, most significant first; 8 to 15 */
} IbGid;

static inline gboolean
ib_gid_equal (const IbGid *a, const IbGid *b)
{
  return a->high == b->high && a->low == b->low;
}

static inline gboolean
ib_gid_is_zero (const IbGid *gid)
{
  return gid->high == 0 && gid->low == 0;
}

/* Order of the bytes: -1, 0, 1. */
int ib_gid_compare (const IbGid *a, const IbGid *b);
/* "ff12:401b:ffff::1"; returns text. */
#define IB_GID_TEXT 40
const char *ib_gid_text (const IbGid *gid, char text[IB_GID_TEXT]);
void ib_gid_bytes (const IbGid *gid, guint8 bytes[16]);

/* A group as an application names it. */
typedef enum {
  IB_GROUP_IPV4, /* in the low 32 bits; 0.0.0.0: the subnet administrator names one */
  IB_GROUP_IPV6,
  IB_GROUP_GID, /* AF_IB */
} IbGroupFamily;

typedef struct {
  IbGid address;
  IbGroupFamily family;
} IbGroupAddress;

/* "239.1.2.3", "ff15::1" or "ib:ff12:401b:ffff::1"; FALSE: no multicast address. */
gboolean ib_group_parse (const char *text, IbGroupAddress *ret_address);

/* Whose MGID of an IP group it is: signatures differ. */
typedef enum {
  IB_MGID_IPOIB,   /* 401B, 601B (RFC 4391, 4) */
  IB_MGID_RDMA_CM, /* 4001, 6001: RDMA CM, port space UDP (Linux cma_set_mgid) */
} IbMgidSignature;

/* Default partition, link-local scope.  An IPv6 group FF1x:A01B... is a MGID already. */
IbGid ib_mgid_of (const IbGroupAddress *address, IbMgidSignature signature);
/* The group that every IPoIB interface is in. */
IbGid ib_mgid_broadcast (void);
/* On RoCE (Linux cma_iboe_set_mgid, RoCEv2): IPv4 mapped into IPv6. */
IbGid ib_mgid_roce (const IbGroupAddress *address);
/* The n-th that a subnet administrator names itself. */
IbGid ib_mgid_assigned (guint64 n);
