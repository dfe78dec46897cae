/* Errors of one line that begin with the place: file:line:column, or the
 * option a value came with: --set PATH. */
#pragma once

#include "scenario.h"
#include "yaml_tree.h"

/* Sets the error. */
void diagnose (GError **error, ScenarioError code, const YamlPlace *place, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* The same for a value, for a caller that returns FALSE then. */
gboolean diagnose_refuse (GError **error, const YamlPlace *place, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* A value that is wrong: the message begins with the path of its key, unless the place
 * says that already. */
void diagnose_value (GError **error, const YamlPlace *place, const char *path, const char *text);
