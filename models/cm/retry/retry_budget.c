/* A retry budget: repeats may be only a share of the exchanges begun.  What a host sends
 * under overload then stays within 1 + share of what it would send without any, however
 * long the overload lasts. */
#include "retry.h"

enum { EMPTY_GIVE_UP, EMPTY_WAIT };

/* Tokens in thousandths: shares add up exactly. */
enum { TOKEN = 1000 };

typedef struct {
  double share;
  guint reserve;
  guint most;
  guint empty;
} BudgetParams;

typedef struct {
  guint64 earned, spent; /* thousandths; the reserve is not in them */
} BudgetState;

static const char *const empty_names[] = { "give-up", "wait", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (BudgetParams, field)
static const SimParam budget_params[] = {
  { ROW (share), .kind = SIM_PARAM_PROBABILITY, .value = "20%",
    .help = "Repeats allowed for each exchange begun.",
    .source = "Finagle RetryBudget: 20 %" },
  { ROW (reserve), .kind = SIM_PARAM_UINT, .value = "10", .max = 1e6,
    .help = "Repeats allowed before any exchange has earned one." },
  { ROW (most), .kind = SIM_PARAM_UINT, .value = "100", .min = 1, .max = 1e6,
    .help = "Repeats that can be saved up at most, the reserve not counted." },
  { ROW (empty), .kind = SIM_PARAM_ENUM, .value = "give-up", .names = empty_names,
    .help = "What a repeat gets that the budget does not cover: give-up, the exchange fails; wait, "
            "it asks again an interval later." },
  { .name = NULL },
};
#undef ROW

static SimTime
budget_interval (gconstpointer params G_GNUC_UNUSED, gpointer state G_GNUC_UNUSED,
                 const RetryView *view, SimStream *stream G_GNUC_UNUSED)
{
  return view->nominal;
}

static RetryVerdict
budget_expired (gconstpointer params, gpointer state, const RetryView *view,
                SimStream *stream G_GNUC_UNUSED)
{
  const BudgetParams *p = params;
  BudgetState *s = state;

  if (s->earned + (guint64) p->reserve * TOKEN >= s->spent + TOKEN) {
    s->spent += TOKEN;
    return (RetryVerdict){ .answer = RETRY_SEND };
  }
  if (p->empty == EMPTY_WAIT)
    return (RetryVerdict){ .answer = RETRY_WAIT, .wait = view->nominal };
  return (RetryVerdict){ .answer = RETRY_GIVE_UP };
}

static void
budget_observe (gconstpointer params, gpointer state, const RetryNews *news)
{
  const BudgetParams *p = params;
  BudgetState *s = state;

  if (news->type != RETRY_NEWS_BEGUN)
    return;
  s->earned += (guint64) (p->share * TOKEN + 0.5);
  s->earned = MIN (s->earned, s->spent + (guint64) p->most * TOKEN);
}

const RetryPolicy retry_budget = {
  .info = {
    .name = "budget",
    .help = "Nominal intervals; a host's repeats are limited to a share of the exchanges it "
            "begins.",
    .source = "Finagle RetryBudget; gRPC A6 retry throttling",
    .params = budget_params,
    .params_size = sizeof (BudgetParams),
    .main_param = "share",
  },
  .scope = RETRY_SCOPE_HOST,
  .state_size = sizeof (BudgetState),
  .interval = budget_interval,
  .expired = budget_expired,
  .observe = budget_observe,
};
