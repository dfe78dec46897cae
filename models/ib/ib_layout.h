/* Byte layouts as rows: what is where in a header or message, and which member of a
 * struct holds it.  Encoding, decoding and the printed reference walk the same rows.
 *
 * Everything is big-endian; bits are counted from the most significant one.  The rows of
 * a layout cover each of its bits exactly once (tested). */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;  /* of the member; NULL: reserved, sent as 0 and not decoded */
  const char *text;  /* what it means; "" for reserved bits */
  guint16 byte, bit; /* where it begins: byte of the layout, bit of that byte */
  guint16 width;     /* in bits */
  guint16 offset;    /* of the member in the struct */
  guint16 size;      /* of the member: 1, 2, 4, 8; an array has width / 8 */
  guint16 array;     /* the member is an array of bytes */
} IbField;

typedef struct {
  const char *name;   /* "REQ" */
  const char *title;  /* "connection request" */
  const char *source; /* clause, or the code it was read from */
  guint bytes;
  const IbField *fields;
  guint n_fields;
} IbLayout;

/* Values: the struct the rows were made for. */
void ib_layout_encode (const IbLayout *layout, gconstpointer values, guint8 *bytes);
/* Returns the first reserved field that is not zero, or NULL. */
const IbField *ib_layout_decode (const IbLayout *layout, const guint8 *bytes, gpointer values);

/* The number that a field of at most 64 bits has in these bytes, reserved or not. */
guint64 ib_field_load (const IbField *field, const guint8 *bytes);

/* All layouts the program knows: number i from 0 on, NULL after the last. */
const IbLayout *ib_layouts_get (guint i);

/* A layout is written once, as a list of rows
 *   N (type, member, byte, bit, width, text)   a number
 *   A (member, byte, bytes, text)              an array of bytes
 *   R (byte, bit, width)                       reserved
 * from which the struct and the table come. */
#define IB_MEMBER_N(type, member, byte, bit, width, text) type member;
#define IB_MEMBER_A(member, byte, bytes, text) guint8 member[bytes];
#define IB_MEMBER_R(byte, bit, width)
#define IB_LAYOUT_STRUCT(FIELDS) FIELDS (IB_MEMBER_N, IB_MEMBER_A, IB_MEMBER_R)

/* For the table, with IB_STRUCT defined as the struct. */
#define IB_ROW_N(type_, member_, byte_, bit_, width_, text_) \
  { .name = #member_, .text = text_, .byte = (byte_), .bit = (bit_), .width = (width_), \
    .offset = G_STRUCT_OFFSET (IB_STRUCT, member_), .size = sizeof (type_) },
#define IB_ROW_A(member_, byte_, bytes_, text_) \
  { .name = #member_, .text = text_, .byte = (byte_), .bit = 0, .width = (bytes_) * 8, \
    .offset = G_STRUCT_OFFSET (IB_STRUCT, member_), .size = (bytes_), .array = 1 },
#define IB_ROW_R(byte_, bit_, width_) \
  { .name = NULL, .text = "", .byte = (byte_), .bit = (bit_), .width = (width_) },
