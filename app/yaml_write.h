/* A tree as YAML text again. */
#pragma once

#include "yaml_tree.h"

/* Block style, two spaces per level.  What is read from it is the same tree. */
void yaml_write (GString *out, const YamlNode *mapping, guint indent);
