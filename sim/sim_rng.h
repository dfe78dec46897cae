/* Named random streams.
 *
 * A stream is named by (seed, replication, entity kind, entity index, purpose);
 * the name is hashed to the start state and the odd increment ("gamma") of a
 * SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014), period 2^64 per stream.
 * Because the name alone fixes the stream, one more entity, or one more draw by
 * one of them, never shifts the draws of another: common random numbers across
 * variants come for free. */
#pragma once

#include <glib.h>

typedef struct {
  guint64 state;
  guint64 gamma; /* odd */
} SimStream;

/* The part of the name that many entities share, hashed once. */
typedef struct {
  guint64 hash;
} SimStreamKey;

SimStreamKey sim_stream_key (guint64 seed, guint32 replication, const char *kind,
                             const char *purpose);
void sim_stream_init (SimStream *stream, SimStreamKey key, guint64 index);

/* Millions of owners keep half of a stream while it rests: how far it is from its start; 0
 * for one not begun.  The name gives the rest.  Afterwards: *rest += stream.state - the
 * state after waking. */
void sim_stream_wake (SimStream *stream, SimStreamKey key, guint64 index, guint64 rest);

/* 64 uniformly distributed bits. */
static inline guint64
sim_stream_next (SimStream *stream)
{
  guint64 z = (stream->state += stream->gamma);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Uniform in [0, 1): 53 random bits times 2^-53. */
double sim_stream_unit (SimStream *stream);
/* Uniform in (0, 1): (k + 0.5) 2^-52 with 52 random bits; never 0 or 1. */
double sim_stream_unit_open (SimStream *stream);
/* Uniform integer in [0, n), n > 0, without bias. */
guint64 sim_stream_below (SimStream *stream, guint64 n);
/* TRUE with probability p; draws exactly one number whatever p is. */
gboolean sim_stream_chance (SimStream *stream, double p);
