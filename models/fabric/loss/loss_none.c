/* A wire that loses nothing.  MADs are then lost only where the HCAs model it. */
#include "loss.h"

const LossClass loss_none = {
  .info = {
    .name = "none",
    .help = "The wire loses nothing.",
  },
};
