/* Which arithmetic of timers the waits seen on a wire fit.
 *
 * What a REQ's fields say gives one length for the exact codes of the specification and
 * another one for Linux's milliseconds; a kernel's timer wheel then rounds that up by a
 * rule of its timer frequency.  The same rule gives the times of a give-up. */
#pragma once

#include "cm_conversation.h"

/* One arithmetic for one kind of wait. */
typedef struct {
  guint64 profiles;   /* bit i: cm_profiles[i] has this arithmetic */
  guint hz;           /* of the timer wheel; 0: none */
  SimTime nominal;    /* without the wheel */
  SimTime least, most; /* of a wait that begins at any time */
  SimTime later;      /* of one that follows another: both ends of it are on the wheel */
  SimTime difference; /* all of it, between the waits and this arithmetic */
  guint typical;      /* waits that are as long as they should be */
  guint wrong;        /* waits that cannot be */
} CmFit;

#define CM_FITS_MAX 24

/* Waits of one kind. */
typedef struct {
  CmFit fits[CM_FITS_MAX];
  guint n_fits;
  guint n;                /* waits */
  SimTime shortest, longest;
} CmFitGroup;

/* The arithmetics for a repeated message of this conversation. */
void cm_fit_init (CmFitGroup *group, const CmConversation *conversation, const CmSeen *seen);
/* first: the wait began with a first send or an MRA. */
void cm_fit_add (CmFitGroup *group, SimTime waited, gboolean first);
/* Orders the fits, best first, and returns how many of them the waits fit. */
guint cm_fit_sort (CmFitGroup *group);
/* The profiles whose REQ would have these fields. */
guint64 cm_fit_profiles (const IbCmMsg *req);

/* Whether this repeated message ends the first wait of its kind. */
gboolean cm_fit_is_first (const CmConversation *conversation, guint i);

/* When a wait of `nominal` that begins at `from` expires on the wheel of a kernel that has
 * run for `from` too. */
SimTime cm_fit_wheel (SimTime from, SimTime nominal, guint hz);
