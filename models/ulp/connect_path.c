/* Alternate paths that a connect offers: LAP, and what comes of it. */
#include "connector_private.h"

struct ConnectPath {
  SimEventId due; /* the LAP */
  SimTime since;  /* it was sent */
};

static ConnectPath *
path_of (const Connect *connect)
{
  ConnectPath *paths = connect_connector (connect)->path_states;

  return paths ? &paths[connect_index (connect)] : NULL;
}

static void
path_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  ConnectPath *path = path_of (connect);

  path->due = SIM_EVENT_NONE;
  path->since = connect_now (connect);
  connect_trace (connect, "LOAD_PATH_CALL", 0);
  cma_load_alternate (connect->id); /* -EINVAL when the connection is going down */
}

static const SimEventClass path_event = { .name = "connect-path",
                                          .code = 0x70d,
                                          .fire = path_fire };

void
connect_path_begin (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  SimTime after = connector->config.params->alternate_path_after;

  if (after == SIM_TIME_NEVER)
    return;
  if (!connector->path_states)
    connector->path_states = g_new0 (ConnectPath, connector->config.n_records);
  path_of (connect)->due =
      sim_engine_schedule_after (connector->config.engine, after, &path_event, connect, 0);
}

void
connect_path_answered (Connect *connect, gint status)
{
  ConnectPathCounters *paths = &connect_connector (connect)->paths;
  SimTime wait = connect_now (connect) - path_of (connect)->since;

  connect_trace (connect, "PATH_ANSWERED", status);
  *(status == IB_CM_APR_SUCCESS ? &paths->loaded : &paths->refused) += 1;
  paths->wait += wait;
  paths->wait_max = MAX (paths->wait_max, wait);
}

void
connect_path_cancel (Connect *connect)
{
  ConnectPath *path = path_of (connect);

  if (path)
    connect_cancel (connect, &path->due);
}
