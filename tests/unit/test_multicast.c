/* Multicast: MGIDs, the subnet manager's groups, bytes of a join, members of a port. */
#include "ib_sa_wire.h"
#include "sa_ipoib.h"
#include "test_sa.h"

#include <string.h>

/* ----- MGIDs ----- */

static void
check_mgid (const char *group, IbMgidSignature signature, const char *mgid)
{
  IbGroupAddress address;
  IbGid gid;
  char text[IB_GID_TEXT];

  ck_assert (ib_group_parse (group, &address));
  gid = ib_mgid_of (&address, signature);
  ck_assert_str_eq (ib_gid_text (&gid, text), mgid);
}

/* RFC 4391, 4: 28 bits of an IPv4 group, 80 of an IPv6 one; Linux cma_set_mgid changes the
 * signature's first byte. */
START_TEST (mgids)
{
  IbGid broadcast = ib_mgid_broadcast (), roce;
  IbGroupAddress address;
  char text[IB_GID_TEXT];

  check_mgid ("239.1.2.3", IB_MGID_IPOIB, "ff12:401b:ffff::f01:203");
  check_mgid ("224.0.0.1", IB_MGID_IPOIB, "ff12:401b:ffff::1");
  check_mgid ("239.1.2.3", IB_MGID_RDMA_CM, "ff12:4001:ffff::f01:203");
  check_mgid ("ff15:1:2:3:4:5:6:7", IB_MGID_IPOIB, "ff12:601b:ffff:3:4:5:6:7");
  check_mgid ("ff15:1:2:3:4:5:6::", IB_MGID_IPOIB, "ff12:601b:ffff:3:4:5:6:0");
  check_mgid ("ff15::7", IB_MGID_RDMA_CM, "ff12:6001:ffff::7");
  check_mgid ("ff15:a01b::7", IB_MGID_RDMA_CM, "ff15:a01b::7");
  check_mgid ("ib:ff12:401b:ffff::f01:203", IB_MGID_RDMA_CM, "ff12:401b:ffff::f01:203");
  check_mgid ("0.0.0.0", IB_MGID_IPOIB, "::");
  ck_assert_str_eq (ib_gid_text (&broadcast, text), "ff12:401b:ffff::ffff:ffff");
  ck_assert (ib_group_parse ("239.1.2.3", &address));
  roce = ib_mgid_roce (&address);
  ck_assert_str_eq (ib_gid_text (&roce, text), "::ffff:ef01:203");
}
END_TEST

START_TEST (no_groups)
{
  static const char *const wrong[] = { "",
                                       "10.1.2.3",
                                       "223.255.255.255",
                                       "240.0.0.0",
                                       "fe80::1",
                                       "ib:fe80::1",
                                       "ib:239.1.2.3",
                                       "239.1.2",
                                       "239.1.2.3.4",
                                       "239.1.2.256",
                                       "239.01.2.3",
                                       "00.0.0.0",
                                       "ff15:::1",
                                       "ff15::1::2",
                                       "ff15:1:2:3:4:5:6",
                                       "ff15:1:2:3:4:5:6:7:8",
                                       "ff15:1:2:3:4:5:6::7",
                                       "ff15::12345",
                                       "ff15::1:",
                                       "ff15::g" };
  IbGroupAddress address;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    ck_assert_msg (!ib_group_parse (wrong[i], &address), "%s", wrong[i]);
}
END_TEST

/* ----- bytes ----- */

/* IBTA 15.2.5.17: the record begins at byte 56 of the MAD.  The component mask that Linux's
 * cma_join_ib_multicast makes for port space IPOIB: bits 0-2, 4-9, 12-14 and 16. */
START_TEST (join_as_bytes)
{
  IbEnd port = { .lid = 7 }, sm = { .lid = 1 };
  IbSaMsg msg = { .method = IB_SA_JOIN,
                  .mtu = 4,
                  .rate = 3,
                  .sl = 5,
                  .tid = 9,
                  .group = { .mgid = { G_GUINT64_CONSTANT (0xff12401bffff0000), 0x0f010203 },
                             .qkey = 0x0b1b,
                             .join_state = IB_JOIN_SEND_ONLY_FULL,
                             .given = IB_SA_GIVEN_PATH | IB_SA_GIVEN_RATE } };
  static const guint8 mask[8] = { 0, 0, 0, 0, 0, 0x01, 0x73, 0xf7 };
  static const guint8 leave_mask[8] = { 0, 0, 0, 0, 0, 0x01, 0x00, 0x03 };
  guint8 mad[IB_MAD_BYTES];

  port.gid[0] = 0xfe;
  port.gid[15] = 7;
  ib_sa_encode (&msg, &port, &sm, mad);
  ck_assert_uint_eq (mad[3], 0x02);                   /* Set */
  ck_assert_uint_eq (mad[16] << 8 | mad[17], 0x0038); /* MCMemberRecord */
  ck_assert (memcmp (mad + 48, mask, 8) == 0);
  ck_assert_uint_eq (mad[56], 0xff); /* MGID */
  ck_assert_uint_eq (mad[59], 0x1b);
  ck_assert_uint_eq (mad[71], 0x03);
  ck_assert_uint_eq (mad[72], 0xfe); /* port GID */
  ck_assert_uint_eq (mad[87], 7);
  ck_assert_uint_eq (mad[90] << 8 | mad[91], 0x0b1b); /* Q_Key */
  ck_assert_uint_eq (mad[94], 2 << 6 | 4);            /* MTU */
  ck_assert_uint_eq (mad[96] << 8 | mad[97], 0xffff); /* P_Key */
  ck_assert_uint_eq (mad[98], 2 << 6 | 3);            /* rate */
  ck_assert_uint_eq (mad[100], 5 << 4);               /* SL */
  ck_assert_uint_eq (mad[104], 2 << 4 | 8);           /* scope, join state */

  msg.method = IB_SA_LEAVE;
  msg.group.given = 0;
  ib_sa_encode (&msg, &port, &sm, mad);
  ck_assert_uint_eq (mad[3], 0x15);
  ck_assert (memcmp (mad + 48, leave_mask, 8) == 0);
  msg.method = IB_SA_JOIN_RESP;
  ib_sa_encode (&msg, &port, &sm, mad);
  ck_assert_uint_eq (mad[3], 0x81);
  msg.method = IB_SA_LEAVE_RESP;
  ib_sa_encode (&msg, &port, &sm, mad);
  ck_assert_uint_eq (mad[3], 0x95);
}
END_TEST

/* ----- the subnet manager ----- */

static IbSaMsg
request (IbSaMethod method, guint port, guint group, guint state)
{
  return (IbSaMsg){ .method = method,
                    .slid = port,
                    .group = { .mgid = { 1, group },
                               .qkey = 0x0b1b,
                               .join_state = (guint8) state,
                               .given = IB_SA_GIVEN_PATH } };
}

static guint
ask_groups (SaGroups *groups, IbSaMsg msg)
{
  IbSaMsg response;

  sa_groups_answer (groups, &msg, &response);
  ck_assert_uint_eq (response.method, msg.method + 1);
  return response.status;
}

START_TEST (groups_come_and_go)
{
  SaGroupsParams params = { .limit = 3, .send_only_full = TRUE, .broadcast_qkey = 0x0b1b };
  SaGroups *groups = sa_groups_new (&params);
  IbSaMsg bad, response;

  ck_assert_uint_eq (sa_groups_count (groups), 1); /* broadcast */
  /* Only a full member makes a group. */
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_JOIN, 5, 1, IB_JOIN_NON_MEMBER)),
                     IB_SA_STATUS_REQ_INVALID);
  bad = request (IB_SA_JOIN, 5, 1, IB_JOIN_FULL);
  bad.group.given = 0;
  ck_assert_uint_eq (ask_groups (groups, bad), IB_SA_STATUS_INSUFFICIENT_COMPONENTS);
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_JOIN, 5, 1, IB_JOIN_FULL)), 0);
  ck_assert_uint_eq (sa_groups_count (groups), 2);
  /* The other Q_Key. */
  bad = request (IB_SA_JOIN, 6, 1, IB_JOIN_FULL);
  bad.group.qkey = 1;
  ck_assert_uint_eq (ask_groups (groups, bad), IB_SA_STATUS_REQ_INVALID);
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_JOIN, 6, 1, IB_JOIN_NON_MEMBER)), 0);
  /* Three at most. */
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_JOIN, 5, 2, IB_JOIN_SEND_ONLY_FULL)), 0);
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_JOIN, 5, 3, IB_JOIN_FULL)),
                     IB_SA_STATUS_NO_RESOURCES);
  /* Join states of a port add up, and go one by one. */
  bad = request (IB_SA_JOIN, 5, 1, IB_JOIN_SEND_ONLY_FULL);
  sa_groups_answer (groups, &bad, &response);
  ck_assert_uint_eq (response.group.join_state, IB_JOIN_FULL | IB_JOIN_SEND_ONLY_FULL);
  ck_assert_uint_eq (response.group.mlid, 0xc001);
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_LEAVE, 7, 1, IB_JOIN_FULL)),
                     IB_SA_STATUS_REQ_INVALID);
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_LEAVE, 5, 1, IB_JOIN_FULL)), 0);
  ck_assert_uint_eq (sa_groups_count (groups), 3);
  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_LEAVE, 5, 1, IB_JOIN_SEND_ONLY_FULL)), 0);
  /* Port 6, no full member, does not keep it.  Its LID is given out again. */
  ck_assert_uint_eq (sa_groups_count (groups), 2);
  bad = request (IB_SA_JOIN, 5, 3, IB_JOIN_FULL);
  sa_groups_answer (groups, &bad, &response);
  ck_assert_uint_eq (response.status, 0);
  ck_assert_uint_eq (response.group.mlid, 0xc001);
  sa_groups_forget (groups);
  ck_assert_uint_eq (sa_groups_count (groups), 1);
  sa_groups_free (groups);
}
END_TEST

START_TEST (send_only_unknown)
{
  SaGroupsParams params = { .limit = 3 };
  SaGroups *groups = sa_groups_new (&params);

  ck_assert_uint_eq (ask_groups (groups, request (IB_SA_JOIN, 5, 1, IB_JOIN_SEND_ONLY_FULL)),
                     IB_SA_STATUS_REQ_INVALID);
  sa_groups_free (groups);
}
END_TEST

/* ----- members of a port ----- */

typedef struct {
  Rig *rig;
  SaMulticast *multicast;
  SaMulticastCounters counters;
  guint n;
  gint status[16];
  SimTime at[16];
  guint who[16];
} Port;

typedef struct {
  Port *port;
  guint number;
  SaMember *leave; /* to be left inside changed() */
} User;

static void
user_changed (gpointer owner, SaMember *member G_GNUC_UNUSED, gint status, const IbSaMsg *record)
{
  User *user = owner;
  Port *port = user->port;

  ck_assert ((record != NULL) == (status == 0));
  port->status[port->n] = status;
  port->at[port->n] = sim_engine_now (port->rig->engine);
  port->who[port->n++] = user->number;
  if (user->leave)
    sa_multicast_leave (user->leave, FALSE);
  user->leave = NULL;
}

static const SaMemberOps user_ops = { .changed = user_changed };

static void
port_start (Port *port)
{
  *port = (Port){ .rig = rig_new () };
  port->rig->sa_params.set_service = sim_dist_constant (SIM_MS (1));
  port->rig->sa_params.set_workers = 1;
  port->rig->sa_params.groups = (SaGroupsParams){ .limit = 10 };
  rig_start (port->rig, TRUE, TRUE, 0);
  port->multicast = sa_multicast_new (port->rig->engine, port->rig->client, &port->counters);
}

static void
port_stop (Port *port)
{
  sa_multicast_free (port->multicast);
  rig_free (port->rig);
}

static void
check_news (const Port *port, guint i, guint who, SimTime at, gint status)
{
  ck_assert_uint_lt (i, port->n);
  ck_assert_uint_eq (port->who[i], who);
  ck_assert_int_eq (port->at[i], at);
  ck_assert_int_eq (port->status[i], status);
}

/* One Set for both; the first leaves, nobody is told; the second, and a Delete goes out. */
START_TEST (two_share)
{
  Port port;
  IbSaMsg wanted = request (IB_SA_JOIN, 0, 1, IB_JOIN_FULL);
  SaMember *members[2];
  User users[2] = { { .number = 0 }, { .number = 1 } };
  const SaCounters *sa;

  port_start (&port);
  sa = sa_service_counters (port.rig->sa);
  for (guint i = 0; i < 2; i++) {
    users[i].port = &port;
    members[i] = sa_multicast_join (port.multicast, &wanted, &user_ops, &users[i]);
  }
  ck_assert_uint_eq (port.n, 0); /* never inside the call */
  rig_run (port.rig);
  check_news (&port, 0, 0, SIM_MS (1), 0);
  check_news (&port, 1, 1, SIM_MS (1), 0);
  ck_assert_uint_eq (sa->joins, 1);
  ck_assert_uint_eq (port.counters.shared, 1);
  ck_assert_ptr_nonnull (sa_multicast_find (port.multicast, &wanted.group.mgid));
  sa_multicast_leave (members[0], FALSE);
  rig_run (port.rig);
  ck_assert_uint_eq (sa->leaves, 0);
  sa_multicast_leave (members[1], FALSE);
  rig_run (port.rig);
  ck_assert_uint_eq (sa->leaves, 1);
  ck_assert_uint_eq (sa->groups_max, 2);
  ck_assert_ptr_null (sa_multicast_find (port.multicast, &wanted.group.mgid));
  ck_assert_uint_eq (port.n, 2);
  port_stop (&port);
}
END_TEST

/* Another join state is another request; another Q_Key is refused by the port. */
START_TEST (two_differ)
{
  Port port;
  IbSaMsg wanted = request (IB_SA_JOIN, 0, 1, IB_JOIN_FULL);
  User users[3] = { { .number = 0 }, { .number = 1 }, { .number = 2 } };

  port_start (&port);
  for (guint i = 0; i < 3; i++)
    users[i].port = &port;
  sa_multicast_join (port.multicast, &wanted, &user_ops, &users[0]);
  wanted.group.join_state = IB_JOIN_NON_MEMBER;
  sa_multicast_join (port.multicast, &wanted, &user_ops, &users[1]);
  wanted.group.qkey++;
  sa_multicast_join (port.multicast, &wanted, &user_ops, &users[2]);
  rig_run (port.rig);
  check_news (&port, 0, 0, SIM_MS (1), 0);
  check_news (&port, 1, 1, SIM_MS (2), 0);
  check_news (&port, 2, 2, SIM_MS (2), -EINVAL);
  ck_assert_uint_eq (sa_service_counters (port.rig->sa)->joins, 2);
  port_stop (&port);
}
END_TEST

/* It leaves while its Set is on its way: the Delete waits for the answer, nobody is told. */
START_TEST (leaves_early)
{
  Port port;
  IbSaMsg wanted = request (IB_SA_JOIN, 0, 1, IB_JOIN_FULL);
  User user = { .number = 0 };
  SaMember *member;

  port_start (&port);
  user.port = &port;
  member = sa_multicast_join (port.multicast, &wanted, &user_ops, &user);
  sim_engine_run (port.rig->engine, SIM_US (500));
  sa_multicast_leave (member, FALSE);
  rig_run (port.rig);
  ck_assert_uint_eq (port.n, 0);
  ck_assert_uint_eq (sa_service_counters (port.rig->sa)->joins, 1);
  ck_assert_uint_eq (sa_service_counters (port.rig->sa)->leaves, 1);
  ck_assert_int_eq (sim_engine_now (port.rig->engine), SIM_MS (2));
  port_stop (&port);
}
END_TEST

/* The port was reset: its member hears -ENETRESET, and again when it is in once more; a silent
 * leave is one. */
START_TEST (reset)
{
  Port port;
  IbSaMsg wanted = request (IB_SA_JOIN, 0, 1, IB_JOIN_FULL);
  User user = { .number = 0 };
  SaMember *member;

  port_start (&port);
  user.port = &port;
  member = sa_multicast_join (port.multicast, &wanted, &user_ops, &user);
  rig_run (port.rig);
  user.leave = member;
  sa_multicast_reset (port.multicast);
  ck_assert_ptr_null (sa_multicast_find (port.multicast, &wanted.group.mgid));
  rig_run (port.rig);
  check_news (&port, 1, 0, SIM_MS (1), -ENETRESET);
  ck_assert_uint_eq (sa_service_counters (port.rig->sa)->leaves, 0);
  member = sa_multicast_join (port.multicast, &wanted, &user_ops, &user);
  rig_run (port.rig);
  check_news (&port, 2, 0, SIM_MS (2), 0);
  sa_multicast_leave (member, TRUE);
  rig_run (port.rig);
  ck_assert_uint_eq (sa_service_counters (port.rig->sa)->leaves, 0);
  port_stop (&port);
}
END_TEST

/* ----- IPoIB ----- */

/* Nobody answers: 11 tries of 300 ms, then waits of 2, 4, 8, 16 and 16 s. */
START_TEST (ipoib_backs_off)
{
  Rig *rig = rig_new ();
  SaMulticastCounters counters = { 0 };
  SaMulticast *multicast;
  SaIpoib *ipoib;
  guint sends[] = { 1, 12, 23, 34, 45 };
  SimTime at = 0;

  rig_start (rig, FALSE, TRUE, 0);
  multicast = sa_multicast_new (rig->engine, rig->client, &counters);
  ipoib = sa_ipoib_new (rig->engine, multicast, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (sends); i++) {
    sim_engine_run (rig->engine, at + SIM_MS (1));
    ck_assert_uint_eq (sa_client_sends (rig->client), sends[i]);
    at += SIM_MS (3300) + SIM_S ((SimTime) MIN (2 << i, 16));
    sim_engine_run (rig->engine, at - SIM_MS (1));
    ck_assert_uint_eq (sa_client_sends (rig->client), sends[i] + 10);
  }
  ck_assert_ptr_null (sa_ipoib_broadcast (ipoib));
  sa_ipoib_free (ipoib);
  sa_multicast_free (multicast);
  rig_free (rig);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("multicast");
  TCase *all = tcase_create ("all");

  tcase_add_test (all, mgids);
  tcase_add_test (all, no_groups);
  tcase_add_test (all, join_as_bytes);
  tcase_add_test (all, groups_come_and_go);
  tcase_add_test (all, send_only_unknown);
  tcase_add_test (all, two_share);
  tcase_add_test (all, two_differ);
  tcase_add_test (all, leaves_early);
  tcase_add_test (all, reset);
  tcase_add_test (all, ipoib_backs_off);
  suite_add_tcase (suite, all);
  return test_run (suite);
}
