/* For bindings of other languages: the structs of cnm/types.h without their layout. Experimental:
 * these functions may change in any version. The rules of cnm/cnm.h hold. */
#ifndef CNM_BINDINGS_H
#define CNM_BINDINGS_H

#include "cnm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns an error for functions to fill; NULL when out of memory, which is a valid cnm_error
 * argument everywhere. */
CNM_NODISCARD CNM_API cnm_error *cnm_error_create(void);
/* Returns the message; "" for NULL, and before the first failure. */
CNM_API const char *cnm_error_message(const cnm_error *error);
CNM_API void cnm_error_destroy(cnm_error *error);

/* Returns callbacks; NULL when out of memory. Either function may be NULL. */
CNM_NODISCARD CNM_API cnm_callbacks *cnm_callbacks_create(int (*progress)(const cnm_progress *progress, void *user),
                                                          void (*notice)(const char *sentence, void *user), void *user);
/* Sets callbacks->info, which may be NULL. */
CNM_API void cnm_callbacks_set_info(cnm_callbacks *callbacks, void (*info)(const char *sentence, void *user));
CNM_API void cnm_callbacks_destroy(cnm_callbacks *callbacks);

/* Returns the phase. The text is static. */
CNM_API const char *cnm_progress_phase(const cnm_progress *progress);
/* *value = a field of cnm_progress that is a number, by its name: "done", "total", "loss",
 * "validation", "rows_per_second", "seconds", "seconds_left", "fraction", "stage", "stages".
 * Fails with CNM_BAD_ARGUMENT for an unknown name. */
CNM_NODISCARD CNM_API cnm_status cnm_progress_get(const cnm_progress *progress, const char *field, double *value,
                                                  cnm_error *err);

enum { CNM_OPTION_TEXT_SIZE = 512 };

/* Fills `out` (size bytes; CNM_OPTION_TEXT_SIZE is always enough) with a field of option i: "name",
 * "type", "default", "values", "help", "group", or "purpose" ("train", "data", "train predict",
 * ...).
 * Fails with CNM_BAD_ARGUMENT for an unknown field, an i that is not below cnm_options_count(), and
 * a text that does not fit. */
CNM_NODISCARD CNM_API cnm_status cnm_options_text(size_t i, const char *field, char *out, size_t size, cnm_error *err);

#ifdef __cplusplus
}
#endif
#endif
