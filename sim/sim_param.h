/* Parameters as rows: what a struct can be configured with.
 *
 * A module that has parameters publishes an array of SimParam rows ending with
 * { .name = NULL }.  The rows say name, kind, where the value goes, default, range
 * and help.  The scenario reader fills structs from them, the reference page is
 * printed from them, and the module sees plain C values.
 *
 * A SimClassInfo is the head of every "one file + one row" class (a policy, an
 * upper-layer protocol, a loss model): its name, help, and parameter rows. */
#pragma once

#include "sim_dist.h"

typedef enum {
  SIM_PARAM_BOOL,     /* gboolean: true, false */
  SIM_PARAM_UINT,     /* guint */
  SIM_PARAM_UINT64,   /* guint64; decimal or 0x hexadecimal */
  SIM_PARAM_DOUBLE,   /* double, no unit */
  SIM_PARAM_PROBABILITY, /* double in [0, 1]: 0.01 or 1% */
  SIM_PARAM_TIME,     /* SimTime: number with ns, us, ms, s, min, h; "never" where it is the
                      * default or max is at least SIM_TIME_NEVER */
  SIM_PARAM_RATE,     /* double, per second: 200/s, 5k/s, 10/min */
  SIM_PARAM_BITRATE,  /* guint64 bits per second: 100Gbps, 8Gbps */
  SIM_PARAM_SIZE,     /* guint64 bytes: 256B, 4KiB, 1MB */
  SIM_PARAM_STRING,   /* char *, owned by the scenario's arena */
  SIM_PARAM_ENUM,     /* guint, index into names */
  SIM_PARAM_DIST,     /* SimDist: 2ms, {exponential: 1ms}, {uniform: [1ms, 2ms]} ... */
  SIM_PARAM_GROUP,    /* struct at offset, filled by `rows` from a nested mapping */
  SIM_PARAM_LIST,     /* GArray * of structs of item_size bytes, each filled by `rows` */
  SIM_PARAM_UINT_LIST,/* GArray * of guint */
  SIM_PARAM_CHOICE,   /* SimChoice: one class of `classes`, with that class's own parameters */
} SimParamKind;

typedef struct SimParam SimParam;

typedef struct {
  const char *name;
  const char *help;     /* one sentence for people */
  const char *source;   /* where the behaviour is documented; NULL if it is ours */
  const SimParam *params; /* rows; NULL if none */
  gsize params_size;    /* size of the struct the rows fill */
  /* Row that a plain value sets, so that {reject: 3} means {reject: {reason: 3}};
   * NULL if the class needs a mapping or no value. */
  const char *main_param;
} SimClassInfo;

/* A class chosen in a scenario, with its filled parameter struct (borrowed). */
typedef struct {
  const SimClassInfo *klass;
  gconstpointer params;
} SimChoice;

struct SimParam {
  const char *name;
  SimParamKind kind;
  gsize offset;
  const char *value; /* default as one would write it in a scenario; NULL: required */
  double min, max;   /* inclusive, in the field's unit (times: ns); both 0: the kind's own range */
  const char *const *names;             /* ENUM: NULL-terminated */
  const SimParam *rows;                 /* GROUP, LIST */
  gsize item_size;                      /* LIST */
  const char *main_param; /* GROUP, LIST: the row that a plain value sets, as in SimClassInfo */
  gboolean keyed;         /* LIST: written as a mapping; a key goes to the `const char *` at the
                             start of its item */
  const SimClassInfo *const *classes;   /* CHOICE: NULL-terminated */
  const char *help;
  const char *source; /* where the default comes from */
};
