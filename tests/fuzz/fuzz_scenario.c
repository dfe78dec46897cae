/* libFuzzer: whatever the bytes are, loading them gives a scenario or one line of error.
 *
 * meson setup -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false build-fuzz (with
 * CC=clang), then tests/fuzz/fuzz.sh build-fuzz SECONDS. */
#include "expect.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  /* Up to a first NUL: a setting, PATH=VALUE. */
  const guint8 *nul = size > 0 ? memchr (data, '\0', size) : NULL;
  char *path = nul ? g_strdup ((const char *) data) : NULL,
       *equals = path ? strchr (path, '=') : NULL;
  gsize skip = nul ? (gsize) (nul - data) + 1 : 0;
  ScenarioSetting setting = { .path = path };
  const RunnerResults nothing = { .complete = 0 };
  GError *error = NULL;
  Scenario *scenario;

  if (equals) {
    *equals = '\0';
    setting.value = equals + 1;
  }
  scenario = scenario_load_buffer ("fuzz/x.yaml", (const char *) data + skip, size - skip, &setting,
                                   equals ? 1 : 0, &error);
  g_assert (!scenario == !!error);
  if (scenario) {
    g_ptr_array_unref (expect_judge (scenario, &nothing));
    scenario_free (scenario);
  } else {
    g_assert (g_utf8_validate (error->message, -1, NULL));
    for (const char *p = error->message; *p; p++)
      g_assert ((guchar) *p >= 0x20 && *p != 0x7f);
    g_error_free (error);
  }
  g_free (path);
  return 0;
}
