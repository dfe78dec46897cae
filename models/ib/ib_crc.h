/* CRC-32 of Ethernet (IEEE 802.3, 3.2.9) and the invariant CRC that covers what a router
 * leaves alone (IBTA 7.8.1; RoCEv2: annex A17.3.3). */
#pragma once

#include <glib.h>

/* Tables for sixteen bytes at a time; read-only once made, so threads can share one. */
typedef struct {
  guint32 table[16][256];
} IbCrc;

void ib_crc_init (IbCrc *crc);

/* state: IB_CRC_START, or what the last call returned.  The CRC is the final state's
 * complement. */
#define IB_CRC_START G_MAXUINT32
guint32 ib_crc_update (const IbCrc *crc, guint32 state, const guint8 *bytes, gsize n);

typedef enum {
  IB_NETWORK_LRH,      /* 8 bytes, BTH follows */
  IB_NETWORK_LRH_GRH,  /* 48 bytes */
  IB_NETWORK_GRH,      /* 40 bytes: RoCEv1 */
  IB_NETWORK_IPV4_UDP, /* 28 bytes */
  IB_NETWORK_IPV6_UDP, /* 48 bytes */
} IbNetwork;

guint ib_network_bytes (IbNetwork network);

/* packet: from the network header on; n: up to where the ICRC stands.  The value to be
 * stored there, least significant byte first. */
guint32 ib_icrc (const IbCrc *crc, IbNetwork network, const guint8 *packet, gsize n);
