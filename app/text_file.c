#include "text_file.h"

#include "scenario.h"
#include "suggest.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char *G_GNUC_PRINTF (3, 4)
refuse (GError **error, const char *path, const char *format, ...)
{
  char *shown = suggest_escape (path), *text;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, SCENARIO_ERROR, SCENARIO_ERROR_READ, "%s: %s", shown, text);
  g_free (text);
  g_free (shown);
  return NULL;
}

/* NULL if the file can be read as text, else why not. */
static const char *
why_not (const struct stat *status)
{
  if (S_ISDIR (status->st_mode))
    return "is a directory; name a file";
  if (!S_ISREG (status->st_mode))
    return "is not a regular file";
  if ((guint64) status->st_size > TEXT_FILE_BYTES_MAX)
    return "is larger than 16 MiB";
  return NULL;
}

static char *
read_all (int descriptor, const char *path, gsize size, gsize *ret_length, GError **error)
{
  /* One byte more tells whether the file has grown. */
  char *data = g_malloc (size + 2);
  gsize length = 0;
  gssize n;

  do {
    n = read (descriptor, data + length, size + 1 - length);
    if (n > 0)
      length += (gsize) n;
  } while ((n > 0 && length <= size) || (n < 0 && errno == EINTR));
  if (n < 0 || length > size) {
    int code = errno;

    g_free (data);
    return n < 0 ? refuse (error, path, "cannot be read: %s", g_strerror (code))
                 : refuse (error, path, "changed while it was read");
  }
  data[length] = '\0';
  *ret_length = length;
  return data;
}

char *
text_file_read (const char *path, gsize *ret_length, GError **error)
{
  /* Without O_NONBLOCK a FIFO would block here. */
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  const char *wrong;
  char *data;

  if (descriptor < 0)
    return refuse (error, path, "cannot be read: %s", g_strerror (errno));
  if (fstat (descriptor, &status) < 0) {
    int code = errno;

    close (descriptor);
    return refuse (error, path, "cannot be read: %s", g_strerror (code));
  }
  wrong = why_not (&status);
  data = wrong ? refuse (error, path, "%s", wrong)
               : read_all (descriptor, path, (gsize) status.st_size, ret_length, error);
  close (descriptor);
  return data;
}
