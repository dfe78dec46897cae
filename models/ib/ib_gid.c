#include "ib_gid.h"

/* FF, transient, link-local; the signature; the default partition. */
#define MGID_HIGH(signature) \
  (G_GUINT64_CONSTANT (0xff12) << 48 | (guint64) (signature) << 32 | \
   G_GUINT64_CONSTANT (0xffff) << 16)
#define SIGNATURE_ASSIGNED 0xa01b

int
ib_gid_compare (const IbGid *a, const IbGid *b)
{
  if (a->high != b->high)
    return a->high < b->high ? -1 : 1;
  return (a->low > b->low) - (a->low < b->low);
}

void
ib_gid_bytes (const IbGid *gid, guint8 bytes[16])
{
  for (guint i = 0; i < 8; i++) {
    bytes[i] = (guint8) (gid->high >> (56 - 8 * i));
    bytes[8 + i] = (guint8) (gid->low >> (56 - 8 * i));
  }
}

IbGid
ib_mgid_of (const IbGroupAddress *address, IbMgidSignature signature)
{
  gboolean own = signature == IB_MGID_RDMA_CM;
  IbGid gid = address->address;

  switch (address->family) {
  case IB_GROUP_IPV4: /* ip_ib_mc_map: 28 bits of the group */
    if (gid.low == 0)
      return (IbGid){ 0, 0 };
    return (IbGid){ MGID_HIGH (own ? 0x4001 : 0x401b), gid.low & 0x0fffffff };
  case IB_GROUP_IPV6:
    if ((gid.high >> 32 & 0xfff0ffff) == 0xff10a01b)
      return gid;
    /* ipv6_ib_mc_map: the last 80 bits */
    return (IbGid){ MGID_HIGH (own ? 0x6001 : 0x601b) | (gid.high & 0xffff), gid.low };
  case IB_GROUP_GID:
    return gid;
  }
  g_assert_not_reached ();
}

IbGid
ib_mgid_broadcast (void)
{
  return (IbGid){ MGID_HIGH (0x401b), 0xffffffff };
}

IbGid
ib_mgid_roce (const IbGroupAddress *address)
{
  if (address->family != IB_GROUP_IPV4)
    return address->address;
  return (IbGid){ 0, G_GUINT64_CONSTANT (0xffff) << 32 | address->address.low };
}

IbGid
ib_mgid_assigned (guint64 n)
{
  return (IbGid){ MGID_HIGH (SIGNATURE_ASSIGNED), n };
}
