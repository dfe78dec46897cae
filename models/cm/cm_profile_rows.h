/* The sources of the profiles' values, beside cm_profiles.  Private to models/cm. */
#pragma once

#include "cm_profile.h"

#define CM_PROFILE_FIELDS 32

/* In the order of cm_profiles and of cm_profile_params. */
extern const char *const cm_profile_sources[][CM_PROFILE_FIELDS];
