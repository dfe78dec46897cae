/* A machine's table as text, for people and for programs. */
#pragma once

#include "cm_machine.h"

/* What happens in each state: docs/NAME-fsm.md. */
void cm_fsm_print_markdown (const CmMachine *machine, GString *out);
/* The PROTOCOL rows that change the state, as a Graphviz graph. */
void cm_fsm_print_dot (const CmMachine *machine, GString *out);
/* One line per cell: state,event,kind,handler,next,clause. */
void cm_fsm_print_csv (const CmMachine *machine, GString *out);
