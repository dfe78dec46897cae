/* bench_rng one|many: random bits without end on standard output, for a battery of tests.
 *
 *   one    the draws of one stream
 *   many   the first draw of stream 0, of stream 1, of stream 2 ... of one name
 *
 * For example: bench_rng many | dieharder -g 200 -d 102 */
#include <stdio.h>
#include <string.h>

#include "sim_rng.h"

enum { BLOCK = 4096 };

int
main (int argc, char **argv)
{
  const SimStreamKey key = sim_stream_key (1, 0, "bench", "rng");
  const gboolean many = argc == 2 && !strcmp (argv[1], "many");
  guint64 block[BLOCK], index = 0;
  SimStream stream;

  if (argc != 2 || (!many && strcmp (argv[1], "one") != 0)) {
    fprintf (stderr, "usage: bench_rng one|many\n");
    return 2;
  }
  sim_stream_init (&stream, key, index);
  do {
    for (guint i = 0; i < BLOCK; i++) {
      if (many)
        sim_stream_init (&stream, key, index++);
      block[i] = sim_stream_next (&stream);
    }
  } while (fwrite (block, sizeof block, 1, stdout) == 1);
  return 0;
}
