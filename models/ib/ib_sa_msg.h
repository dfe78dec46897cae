/* Subnet-administration messages as values: PathRecord Get and its response
 * (IBTA vol. 1, 15.2.5.16). */
#pragma once

#include <glib.h>

typedef enum {
  IB_SA_GET_PATH,
  IB_SA_GET_PATH_RESP,
} IbSaMethod;

typedef struct {
  guint8 method;          /* IbSaMethod */
  guint8 packet_lifetime; /* response: 6-bit code, 4.096 us x 2^n */
  guint8 mtu, rate, sl;   /* response: codes */
  guint16 status;         /* response: 0 ok */
  guint32 dlid, slid;
  guint64 tid;
} IbSaMsg;
