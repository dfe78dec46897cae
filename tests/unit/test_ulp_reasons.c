/* What each upper-layer protocol makes of every REJ reason there is, one by one: the table "ULP x
 * REJ reason" of the SDP reference, section 6.  A reason that the table does not name is as any
 * other, so a row too many shows as well as a row too few. */
#include <string.h>

#include "test_sim.h"
#include "ulp.h"

#define REASON_LAST 36 /* IBTA 12.6.7.2 ends at 35; a reason that nobody knows is as any other */

/* One reason that is told apart. */
typedef struct {
  guint reason;
  UlpAction action;
  const char *errno_name;
} Apart;

typedef struct {
  const char *ulp;
  UlpAction action; /* after any other */
  const char *errno_name;
  Apart apart[4]; /* ends with reason 0 */
} Row;

static const Row rows[] = {
  { "sdp", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "sdp-ofed-2006", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "sdp-ofed-1.4", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "sdp-mlnx", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "sdp-freebsd", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "sdp-spec", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "sdp-illumos", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "wsd", ULP_FAIL, "WSAECONNREFUSED", { { 4, ULP_FAIL, "WSAETIMEDOUT" } } },
  { "rsockets", ULP_FAIL, "ECONNREFUSED", { { 0 } } },
  { "nvme-rdma", ULP_RETRY, "ECONNRESET", { { 0 } } },
  { "spdk", ULP_RETRY, "EBADMSG", { { 10, ULP_RETRY, "ESTALE" } } },
  { "iser", ULP_RETRY, "EIO", { { 0 } } },
  { "srp",
    ULP_RETRY,
    "ECONNRESET",
    { { 10, ULP_FAIL, "ECONNRESET" },
      { 24, ULP_REDIRECT, "ECONNRESET" },
      { 25, ULP_REDIRECT, "ECONNRESET" } } },
  { "nfs-rdma", ULP_RETRY, "ECONNREFUSED", { { 10, ULP_RETRY, "ENOTCONN" } } },
  { "rds", ULP_RETRY, "EAGAIN", { { 0 } } },
  { "lustre-o2iblnd",
    ULP_FAIL,
    "ECONNREFUSED",
    { { 8, ULP_FAIL, "EHOSTUNREACH" },
      { 10, ULP_RETRY, "ECONNREFUSED" },
      { 28, ULP_RETRY, "ECONNREFUSED" } } }, /* if its data say so */
  { "ipoib-cm", ULP_RETRY, "(packets dropped)", { { 0 } } },
  { "libfabric-rxm", ULP_RETRY, "FI_ECONNREFUSED", { { 0 } } },
  { "ucx", ULP_FAIL, "UCS_ERR_CONNECTION_RESET", { { 28, ULP_FAIL, "UCS_ERR_REJECTED" } } },
  { "9p", ULP_RETRY, "ENOTCONN", { { 0 } } },
  { "smbdirect", ULP_RETRY, "ENOENT", { { 0 } } },
  { "ipxe",
    ULP_RETRY,
    "EPERM",
    { { 8, ULP_RETRY, "ENODEV" },
      { 10, ULP_RETRY, "EALREADY" },
      { 28, ULP_RETRY, "(the protocol's own)" } } },
  { "mpi", ULP_FAIL, "MPI_ERR_OTHER", { { 10, ULP_RETRY, "MPI_ERR_OTHER" } } },
  { "cmtime", ULP_FAIL, "exit(1)", { { 0 } } },
};

START_TEST (reasons)
{
  const Row *row = &rows[_i];
  const UlpClass *ulp = ulp_find (row->ulp);

  ck_assert_msg (ulp != NULL, "there is no %s", row->ulp);
  for (guint reason = 1; reason <= REASON_LAST; reason++) {
    const UlpReaction *found = ulp_reaction (ulp, ULP_END_REJECTED, reason);
    UlpAction action = row->action;
    const char *errno_name = row->errno_name;

    for (guint i = 0; i < G_N_ELEMENTS (row->apart) && row->apart[i].reason; i++)
      if (row->apart[i].reason == reason) {
        action = row->apart[i].action;
        errno_name = row->apart[i].errno_name;
      }
    ck_assert_msg (found->action == action, "%s, REJ %u: action %d", row->ulp, reason,
                   found->action);
    ck_assert_msg (strcmp (found->errno_name, errno_name) == 0, "%s, REJ %u: %s", row->ulp, reason,
                   found->errno_name);
  }
}
END_TEST

/* Only 4, 8, 10, 24, 25 and 28 make a difference to anybody; 3 to nobody. */
START_TEST (few_reasons_matter)
{
  static const guint matter[] = { 4, 8, 10, 24, 25, 28 };
  gboolean seen[REASON_LAST + 1] = { FALSE };

  for (guint i = 0; ulp_classes[i]; i++)
    for (const UlpReaction *row = ((const UlpClass *) ulp_classes[i])->reactions; row->errno_name;
         row++)
      if (row->end == ULP_END_REJECTED && row->reason <= REASON_LAST)
        seen[row->reason] = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (matter); i++) {
    ck_assert_msg (seen[matter[i]], "REJ %u makes no difference", matter[i]);
    seen[matter[i]] = FALSE;
  }
  for (guint reason = 1; reason <= REASON_LAST; reason++)
    ck_assert_msg (!seen[reason], "REJ %u makes a difference", reason);
}
END_TEST

/* Who is not in the table above is no protocol, and everybody says where it was read. */
START_TEST (all_are_there)
{
  for (guint i = 0; ulp_classes[i]; i++) {
    const UlpClass *ulp = (const UlpClass *) ulp_classes[i];
    gboolean found = ulp == &ulp_script || ulp == &ulp_generic;

    for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
      found |= strcmp (rows[k].ulp, ulp->info.name) == 0;
    ck_assert_msg (found, "%s", ulp->info.name);
    ck_assert_msg (ulp->info.source && *ulp->info.source, "%s has no source", ulp->info.name);
    ck_assert_msg (ulp->listen.source && *ulp->listen.source, "%s: listening has no source",
                   ulp->info.name);
  }
}
END_TEST

/* Time-outs of SDP's row, section 4, which all variants share; nobody but these has a watchdog of
 * its own. */
START_TEST (ends_and_watchdogs)
{
  static const char *const sdp[] = { "sdp",      "sdp-ofed-2006", "sdp-ofed-1.4", "sdp-mlnx",
                                     "sdp-spec", "sdp-freebsd",   "sdp-illumos" };

  for (guint i = 0; i < G_N_ELEMENTS (sdp); i++) {
    const UlpClass *ulp = ulp_find (sdp[i]);

    ck_assert_str_eq (ulp_errno_name (ulp, ULP_END_UNREACHABLE, 0), "ENETUNREACH");
    ck_assert_str_eq (ulp_errno_name (ulp, ULP_END_ADDRESS_ERROR, 0), "ENETUNREACH");
    ck_assert_str_eq (ulp_errno_name (ulp, ULP_END_ROUTE_ERROR, 0), "ETIMEDOUT");
    ck_assert_str_eq (ulp_errno_name (ulp, ULP_END_CONNECT_ERROR, 0), "ETIMEDOUT");
    for (UlpEnd end = ULP_END_REJECTED; end <= ULP_END_WATCHDOG; end++)
      ck_assert_int_eq (ulp_reaction (ulp, end, 3)->action, ULP_FAIL);
  }
  for (guint i = 0; ulp_classes[i]; i++) {
    const UlpClass *ulp = (const UlpClass *) ulp_classes[i];
    SimTime watchdog = ulp == &ulp_spdk ? SIM_S (1) : ulp == &ulp_lustre ? SIM_S (12) : 0;

    ck_assert_msg (ulp->watchdog == watchdog, "%s", ulp->info.name);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ulp_reasons");
  TCase *tcase = tcase_create ("ulp_reasons");

  tcase_add_loop_test (tcase, reasons, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, few_reasons_matter);
  tcase_add_test (tcase, all_are_there);
  tcase_add_test (tcase, ends_and_watchdogs);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}
