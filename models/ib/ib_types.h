/* Identifiers of the InfiniBand architecture, and the MAD as it travels.
 *
 * MADs are decoded values that travel by copy; the byte layout is another
 * module's.  Inside the simulator a port is named by its LID (1, 2, ...). */
#pragma once

#include <glib.h>

#include "ib_cm_msg.h"
#include "ib_sa_msg.h"
#include "ib_tcp.h"

typedef guint32 IbLid; /* wider than the 16 bits on the wire: up to millions of simulated hosts */

typedef enum {
  IB_MGMT_CLASS_SUBN_ADM = 0x03,
  IB_MGMT_CLASS_CM = 0x07,
  IB_MGMT_CLASS_TCP = 0xff, /* no MAD, but a TCP segment on the same wire model */
} IbMgmtClass;

#define IB_MAD_BYTES 256

typedef struct {
  IbLid source, destination;
  guint8 mgmt_class; /* IbMgmtClass */
  union {
    IbCmMsg cm;
    IbSaMsg sa;
    IbTcpSegment tcp;
  };
} IbMad;
