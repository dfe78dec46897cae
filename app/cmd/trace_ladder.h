/* Ladder diagrams of a simulated wire: its capture, explained. */
#pragma once

#include <glib.h>

#include "cm_profile.h"

/* A file for the capture, to be removed in the end; its path (transfer full), or NULL and
 * an error. */
char *trace_ladder_begin (GError **error);
/* Prints the ladders of the capture that was written there; profile: of its active side. */
gboolean trace_ladder_print (const char *path, const CmProfile *profile, GError **error);
