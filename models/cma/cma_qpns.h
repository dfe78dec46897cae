/* QP numbers of a host's adapter: the next one each time, or those of QPs that are gone again. */
#pragma once

#include "hca.h"
#include "sim_engine.h"

/* Of a host's first QP; they count up from there. */
#define CMA_QPN_FIRST 0x1000u

typedef struct CmaQpnsGone CmaQpnsGone;

/* There may be millions of hosts. */
typedef struct {
  CmaQpnsGone *gone; /* NULL: none is given out again */
  guint32 next;
} CmaQpns;

void cma_qpns_init (CmaQpns *qpns);
void cma_qpns_clear (CmaQpns *qpns);
guint32 cma_qpns_take (CmaQpns *qpns, const HcaParams *params, SimTime now);
/* The QP of that number has been destroyed. */
void cma_qpns_give (CmaQpns *qpns, const HcaParams *params, guint32 qpn, SimTime now);
