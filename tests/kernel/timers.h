/* The protocol timers that expired during an experiment, read off its log: resent
 * MADs, retries exhausted, timewait over. */
#pragma once

#include "kernel_log.h"

/* What a kernel of the captures asks of its timers, in ms (HZ 250). */
typedef struct {
  guint hz;
  guint request;  /* REQ, and DREQ of the side that sent it */
  guint timewait; /* and, beside the time the MRA says, the wait after an MRA */
} KernelTimes;

extern const KernelTimes kernel_times_6_1, kernel_times_6_12;

typedef enum {
  KERNEL_TIMER_RESEND,
  KERNEL_TIMER_GIVE_UP,
  KERNEL_TIMER_TIMEWAIT,
} KernelTimerKind;

typedef struct {
  KernelTimerKind kind;
  KernelSide side; /* whose timer */
  guint conn, instance;
  guint16 attr;    /* RESEND, GIVE_UP: of the MAD that waited */
  guint nth;       /* its send that started the wait */
  SimTime sent;    /* that send; TIMEWAIT: as start */
  SimTime start, end; /* of the wait: after an MRA it starts anew */
  SimTime nominal; /* what the CM asked for */
  gboolean on_wire; /* the end is a MAD, not an application's event */
} KernelTimer;

/* What a guest spreads over less than this happened in one instant. */
#define KERNEL_INSTANT SIM_MS (100)

/* (transfer full) KernelTimer, in the order of side, connect, id, MAD and send. */
GArray *kernel_timers (const KernelLog *log, const KernelTimes *times);

/* Steps in which the timer wheel counts a delay: a timer asked for D expires in
 * (D, D + G]. */
SimTime kernel_timer_step (SimTime delay, guint hz);

/* "A REQ #2 of connect 3", "B timewait of connect 0" into buf. */
const char *kernel_timer_text (const KernelTimer *timer, char *buf, gsize size);

/* Where on the clock of the log the grid of a side's timers stands: the remainder
 * after division by KERNEL_PHASE_PERIOD, in ms, that explains most expiries as being
 * up to `late` late and the least so; if possible with a jiffy that begins with the
 * first REQ.  FALSE when none expired. */
#define KERNEL_PHASE_PERIOD SIM_MS (2048)
gboolean kernel_timers_phase (const GArray *timers, KernelSide side, guint hz, SimTime late,
                              SimTime *ret_phase);
