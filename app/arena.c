/* Memory is cut from blocks; a large piece gets a block of its own. */
#include "arena.h"

#include <string.h>

#define BLOCK_BYTES ((gsize) 64 * 1024)
#define ALIGNMENT ((gsize) 16)

typedef struct {
  gpointer object;
  GDestroyNotify free_func;
} Owned;

struct Arena {
  GPtrArray *blocks;
  char *next; /* free part of the block in use */
  gsize left;
  GArray *owned; /* Owned */
};

Arena *
arena_new (void)
{
  Arena *arena = g_new0 (Arena, 1);

  arena->blocks = g_ptr_array_new_with_free_func (g_free);
  arena->owned = g_array_new (FALSE, FALSE, sizeof (Owned));
  return arena;
}

void
arena_free (Arena *arena)
{
  if (!arena)
    return;
  for (guint i = arena->owned->len; i > 0; i--) {
    Owned *owned = &g_array_index (arena->owned, Owned, i - 1);

    owned->free_func (owned->object);
  }
  g_array_unref (arena->owned);
  g_ptr_array_unref (arena->blocks);
  g_free (arena);
}

gpointer
arena_alloc (Arena *arena, gsize size)
{
  gsize padded = (MAX (size, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *piece;

  g_assert (padded >= size);
  if (padded > BLOCK_BYTES / 4) {
    piece = g_malloc0 (padded);
    g_ptr_array_add (arena->blocks, piece);
    return piece;
  }
  if (padded > arena->left) {
    arena->next = g_malloc0 (BLOCK_BYTES);
    arena->left = BLOCK_BYTES;
    g_ptr_array_add (arena->blocks, arena->next);
  }
  piece = arena->next;
  arena->next += padded;
  arena->left -= padded;
  return piece;
}

char *
arena_strndup (Arena *arena, const char *text, gsize length)
{
  char *copy = arena_alloc (arena, length + 1);

  if (length > 0)
    memcpy (copy, text, length);
  return copy;
}

char *
arena_strdup (Arena *arena, const char *text)
{
  return arena_strndup (arena, text, strlen (text));
}

char *
arena_printf (Arena *arena, const char *format, ...)
{
  va_list args;
  char *text, *copy;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  copy = arena_strdup (arena, text);
  g_free (text);
  return copy;
}

void
arena_own (Arena *arena, gpointer object, GDestroyNotify free_func)
{
  Owned owned = { .object = object, .free_func = free_func };

  g_array_append_val (arena->owned, owned);
}
