/* From packets to sightings. */
#include "explain.h"
#include "explain_pipe.h"

typedef struct {
  const ExplainOps *ops;
  gpointer owner;
  ExplainCounts *counts;
  ExplainPipe *pipe;
  IbCrc crc;
} Explain;

static void
on_finished (gpointer owner, CmConversation *conversation)
{
  Explain *explain = owner;

  explain->ops->conversation (explain->owner, conversation);
}

static void
see_mad (Explain *explain, SimTime at, const IbFrame *frame)
{
  ExplainCounts *counts = explain->counts;
  IbComplaint complaints[8];
  CmSighting *sighting;
  IbDecode answer;
  IbCmWire wire;

  counts->icrc_wrong += !ib_frame_icrc_is_good (frame, &explain->crc);
  answer = ib_cm_decode (frame->mad, &wire);
  if (answer == IB_DECODE_OTHER_CLASS) {
    counts->other_class++;
    return;
  }
  if (answer != IB_DECODE_OK) {
    counts->not_understood[answer]++;
    return;
  }
  sighting = explain_pipe_room (explain->pipe);
  sighting->at = at;
  sighting->source = frame->source;
  sighting->destination = frame->destination;
  sighting->psn = frame->psn;
  sighting->complaints = ib_cm_validate (&wire, complaints, G_N_ELEMENTS (complaints));
  ib_cm_msg_from_wire (&wire, &sighting->msg);
  if (sighting->msg.attr == IB_CM_REJ)
    ib_ari_take (&wire.rej, &sighting->ari);
  if (explain->ops->message)
    explain->ops->message (explain->owner, at, frame->mad, &wire);
  explain_pipe_put (explain->pipe);
}

static void
see_packet (Explain *explain, IbLink link, const CapturePacket *packet)
{
  ExplainCounts *counts = explain->counts;
  IbFrameKind kind;
  IbFrame frame;

  if (counts->packets++ == 0)
    counts->start = counts->end = packet->at;
  counts->end = MAX (counts->end, packet->at);
  kind = ib_frame_parse (link, packet->bytes, packet->captured, packet->length, &frame);
  counts->frames[kind]++;
  if (kind == IB_FRAME_MAD)
    see_mad (explain, packet->at - counts->start, &frame);
}

void
explain_capture (CaptureReader *reader, const ExplainOptions *options, const ExplainOps *ops,
                 gpointer owner, ExplainCounts *ret_counts, CmObserverCounters *ret_observed)
{
  static const CmWatcherOps watcher = { .finished = on_finished };
  Explain explain = { .ops = ops, .owner = owner, .counts = ret_counts };
  CmObserver *observer = cm_observer_new (options->profile, options->live_max, &watcher, &explain);
  CapturePacket packet;
  CaptureNext next;

  *ret_counts = (ExplainCounts){ .packets = 0 };
  ib_crc_init (&explain.crc);
  explain.pipe = explain_pipe_new (observer);
  while ((next = capture_reader_next (reader, &packet)) == CAPTURE_PACKET)
    see_packet (&explain, capture_reader_link (reader), &packet);
  explain_pipe_close (explain.pipe);
  ret_counts->broken = next == CAPTURE_BROKEN;
  cm_observer_finish (observer, ret_counts->end - ret_counts->start);
  *ret_observed = *cm_observer_counters (observer);
  cm_observer_free (observer);
}
