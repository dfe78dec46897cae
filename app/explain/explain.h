/* A capture file, followed through the state machine. */
#pragma once

#include "capture_reader.h"
#include "cm_observer.h"

/* What a file has beside CM conversations. */
typedef struct {
  guint64 packets;
  guint64 frames[IB_FRAME_KINDS];
  guint64 icrc_wrong;        /* of the MADs */
  guint64 other_class;       /* MADs of other management classes */
  guint64 not_understood[IB_DECODE_ATTRIBUTE + 1]; /* CM MADs, by IbDecode */
  SimTime start, end;        /* of the file, as it counts */
  gboolean broken;           /* it stops in the middle */
} ExplainCounts;

typedef struct {
  /* A conversation is over; times count from the first packet.  Of a long capture, called
   * by a thread of its own.  (transfer full) */
  void (*conversation) (gpointer owner, CmConversation *conversation);
  /* Every CM message, before it is followed; may be NULL.  By the calling thread. */
  void (*message) (gpointer owner, SimTime at, const guint8 *mad, const IbCmWire *wire);
} ExplainOps;

typedef struct {
  const CmProfile *profile;
  guint live_max;            /* conversations followed at once */
} ExplainOptions;

/* Reads the rest of the capture.  *ret_observed: copied. */
void explain_capture (CaptureReader *reader, const ExplainOptions *options,
                      const ExplainOps *ops, gpointer owner, ExplainCounts *ret_counts,
                      CmObserverCounters *ret_observed);
