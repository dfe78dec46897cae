/* The captures of the real kernel's CM and what their recorder noted beside them. */
#pragma once

#include "explain.h"

/* (transfer full) CMSIM_SHARED/captures, or shared/captures beside the source tree; may
 * not exist. */
char *captures_folder (void);
/* (transfer full) sorted names without .pcap; empty if there are none. */
GPtrArray *captures_names (const char *folder);

/* One message as the recorder decoded it. */
typedef struct {
  guint16 attr;
  guint nth; /* 1: first send of this MAD */
  gboolean a_to_b;
} CapturedMad;

/* (transfer full) CapturedMad, in order; NULL if NAME.mads.csv cannot be read. */
GArray *captures_mads (const char *folder, const char *name);

/* How a client's connect ended, by its program. */
typedef struct {
  guint32 qpn;     /* that it connected with */
  char event[24];  /* "CONNECT_RESPONSE", "ESTABLISHED", "REJECTED", "UNREACHABLE", "CANCEL" */
  gint status;
} CapturedEnd;

/* (transfer full) CapturedEnd, one for each connect that ended; NULL if NAME.events.csv
 * cannot be read. */
GArray *captures_ends (const char *folder, const char *name);
