/* A scenario: what a YAML file says, as plain values with every default filled
 * in, checked against itself.  Knows no YAML. */
#pragma once

#include "cm_profile.h"
#include "connect.h"
#include "handmade.h"
#include "host.h"
#include "listener.h"
#include "multicast.h"
#include "sa_service.h"

typedef struct {
  SimTime until;      /* never: until nothing is left to do */
  SimTime warm_up;    /* statistics start here */
  guint64 event_limit; /* per replication */
} ScenarioRun;

typedef struct {
  ScenarioRun run;
  CmProfile profile;
  FabricParams fabric;
  SaParams sa;
  TcpParams tcp;
  HostGroupParams sm; /* the subnet manager's host */
  GArray *hosts;      /* HostGroupParams, in file order */
  GArray *listeners;  /* ListenerParams */
  GArray *connects;   /* ConnectParams */
  GArray *handmade;   /* HandmadeParams */
  GArray *multicast;  /* MulticastParams */
} ScenarioModel;

/* One column of the comparison, or one cell of the matrix.  A scenario without
 * `compare:` and `matrix:` has one variant named after the file. */
typedef struct {
  const char *name; /* of a cell: its values, joined by commas */
  ScenarioModel model;
  const guint *at;  /* cell: number of its value on each axis; else NULL */
  const char *yaml; /* cell: a file that holds it alone; else NULL */
} ScenarioVariant;

/* An axis of `matrix:`. */
typedef struct {
  const char *name;
  guint n;
  const char *const *values; /* their names, NULL-terminated */
} ScenarioAxis;

/* A file that cells read: those that are written as scenarios of their own have a copy beside
 * them. */
typedef struct {
  const char *path; /* where it is */
  const char *name; /* what the cells call it */
} ScenarioCellFile;

/* Stands for every value of an axis in a line of `expect:`. */
#define SCENARIO_ANY_VALUE "any"

typedef struct {
  const char *path;     /* as given */
  const char *name;     /* base name without .yaml; names results/NAME */
  const char *question;
  guint64 seed;
  guint replications;
  GPtrArray *variants;  /* ScenarioVariant *, in file order */
  ScenarioAxis *axes;   /* of the matrix */
  guint n_axes;         /* 0: there is none */
  GPtrArray *cell_files; /* ScenarioCellFile *, each once */
  GPtrArray *expects;   /* Expect *, see expect.h */
  GPtrArray *notes;     /* const char *: what was written in vain, each with its place */
  GPtrArray *options;   /* const char *: the options that changed it, as one types them */
  char hash[17];        /* of the file's bytes, settings and trace files; hexadecimal FNV-1a 64 */
  struct Arena *arena; /* owns all strings, arrays and parameter structs */
} Scenario;

typedef struct {
  const char *path;  /* `listeners.0.backlog.limit` */
  const char *value; /* YAML text of the value */
  const char *option; /* the option it came with, for messages; NULL: --set PATH */
} ScenarioSetting;

#define SCENARIO_ERROR (scenario_error_quark ())
GQuark scenario_error_quark (void);
typedef enum {
  SCENARIO_ERROR_READ,    /* cannot be read */
  SCENARIO_ERROR_SYNTAX,  /* not YAML, or beyond the limits */
  SCENARIO_ERROR_VALUE,   /* YAML, but not a scenario */
} ScenarioError;

/* What the hosts of a group run: their own profile or the scenario's. */
const CmProfile *scenario_host_profile (const ScenarioModel *model, const HostGroupParams *group);

/* Reads, applies settings (--set) to the file and to every variant, parses,
 * validates.  NULL and a GError whose message starts with file:line:column. */
Scenario *scenario_load (const char *path, const ScenarioSetting *settings, guint n_settings,
                         GError **error);
/* The same from memory; path names it and places its trace files. */
Scenario *scenario_load_buffer (const char *path, const char *data, gsize length,
                                const ScenarioSetting *settings, guint n_settings, GError **error);
void scenario_free (Scenario *scenario);
/* Notes an option with its value as one that changed the scenario. */
void scenario_note_option (Scenario *scenario, const char *option, const char *value);
