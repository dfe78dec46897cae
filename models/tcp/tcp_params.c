/* Parameter rows of TCP. */
#include "tcp.h"

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (TcpParams, field)
const SimParam tcp_params[] = {
  { ROW (syn_retries), .kind = SIM_PARAM_UINT, .value = "6", .max = 127,
    .help = "Repeats of a SYN.", .source = "Linux net.ipv4.tcp_syn_retries" },
  { ROW (synack_retries), .kind = SIM_PARAM_UINT, .value = "5", .max = 127,
    .help = "Repeats of a SYN-ACK.", .source = "Linux net.ipv4.tcp_synack_retries" },
  { ROW (syn_backlog), .kind = SIM_PARAM_UINT, .value = "4096", .min = 1, .max = 1e9,
    .help = "Half-open connections of a host; SYNs beyond are dropped (no SYN cookies).",
    .source = "Linux net.ipv4.tcp_max_syn_backlog" },
  { ROW (rto), .kind = SIM_PARAM_TIME, .value = "1s", .min = 1, .max = 9.2e18,
    .help = "First wait for an answer to a SYN or SYN-ACK; each further is twice as long.",
    .source = "RFC 6298; Linux TCP_TIMEOUT_INIT" },
  { ROW (data_rto), .kind = SIM_PARAM_TIME, .value = "200ms", .min = 1, .max = 9.2e18,
    .help = "First wait for the ACK of data or a FIN; each further is twice as long.",
    .source = "Linux TCP_RTO_MIN" },
  { ROW (data_retries), .kind = SIM_PARAM_UINT, .value = "15", .max = 127,
    .help = "Repeats of data or a FIN.", .source = "Linux net.ipv4.tcp_retries2" },
  { ROW (time_wait), .kind = SIM_PARAM_TIME, .value = "60s",
    .help = "How long the side that closed first keeps the connection.",
    .source = "Linux TCP_TIMEWAIT_LEN" },
  { ROW (keepalive), .kind = SIM_PARAM_TIME, .value = "2h", .min = 1e9, .max = 9.2e18,
    .help = "A client that waits for the server's answer asks this often whether it is still "
            "there, as long as anything can change that.",
    .source = "Linux net.ipv4.tcp_keepalive_time" },
  { .name = NULL },
};
#undef ROW
