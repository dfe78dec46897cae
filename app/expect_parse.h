/* The grammar of an expectation:
 *
 *   [VARIANT:] LEFT == | != | < | <= | > | >= RIGHT [+- TOLERANCE]
 *   [VARIANT:] LEFT in [LOW, HIGH]      ( ) instead of [ ]: without the end itself
 *   [VARIANT:] errno == | != NAME            what every connect that failed gave its caller
 *   LEFT   METRIC, or mean|min|max|sum (METRIC) over the replications
 *   RIGHT  VALUE, or [FACTOR *] [VARIANT.]METRIC, folded like LEFT
 *
 * A value has a unit exactly when the metric is a time.  A tolerance is a value of the
 * same kind, or N%: so much of the right side. */
#pragma once

#include "expect.h"
#include "yaml_tree.h"

typedef enum {
  EXPECT_FOLD_NONE, /* in every replication */
  EXPECT_FOLD_MEAN,
  EXPECT_FOLD_MIN,
  EXPECT_FOLD_MAX,
  EXPECT_FOLD_SUM,
} ExpectFold;

typedef enum {
  EXPECT_EQ,
  EXPECT_NE,
  EXPECT_LT,
  EXPECT_LE,
  EXPECT_GT,
  EXPECT_GE,
  EXPECT_IN,
} ExpectOp;

struct Expect {
  const char *text;    /* as written, for people */
  const char *variant; /* or cells, see expect_cell.h; NULL: every one */
  const char *errno_name; /* the line is about `errno`: EQ or NE this; else NULL */
  ExpectFold fold;
  MetricId metric;
  ExpectOp op;
  double low;          /* the value; IN: the lower end */
  double high;         /* IN: the upper end */
  gboolean low_open, high_open;
  gboolean by_metric;  /* the right side is factor x metric, not low */
  double factor;
  const char *other_variant; /* NULL: the same */
  MetricId other_metric;
  double tolerance;    /* EQ, NE: |left - right| may be so large; 0: none ... */
  double tolerance_share; /* ... and this share of |right| */
};

/* item: one element of `expect:`, text or {VARIANT: text}.  variants: the scenario's,
 * NULL-terminated; axes: of its matrix.  The expectation lives in the arena.  NULL and an
 * error with the place. */
Expect *expect_parse (Arena *arena, const YamlNode *item, const char *const *variants,
                      const ScenarioAxis *axes, guint n_axes, GError **error);
