/* Blocks: zero when they say so, apart from each other, with an arena and without. */
#include "sim_arena.h"

#include <string.h>

#include "sim_pages.h"
#include "test_sim.h"

enum { OUT = 60, STEPS = 4000 };

typedef struct {
  guchar *bytes;
  gsize size;
  gboolean pages; /* whole ones */
  guchar mark;
} Block;

/* From less than a page to several huge ones, most of them small. */
static gsize
some_size (SimStream *stream)
{
  guint64 limit = (guint64) 1 << sim_stream_below (stream, 23);

  return 1 + (gsize) sim_stream_below (stream, limit);
}

static gboolean
is_all (const Block *block, guchar value)
{
  return block->bytes[0] == value &&
         memcmp (block->bytes, block->bytes + 1, block->size - 1) == 0;
}

/* FALSE: it is not all 0, or not where it should be. */
static gboolean
make (SimArena *arena, SimStream *stream, Block *block)
{
  gboolean zero = sim_stream_chance (stream, 0.5);

  block->size = some_size (stream);
  block->pages = sim_stream_chance (stream, 0.25);
  if (block->pages) {
    block->size = (block->size | 4095) + 1;
    block->bytes = sim_block_new_pages (arena, block->size / 4096);
    return is_all (block, 0) && ((guintptr) block->bytes & 4095) == 0;
  }
  block->bytes =
      zero ? sim_block_new (arena, block->size) : sim_block_take (arena, block->size);
  return !zero || is_all (block, 0);
}

/* FALSE: somebody else wrote to it. */
static gboolean
unmake (SimArena *arena, Block *block)
{
  gboolean kept = is_all (block, block->mark);

  if (block->pages)
    sim_block_free_pages (arena, block->bytes, block->size / 4096);
  else
    sim_block_free (arena, block->bytes, block->size);
  block->bytes = NULL;
  return kept;
}

/* Blocks of a random size come and go; each keeps what was written to it.  Returns the
 * number of errors. */
static guint
use (SimArena *arena, guint64 seed)
{
  Block out[OUT] = { { .bytes = NULL } };
  SimStream stream;
  guint errors = 0;

  sim_stream_init (&stream, sim_stream_key (seed, 0, "test", "block"), 0);
  for (guint step = 0; step < STEPS; step++) {
    Block *block = &out[sim_stream_below (&stream, OUT)];

    if (block->bytes != NULL) {
      errors += !unmake (arena, block);
    } else {
      errors += !make (arena, &stream, block);
      block->mark = (guchar) (1 + sim_stream_below (&stream, 255));
      memset (block->bytes, block->mark, block->size);
    }
  }
  for (guint i = 0; i < OUT; i++)
    errors += out[i].bytes != NULL && !unmake (arena, &out[i]);
  return errors;
}

/* Test 0 without an arena; else one world after the other uses it. */
START_TEST (random_use)
{
  SimArena *arena = _i > 0 ? sim_arena_new () : NULL;

  for (guint world = 0; world < 3; world++)
    ck_assert_uint_eq (use (arena, world), 0);
  sim_arena_free (arena);
}
END_TEST

START_TEST (nothing)
{
  SimArena *arena = sim_arena_new ();

  sim_block_free (NULL, NULL, 0);
  sim_block_free (arena, NULL, 100000);
  ck_assert_ptr_null (sim_block_new (arena, 0));
  ck_assert_ptr_null (sim_block_new (NULL, 0));
  sim_arena_free (arena);
  sim_arena_free (NULL);
}
END_TEST

#if !defined __SANITIZE_ADDRESS__
static guintptr
huge_page_of (gconstpointer block)
{
  return (guintptr) block / SIM_HUGE_PAGE;
}

/* Small blocks lie on one huge page, and that serves again when they are gone: as many as would
 * fill fifty pages take turns on two. */
START_TEST (pages_serve_again)
{
  enum { SIZE = 100000, ROUNDS = 1000 };
  SimArena *arena = sim_arena_new ();
  gpointer first = sim_block_new (arena, SIZE), second = sim_block_new (arena, SIZE);
  guintptr page = huge_page_of (first), other = 0;

  ck_assert_uint_eq (huge_page_of (second), page);
  sim_block_free (arena, first, SIZE);
  sim_block_free (arena, second, SIZE);
  for (guint i = 0; i < ROUNDS; i++) {
    gpointer block = sim_block_take (arena, SIZE);

    if (huge_page_of (block) != page && other == 0)
      other = huge_page_of (block);
    ck_assert (huge_page_of (block) == page || huge_page_of (block) == other);
    sim_block_free (arena, block, SIZE);
  }
  sim_arena_free (arena);
}
END_TEST
#endif

int
main (void)
{
  Suite *suite = suite_create ("sim_arena");
  TCase *tcase = tcase_create ("block");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, random_use, 0, 2);
  tcase_add_test (tcase, nothing);
#if !defined __SANITIZE_ADDRESS__
  tcase_add_test (tcase, pages_serve_again);
#endif
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
