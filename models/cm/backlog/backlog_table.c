/* All backlog policies: one row each. */
#include "backlog.h"

const SimClassInfo *const backlog_classes[] = {
  &backlog_unlimited.info,   &backlog_reject.info,
  &backlog_drop.info,        &backlog_keep.info,
  &backlog_destroy.info,     &backlog_defer.info,
  &backlog_ulp_counted.info, &backlog_ulp.info,
  &backlog_script.info,      NULL,
};
