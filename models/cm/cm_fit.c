/* Waits against arithmetics.  The wheel is models/hca/mad_timer.h's. */
#include "cm_fit.h"

#include "ib_time.h"
#include "mad_timer.h"

/* Timer frequencies that distributions build their kernels with. */
static const guint frequencies[] = { 0, 100, 250, 1000 };

/* The capture sees a send a moment after the timer, and busy hosts are late. */
#define TOLERANCE SIM_MS (20)

SimTime
cm_fit_wheel (SimTime from, SimTime nominal, guint hz)
{
  SimTime tick = SIM_S (1) / hz;
  guint64 now = (guint64) (from / tick), jiffies = (guint64) ((nominal + tick - 1) / tick);

  return (SimTime) mad_wheel_expiry (now, jiffies) * tick;
}

/* One that begins on a step of the wheel ends on one; the longest begins just behind the
 * last moment that still leads to that step. */
static void
fill (CmFit *fit)
{
  SimTime tick, behind;

  if (fit->hz == 0) {
    fit->least = fit->most = fit->later = fit->nominal;
    return;
  }
  tick = SIM_S (1) / fit->hz;
  fit->least = fit->nominal;
  fit->later = cm_fit_wheel (0, fit->nominal, fit->hz);
  behind = (fit->later / tick - (fit->nominal + tick - 1) / tick) * tick;
  fit->most = cm_fit_wheel (behind, fit->nominal, fit->hz) - behind + tick;
}

static CmFit *
find (CmFitGroup *group, SimTime nominal, guint hz)
{
  CmFit fit = { .hz = hz, .nominal = nominal };

  for (guint i = 0; i < group->n_fits; i++)
    if (group->fits[i].nominal == nominal && group->fits[i].hz == hz)
      return &group->fits[i];
  if (group->n_fits == CM_FITS_MAX)
    return NULL;
  fill (&fit);
  group->fits[group->n_fits] = fit;
  return &group->fits[group->n_fits++];
}

/* A kernel has a wheel, whatever its frequency; other timers have none. */
void
cm_fit_init (CmFitGroup *group, const CmConversation *conversation, const CmSeen *seen)
{
  *group = (CmFitGroup){ .shortest = SIM_TIME_NEVER };
  for (guint i = 0; cm_profiles[i]; i++) {
    const CmProfile *profile = cm_profiles[i];
    SimTime nominal = cm_conversation_nominal (conversation, seen, profile);
    guint n = profile->timing == CM_TIMING_SPEC ? 1 : G_N_ELEMENTS (frequencies);

    for (guint f = 0; f < n; f++) {
      gboolean wheel = frequencies[f] > 0;
      CmFit *fit = find (group, nominal, frequencies[f]);

      if (fit && wheel == (profile->timing == CM_TIMING_LINUX))
        fit->profiles |= G_GUINT64_CONSTANT (1) << i;
    }
  }
}

guint64
cm_fit_profiles (const IbCmMsg *req)
{
  guint64 mask = 0;

  for (guint i = 0; cm_profiles[i]; i++) {
    const CmProfile *profile = cm_profiles[i];

    if (req->remote_response_timeout == profile->response_timeout &&
        req->local_response_timeout == profile->response_timeout &&
        req->max_cm_retries == profile->max_retries &&
        req->local_ack_timeout ==
            ib_ack_timeout_linux (profile->ca_ack_delay, profile->packet_lifetime))
      mask |= G_GUINT64_CONSTANT (1) << i;
  }
  return mask;
}

/* One on a wheel that is re-armed meanwhile for another wait of the host is rounded on a
 * finer grid: shorter than usual, but not shorter than asked for. */
static void
judge (CmFit *fit, SimTime waited, gboolean first)
{
  SimTime least = first || fit->hz == 0 ? fit->least : fit->later;
  SimTime most = first ? fit->most : fit->later;
  SimTime difference = MAX (MAX (least - waited, waited - most), 0);

  fit->difference += difference;
  if (difference <= TOLERANCE)
    fit->typical++;
  else if (waited < fit->least - TOLERANCE || waited > fit->most + TOLERANCE)
    fit->wrong++;
}

void
cm_fit_add (CmFitGroup *group, SimTime waited, gboolean first)
{
  group->n++;
  group->shortest = MIN (group->shortest, waited);
  group->longest = MAX (group->longest, waited);
  for (guint i = 0; i < group->n_fits; i++)
    judge (&group->fits[i], waited, first);
}

static gboolean
is_better (const CmFit *a, const CmFit *b)
{
  return a->difference != b->difference ? a->difference < b->difference : a->hz < b->hz;
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

  /* The good ones first. */
  for (guint i = 0; i < group->n_fits; i++)
    if (is_good (&group->fits[i], group->n)) {
      CmFit moved = group->fits[i];

      group->fits[i] = group->fits[n];
      group->fits[n++] = moved;
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

gboolean
cm_fit_is_first (const CmConversation *conversation, guint i)
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
