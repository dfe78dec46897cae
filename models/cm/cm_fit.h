/* Which arithmetic of timers the waits seen on a wire fit.
 *
 * What a REQ's fields say gives one length for the exact codes of the specification and
 * another one for Linux's milliseconds; a kernel's timer wheel then rounds that up by a
 * rule of its timer frequency.  The same rule gives the times of a give-up. */
#pragma once

#include "cm_conversation.h"

/* The arithmetic of one profile, with one timer wheel or none, for one kind of wait. */
typedef struct {
  guint8 profile;     /* number in cm_profiles */
  guint hz;           /* of the timer wheel; 0: none */
  SimTime later;      /* a wait that follows another, on the wheel at both ends; the first kind
                       * of wait, if they differ */
  SimTime difference; /* all of it, between the waits and this arithmetic */
  guint typical;      /* waits that are as long as they should be */
  guint wrong;        /* waits that cannot be */
} CmFit;

#define CM_FITS_MAX 64

/* Waits of one kind. */
typedef struct {
  CmFit fits[CM_FITS_MAX];
  guint n_fits;
  guint n;                /* waits */
  SimTime shortest, longest;
} CmFitGroup;

void cm_fit_init (CmFitGroup *group);
/* The wait that message i of the conversation, a repetition, has ended. */
void cm_fit_add (CmFitGroup *group, const CmConversation *conversation, guint i);
/* Adds the waits of another group of the same kind. */
void cm_fit_merge (CmFitGroup *group, const CmFitGroup *other);
/* Puts the fits that the waits fit first, the best before, and returns how many. */
guint cm_fit_sort (CmFitGroup *group);
/* Bit i: cm_profiles[i] is among the first n fits. */
guint64 cm_fit_mask (const CmFitGroup *group, guint n);
/* Bit i: the REQ of cm_profiles[i] has these fields. */
guint64 cm_fit_profiles (const IbCmMsg *req);

/* When a wait of `nominal` that begins at `from` expires on the wheel of a kernel that has
 * run for `from` too. */
SimTime cm_fit_wheel (SimTime from, SimTime nominal, guint hz);
