/* Waits against arithmetics.  The wheel is models/hca/mad_timer.h's. */
#include "cm_fit.h"

#include "ib_time.h"
#include "mad_timer.h"

/* Timer frequencies that distributions build their kernels with. */
static const guint frequencies[] = { 100, 250, 1000 };

/* The capture sees a send a moment after the timer, and busy hosts are late. */
#define TOLERANCE SIM_MS (20)
#define CODE_MAX 31

SimTime
cm_fit_wheel (SimTime from, SimTime nominal, guint hz)
{
  SimTime tick = SIM_S (1) / hz;
  guint64 now = (guint64) (from / tick), jiffies = (guint64) ((nominal + tick - 1) / tick);

  return (SimTime) mad_wheel_expiry (now, jiffies) * tick;
}

/* ----- one wait ----- */

typedef struct {
  SimTime least, most; /* of a wait that begins at any time */
  SimTime later;       /* of one that begins on a step of the wheel: it ends on one */
} Range;

/* The longest wait begins just behind the last moment that still leads to a step. */
static Range
range_of (SimTime nominal, guint hz)
{
  Range range = { nominal, nominal, nominal };
  SimTime tick, behind;

  if (hz == 0)
    return range;
  tick = SIM_S (1) / hz;
  range.later = cm_fit_wheel (0, nominal, hz);
  behind = (range.later / tick - (nominal + tick - 1) / tick) * tick;
  range.most = cm_fit_wheel (behind, nominal, hz) - behind + tick;
  return range;
}

/* One on a wheel that is re-armed meanwhile for another wait of the host is rounded on a
 * finer grid: shorter than usual, but not shorter than asked for. */
static void
judge (CmFit *fit, SimTime nominal, SimTime waited, gboolean first)
{
  const Range range = range_of (nominal, fit->hz);
  SimTime least = first || fit->hz == 0 ? range.least : range.later;
  SimTime most = first ? range.most : range.later;
  SimTime difference = MAX (MAX (least - waited, waited - most), 0);

  if (fit->later == 0)
    fit->later = range.later;
  fit->difference += difference;
  if (difference <= TOLERANCE)
    fit->typical++;
  else if (waited < range.least - TOLERANCE || waited > range.most + TOLERANCE)
    fit->wrong++;
}

/* Whether message i ends the first wait of its kind, which began at any time. */
static gboolean
is_first (const CmConversation *conversation, guint i)
{
  const CmSeen *seen = cm_conversation_seen (conversation, i);

  if (seen->nth == 2)
    return TRUE;
  while (i-- > 0) {
    const CmSeen *before = cm_conversation_seen (conversation, i);

    if (!before)
      return FALSE;
    if (before->side == seen->side && before->attr == seen->attr)
      return before->wait != seen->wait || before->mra_timeout != seen->mra_timeout;
  }
  return TRUE;
}

/* ----- groups ----- */

/* A kernel with a wheel has it whatever its frequency; other timers have none. */
void
cm_fit_init (CmFitGroup *group)
{
  *group = (CmFitGroup){ .shortest = SIM_TIME_NEVER };
  for (guint i = 0; cm_profiles[i]; i++) {
    if (cm_profiles[i]->timing != CM_TIMING_LINUX) {
      group->fits[group->n_fits++] = (CmFit){ .profile = (guint8) i };
      continue;
    }
    for (guint f = 0; f < G_N_ELEMENTS (frequencies); f++)
      group->fits[group->n_fits++] = (CmFit){ .profile = (guint8) i, .hz = frequencies[f] };
  }
  g_assert (group->n_fits <= CM_FITS_MAX);
}

void
cm_fit_add (CmFitGroup *group, const CmConversation *conversation, guint i)
{
  const CmSeen *seen = cm_conversation_seen (conversation, i);
  gboolean first = is_first (conversation, i);

  group->n++;
  group->shortest = MIN (group->shortest, seen->waited);
  group->longest = MAX (group->longest, seen->waited);
  for (guint f = 0; f < group->n_fits; f++) {
    CmFit *fit = &group->fits[f];

    SimTime nominal = cm_conversation_nominal (conversation, seen, cm_profiles[fit->profile]);

    if (nominal > 0)
      judge (fit, nominal, seen->waited, first);
  }
}

void
cm_fit_merge (CmFitGroup *group, const CmFitGroup *other)
{
  group->n += other->n;
  group->shortest = MIN (group->shortest, other->shortest);
  group->longest = MAX (group->longest, other->longest);
  for (guint i = 0; i < group->n_fits; i++)
    for (guint j = 0; j < other->n_fits; j++) {
      CmFit *fit = &group->fits[i];
      const CmFit *same = &other->fits[j];

      if (fit->profile != same->profile || fit->hz != same->hz)
        continue;
      fit->difference += same->difference;
      fit->typical += same->typical;
      fit->wrong += same->wrong;
    }
}

static gboolean
is_better (const CmFit *a, const CmFit *b)
{
  if (a->difference != b->difference)
    return a->difference < b->difference;
  return a->hz != b->hz ? a->hz < b->hz : a->profile < b->profile;
}

/* Most waits as they should be, and hardly one that cannot be: hosts are busy at times. */
static gboolean
is_good (const CmFit *fit, guint n)
{
  return 2 * fit->typical >= n && 20 * fit->wrong <= n;
}

guint
cm_fit_sort (CmFitGroup *group)
{
  guint n = 0;

  for (guint i = 0; i < group->n_fits; i++) {
    CmFit moved = group->fits[i];

    if (is_good (&moved, group->n)) {
      group->fits[i] = group->fits[n];
      group->fits[n++] = moved;
    }
  }
  for (guint i = 1; i < n; i++) {
    CmFit moved = group->fits[i];
    guint at = i;

    for (; at > 0 && is_better (&moved, &group->fits[at - 1]); at--)
      group->fits[at] = group->fits[at - 1];
    group->fits[at] = moved;
  }
  return n;
}

guint64
cm_fit_mask (const CmFitGroup *group, guint n)
{
  guint64 mask = 0;

  for (guint i = 0; i < n; i++)
    mask |= G_GUINT64_CONSTANT (1) << group->fits[i].profile;
  return mask;
}

/* ----- fields ----- */

/* As cm_build_req and its callers fill them. */
static gboolean
has_fields (const CmProfile *profile, const IbCmMsg *req)
{
  guint response = MIN (profile->response_timeout, profile->max_timeout);
  guint ack = profile->ack_delay_in_timeouts
                  ? ib_ack_timeout_linux (profile->ca_ack_delay, profile->packet_lifetime)
                  : MIN (profile->packet_lifetime + 1, CODE_MAX);

  return req->remote_response_timeout == response && req->local_response_timeout == response &&
         req->max_cm_retries == profile->max_retries && req->local_ack_timeout == ack;
}

guint64
cm_fit_profiles (const IbCmMsg *req)
{
  guint64 mask = 0;

  for (guint i = 0; cm_profiles[i]; i++)
    if (has_fields (cm_profiles[i], req))
      mask |= G_GUINT64_CONSTANT (1) << i;
  return mask;
}
