/* The reference of byte layouts, from the rows that encode and decode. */
#pragma once

#include <glib.h>

/* (transfer full) the whole page, as Markdown. */
char *layouts_markdown (void);
