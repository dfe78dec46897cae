/* Where an option has an effect: on which transports, for which kind of entry.
 *
 * One table says it (scenario_scope_rows); what stands in a scenario and cannot have an effect is
 * told to whoever wrote it.  An option that is written and that no variant heeds is
 *
 *   refused   if its own entry is the reason: no transport would heed it
 *   a note    if only the transport is: the same file runs on all of them
 *
 * and what a transport cannot do at all (`required`) is refused in every variant. */
#pragma once

#include "scenario.h"
#include "yaml_tree.h"

#define SCOPE_TRANSPORT(name) (1u << FABRIC_TRANSPORT_##name)
#define SCOPE_MESSAGE(name) (1u << (IB_CM_##name - IB_CM_ATTR_FIRST))

/* What an entry of `listeners`, `connects` or `multicast` is. */
typedef enum {
  SCOPE_UD = 1 << 0,       /* a UD service: nothing is connected */
  SCOPE_SCRIPT = 1 << 1,   /* its application is a script */
  SCOPE_RESOLVES = 1 << 2, /* resolves address and route */
  SCOPE_FOLLOWS = 1 << 3,  /* its protocol goes where a REJ sends it */
  SCOPE_ALONE = 1 << 4,    /* a script, and no event channel in which others' events wait */
  SCOPE_EVENTS = 1 << 5,   /* all events wait in its channel */
  SCOPE_IPOIB = 1 << 6,    /* the host's IPoIB joins */
  SCOPE_RETRIES = 1 << 7,  /* a join that failed is tried again */
  SCOPE_GOES = 1 << 8,     /* its id is destroyed before it would leave */
} ScopeFact;

typedef struct {
  const char *path;   /* from the top; `*` is an element of a list, or a name */
  const char *value;  /* only this value of it; NULL: every one but the default */
  guint transports;   /* those that heed it; 0: all */
  guint needs, never; /* ScopeFact: what its entry must be, must not be */
  guint messages;     /* handmade: those that have the field; 0: all */
  gboolean required;  /* it asks for what other transports do not have */
} ScopeRow;

extern const ScopeRow scenario_scope_rows[]; /* ends with path NULL */

typedef struct ScenarioScope ScenarioScope;

ScenarioScope *scenario_scope_new (void);
void scenario_scope_free (ScenarioScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScenarioScope, scenario_scope_free)

/* Looks at a variant; root: its tree, which must outlive the scope. */
gboolean scenario_scope_look (ScenarioScope *scope, const ScenarioModel *model,
                              const YamlNode *root, GError **error);
/* After the last one: refuses, or adds to the scenario's notes. */
gboolean scenario_scope_judge (const ScenarioScope *scope, Scenario *scenario, GError **error);

/* "ib, roce" of a set of transports.  (transfer full) */
char *scenario_scope_transports (guint transports);
/* "REQ, REP" of a set of messages.  (transfer full) */
char *scenario_scope_messages (guint messages);
