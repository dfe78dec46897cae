/* The one loop over rows, in both directions. */
#include "ib_layout.h"

#include <string.h>

/* A byte at a time: reads no byte beyond the field's. */
static guint64
load (const IbField *field, const guint8 *bytes)
{
  guint bits = field->bit + field->width, n = (bits + 7) / 8;
  guint64 value = 0;

  g_assert (bits <= 64);
  for (guint i = 0; i < n; i++)
    value = value << 8 | bytes[field->byte + i];
  value >>= n * 8 - bits;
  return field->bit == 0 ? value : value & ((G_GUINT64_CONSTANT (1) << field->width) - 1);
}

/* The same at once, where there are eight bytes from the field's first on. */
static inline guint64
load_fast (const IbField *field, const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes + field->byte, sizeof value);
  return GUINT64_FROM_BE (value) << field->bit >> (64 - field->width);
}

guint64
ib_field_load (const IbField *field, const guint8 *bytes)
{
  return load (field, bytes);
}

/* Into bytes that were zero before. */
static void
field_store (const IbField *field, guint64 value, guint8 *bytes)
{
  guint bits = field->bit + field->width;
  guint n = (bits + 7) / 8;

  if (field->width < 64)
    value &= (G_GUINT64_CONSTANT (1) << field->width) - 1;
  value <<= n * 8 - bits;
  for (guint i = n; i-- > 0; value >>= 8)
    bytes[field->byte + i] |= (guint8) value;
}

static guint64
member_get (const IbField *field, gconstpointer values)
{
  const guint8 *member = (const guint8 *) values + field->offset;
  guint64 value = 0;

  switch (field->size) {
  case 1:
    return *member;
  case 2:
    return *(const guint16 *) (const void *) member;
  case 4:
    return *(const guint32 *) (const void *) member;
  case 8:
    memcpy (&value, member, sizeof value);
    return value;
  }
  g_assert_not_reached ();
}

static void
member_set (const IbField *field, gpointer values, guint64 value)
{
  guint8 *member = (guint8 *) values + field->offset;

  switch (field->size) {
  case 1:
    *member = (guint8) value;
    return;
  case 2:
    *(guint16 *) (void *) member = (guint16) value;
    return;
  case 4:
    *(guint32 *) (void *) member = (guint32) value;
    return;
  case 8:
    memcpy (member, &value, sizeof value);
    return;
  }
  g_assert_not_reached ();
}

void
ib_layout_encode (const IbLayout *layout, gconstpointer values, guint8 *bytes)
{
  memset (bytes, 0, layout->bytes);
  for (guint i = 0; i < layout->n_fields; i++) {
    const IbField *field = &layout->fields[i];

    if (field->array)
      memcpy (bytes + field->byte, (const guint8 *) values + field->offset, field->size);
    else if (field->name)
      field_store (field, member_get (field, values), bytes);
  }
}

/* Reserved stretches may be longer than a number. */
static gboolean
is_set (const IbField *field, const guint8 *bytes)
{
  if (field->bit + field->width <= 64)
    return ib_field_load (field, bytes) != 0;
  g_assert (field->bit == 0 && field->width % 8 == 0);
  for (guint i = 0; i < field->width / 8u; i++)
    if (bytes[field->byte + i])
      return TRUE;
  return FALSE;
}

const IbField *
ib_layout_decode (const IbLayout *layout, const guint8 *bytes, gpointer values)
{
  const IbField *reserved = NULL;

  for (guint i = 0; i < layout->n_fields; i++) {
    const IbField *field = &layout->fields[i];
    gboolean fast = field->byte + 8u <= layout->bytes && field->bit + field->width <= 64;

    if (field->array)
      memcpy ((guint8 *) values + field->offset, bytes + field->byte, field->size);
    else if (field->name)
      member_set (field, values, fast ? load_fast (field, bytes) : load (field, bytes));
    else if (!reserved && (fast ? load_fast (field, bytes) != 0 : is_set (field, bytes)))
      reserved = field;
  }
  return reserved;
}
