/* Groups and GIDs as text: IPv4 in dotted decimal, IPv6 as in RFC 4291, 2.2, without the form
 * that ends in dotted decimal.  An IPv4 part has no leading zero, which some read as octal. */
#include "ib_gid.h"

#include <string.h>

#define WORDS 8

/* ----- reading ----- */

static gboolean
parse_ipv4 (const char *text, guint32 *ret_address)
{
  guint32 address = 0;

  for (guint i = 0; i < 4; i++) {
    gboolean zero = text[0] == '0';
    guint part = 0, digits = 0;

    for (; g_ascii_isdigit (*text) && digits < 4; digits++)
      part = part * 10 + (guint) g_ascii_digit_value (*text++);
    if (digits == 0 || digits > 3 || (zero && digits > 1) || part > 255 ||
        *text != (i < 3 ? '.' : '\0'))
      return FALSE;
    text += i < 3;
    address = address << 8 | part;
  }
  *ret_address = address;
  return TRUE;
}

/* Words up to "::" or the end; *text is left there.  FALSE: that is no list of words. */
static gboolean
parse_words (const char **text, guint16 *words, guint *n)
{
  while (**text && !g_str_has_prefix (*text, "::")) {
    guint word = 0, digits = 0;

    for (; g_ascii_isxdigit (**text) && digits < 5; digits++)
      word = word << 4 | (guint) g_ascii_xdigit_value (*(*text)++);
    if (digits == 0 || digits > 4 || *n == WORDS)
      return FALSE;
    words[(*n)++] = (guint16) word;
    if (!**text || g_str_has_prefix (*text, "::"))
      return TRUE;
    if (*(*text)++ != ':' || !**text)
      return FALSE;
  }
  return TRUE;
}

static gboolean
parse_ipv6 (const char *text, IbGid *ret_gid)
{
  guint16 words[WORDS] = { 0 }, behind[WORDS];
  guint n = 0, rest = 0;

  if (!parse_words (&text, words, &n))
    return FALSE;
  if (*text) { /* "::" */
    text += 2;
    if (!parse_words (&text, behind, &rest) || *text || n + rest >= WORDS)
      return FALSE;
    memcpy (words + WORDS - rest, behind, rest * sizeof *behind);
  } else if (n < WORDS) {
    return FALSE;
  }
  *ret_gid = (IbGid){ 0, 0 };
  for (guint i = 0; i < WORDS / 2; i++) {
    ret_gid->high = ret_gid->high << 16 | words[i];
    ret_gid->low = ret_gid->low << 16 | words[WORDS / 2 + i];
  }
  return TRUE;
}

gboolean
ib_group_parse (const char *text, IbGroupAddress *ret_address)
{
  gboolean literal = g_str_has_prefix (text, "ib:");
  guint32 ip;

  if (parse_ipv4 (text, &ip)) {
    *ret_address = (IbGroupAddress){ .address = { .low = ip }, .family = IB_GROUP_IPV4 };
    return ip == 0 || ip >> 28 == 0xe;
  }
  ret_address->family = literal ? IB_GROUP_GID : IB_GROUP_IPV6;
  return parse_ipv6 (literal ? text + strlen ("ib:") : text, &ret_address->address) &&
         ret_address->address.high >> 56 == 0xff;
}

/* ----- writing ----- */

static guint
word_of (const IbGid *gid, guint i)
{
  return (guint16) ((i < 4 ? gid->high : gid->low) >> (48 - 16 * (i % 4)));
}

/* The first of the longest runs of zeros; *ret_length 0: none of two words. */
static guint
longest_zeros (const IbGid *gid, guint *ret_length)
{
  guint best = 0;

  *ret_length = 0;
  for (guint i = 0, run = 0; i < WORDS; i++) {
    run = word_of (gid, i) == 0 ? run + 1 : 0;
    if (run > 1 && run > *ret_length) {
      *ret_length = run;
      best = i + 1 - run;
    }
  }
  return best;
}

const char *
ib_gid_text (const IbGid *gid, char text[IB_GID_TEXT])
{
  guint length, first = longest_zeros (gid, &length);
  char *end = text;

  *end = '\0';
  for (guint i = 0; i < WORDS; i++) {
    if (length > 0 && i == first) {
      end += g_snprintf (end, (gulong) (text + IB_GID_TEXT - end), "::");
      i += length - 1;
      continue;
    }
    end += g_snprintf (end, (gulong) (text + IB_GID_TEXT - end), "%s%x",
                       end > text && end[-1] != ':' ? ":" : "", word_of (gid, i));
  }
  return text;
}
