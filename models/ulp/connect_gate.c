/* Holding connects back: until all of the entry are as far (lockstep), or until so many at
 * most wait for their REP (window). */
#include "connector_private.h"

/* ----- lockstep ----- */

static void
release (Connector *connector, guint gate, ConnectGo go)
{
  for (guint i = 0; i < connector->config.n_records; i++) {
    Connect *connect = connector_connect (connector, i);

    if (!connect->at_gate || connect->gates != gate + 1)
      continue;
    connect->at_gate = FALSE;
    go (connect);
  }
}

static void
reach (Connect *connect, guint gate, ConnectGo go)
{
  Connector *connector = connect_connector (connect);

  /* Gates that it does not come to, because a step is left out, count as reached too. */
  for (; connect->gates <= gate; connect->gates++) {
    connector->gate_go[connect->gates] = go;
    connector->arrived[connect->gates]++;
  }
  for (guint g = 0; g <= gate; g++)
    if (connector->arrived[g] == connector->config.n_records && !connector->released[g]) {
      connector->released[g] = TRUE;
      release (connector, g, connector->gate_go[g]);
    }
}

void
connect_gate (Connect *connect, ConnectGate gate, ConnectGo go)
{
  if (!connect_connector (connect)->config.params->lockstep || connect->gates > gate) {
    go (connect);
    return;
  }
  connect->at_gate = TRUE;
  reach (connect, gate, go);
}

void
connect_gate_drop (Connect *connect)
{
  Connector *connector = connect_connector (connect);

  connect->at_gate = FALSE;
  if (connector->config.params->lockstep)
    for (guint g = connect->gates; g < CONNECT_GATE_COUNT; g++)
      reach (connect, g, connector->gate_go[g]);
}

/* ----- window ----- */

void
connect_window_enter (Connect *connect, ConnectGo go)
{
  Connector *connector = connect_connector (connect);
  guint window = connector->config.params->window;

  if (window == 0) {
    go (connect);
  } else if (connector->in_window < window) {
    connector->in_window++;
    connect->window = CONNECT_WINDOW_IN;
    go (connect);
  } else {
    connector->queue_go = go;
    connect->window = CONNECT_WINDOW_QUEUED;
    g_queue_push_tail (&connector->queue, connect);
  }
}

void
connect_window_leave (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  gboolean was_in = connect->window == CONNECT_WINDOW_IN;
  Connect *next;

  if (connect->window == CONNECT_WINDOW_QUEUED)
    g_queue_remove (&connector->queue, connect);
  connect->window = CONNECT_WINDOW_OUT;
  if (!was_in)
    return;
  next = g_queue_pop_head (&connector->queue);
  if (!next) {
    connector->in_window--;
    return;
  }
  next->window = CONNECT_WINDOW_IN;
  connector->queue_go (next);
}
