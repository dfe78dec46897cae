/* The steps of loading a scenario, one file each. */
#pragma once

#include "param_reader.h"
#include "scenario_schema.h"
#include "scenario_scope.h"

/* Where a scenario comes from and what is shared while it is read. */
typedef struct {
  Arena *arena;
  ParamReader *reader;
  const char *path;    /* as given; trace files are relative to its folder */
  const char *display; /* for messages */
  GPtrArray *trees;    /* matrix: the tree of each variant; else empty */
  ScenarioScope *scope; /* what variants heed */
  GHashTable *traces;  /* "group size/file" -> GArray of ArrivalTraceRow; looked up only */
  guint64 hash;        /* FNV-1a 64, so far */
} ScenarioReading;

guint64 scenario_hash_add (guint64 hash, const char *data, gsize length);

/* Cross checks of one variant: what single values cannot show.  root: its tree, for
 * places. */
gboolean scenario_check (const ScenarioModel *model, const YamlNode *root, GError **error);

/* Reads the files of `trace` arrivals into their rows, and sets the number of connects
 * that the scenario left open. */
gboolean scenario_trace_load (ScenarioReading *reading, ScenarioModel *model, const YamlNode *root,
                              GError **error);
/* Where such a file is.  (transfer full) */
char *scenario_trace_path (const ScenarioReading *reading, const char *file);
