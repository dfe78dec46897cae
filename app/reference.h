/* The reference of the scenario format, from the rows that the reader uses. */
#pragma once

#include <glib.h>

/* Appends the page, Markdown. */
void reference_print (GString *out);
