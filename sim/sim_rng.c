/* Named random streams: hashing of names and draws with a shape. */
#include "sim_rng.h"

#define GOLDEN G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

/* SplitMix64's output function: every input bit reaches every output bit. */
static guint64
mix (guint64 z)
{
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static guint64
absorb (guint64 hash, guint64 value)
{
  return mix ((hash ^ mix (value + GOLDEN)) + GOLDEN);
}

/* FNV-1a, 64 bits. */
static guint64
string_hash (const char *text)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const char *c = text; *c != '\0'; c++)
    hash = (hash ^ (guchar) *c) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

SimStreamKey
sim_stream_key (guint64 seed, guint32 replication, const char *kind, const char *purpose)
{
  guint64 hash = absorb (seed, replication);

  hash = absorb (hash, string_hash (kind));
  hash = absorb (hash, string_hash (purpose));
  return (SimStreamKey){ .hash = hash };
}

/* Bits that are set.  The instruction for it is not on every x86-64, and without it the
 * compiler calls a function. */
static inline guint
count_bits (guint64 x)
{
  x -= x >> 1 & G_GUINT64_CONSTANT (0x5555555555555555);
  x = (x & G_GUINT64_CONSTANT (0x3333333333333333)) +
      (x >> 2 & G_GUINT64_CONSTANT (0x3333333333333333));
  x = (x + (x >> 4)) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  return (guint) (x * G_GUINT64_CONSTANT (0x0101010101010101) >> 56);
}

/* Odd, and with enough bits that differ from their neighbour: an increment with long
 * runs of equal bits mixes badly (Steele, Lea, Flood, section 5, mixGamma). */
static guint64
mix_gamma (guint64 z)
{
  z = mix (z) | 1;
  return count_bits (z ^ (z >> 1)) < 24 ? z ^ G_GUINT64_CONSTANT (0xaaaaaaaaaaaaaaaa) : z;
}

void
sim_stream_init (SimStream *stream, SimStreamKey key, guint64 index)
{
  stream->state = absorb (key.hash, index);
  stream->gamma = mix_gamma (stream->state + GOLDEN);
}

void
sim_stream_wake (SimStream *stream, SimStreamKey key, guint64 index, guint64 rest)
{
  sim_stream_init (stream, key, index);
  stream->state += rest;
}

double
sim_stream_unit (SimStream *stream)
{
  return (double) (sim_stream_next (stream) >> 11) * 0x1p-53;
}

double
sim_stream_unit_open (SimStream *stream)
{
  return ((double) (sim_stream_next (stream) >> 12) + 0.5) * 0x1p-52;
}

/* The high word of a 64 x 64 bit product; draws that would favour some results are
 * refused (Lemire, ACM TOMACS 29(1), 2019). */
guint64
sim_stream_below (SimStream *stream, guint64 n)
{
  g_assert (n > 0);
  unsigned __int128 product = (unsigned __int128) sim_stream_next (stream) * n;

  if ((guint64) product < n) {
    guint64 surplus = -n % n; /* 2^64 mod n */
    while ((guint64) product < surplus)
      product = (unsigned __int128) sim_stream_next (stream) * n;
  }
  return (guint64) (product >> 64);
}

gboolean
sim_stream_chance (SimStream *stream, double p)
{
  return sim_stream_unit (stream) < p;
}
