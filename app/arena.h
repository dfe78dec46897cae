/* An arena: memory and objects that are freed together.
 *
 * What a scenario file turns into lives exactly as long as the scenario: text,
 * tree nodes, parameter structs.  They are taken from one arena and freed with it. */
#pragma once

#include <glib.h>

typedef struct Arena Arena;

Arena *arena_new (void);
/* Frees everything, objects in reverse order of arena_own(). */
void arena_free (Arena *arena);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Arena, arena_free)

/* Zeroed memory, aligned for any type; never NULL, also for size 0. */
gpointer arena_alloc (Arena *arena, gsize size);
char *arena_strdup (Arena *arena, const char *text);
char *arena_strndup (Arena *arena, const char *text, gsize length);
char *arena_printf (Arena *arena, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* object (transfer full): freed with the arena. */
void arena_own (Arena *arena, gpointer object, GDestroyNotify free_func);
