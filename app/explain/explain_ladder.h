/* One conversation, for a person: who, what came of it, and a ladder of its messages. */
#pragma once

#include "explain_words.h"

/* profile: that the conversation was followed with. */
void explain_ladder_print (FILE *out, const CmConversation *conversation,
                           const CmProfile *profile);
