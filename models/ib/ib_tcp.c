/* Names of TCP segments. */
#include "ib_tcp.h"

const char *
ib_tcp_kind_name (guint kind)
{
  static const char *const names[] = {
#define X(name, text) [IB_TCP_##name] = text,
    IB_TCP_KIND_LIST (X)
#undef X
  };

  g_assert (kind < IB_TCP_KIND_COUNT);
  return names[kind];
}
