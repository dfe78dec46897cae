/* The state machine's table as text, for people and for programs. */
#pragma once

#include "cm_fsm.h"

/* What happens in each state: docs/cm-fsm.md. */
void cm_fsm_print_markdown (GString *out);
/* The PROTOCOL rows that change the state, as a Graphviz graph. */
void cm_fsm_print_dot (GString *out);
/* One line per cell: state,event,kind,handler,next,clause. */
void cm_fsm_print_csv (GString *out);
