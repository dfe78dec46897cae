/* What a trace prints of messages and groups, to standard output. */
#pragma once

#include "cma.h"

const char *trace_text_name (const IbMad *mad); /* "REQ", "path query" */
/* What is worth knowing of its fields, if anything, behind two blanks. */
void trace_text_fields (const IbMad *mad);
const char *trace_text_fate (FabricFate fate); /* "  [lost]"; "": delivered */
/* Where to send. */
void trace_text_group (const CmaGroup *group);
