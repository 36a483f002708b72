/* What all other headers share: statuses, errors, callbacks, the names of the objects, and the
 * marks on functions.
 *
 * Users include cnm/cnm.h. */
#ifndef CNM_TYPES_H
#define CNM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Marks on functions ---- */

/* Exports a function. On Windows, a program that links the static library defines CNM_STATIC. */
#if defined(_WIN32) && defined(CNM_STATIC)
#define CNM_API
#elif defined(_WIN32) && defined(CNM_BUILDING)
#define CNM_API __declspec(dllexport)
#elif defined(_WIN32)
#define CNM_API __declspec(dllimport)
#elif defined(CNM_BUILDING) && defined(__GNUC__)
#define CNM_API __attribute__((visibility("default")))
#else
#define CNM_API
#endif

/* Makes a compiler warn where a result is ignored. Defined as empty beforehand, it asks for no
 * warnings. */
#ifndef CNM_NODISCARD
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define CNM_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define CNM_NODISCARD __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define CNM_NODISCARD _Check_return_
#else
#define CNM_NODISCARD
#endif
#endif

/* ---- Objects: made and destroyed by the library, never looked into ---- */

typedef struct cnm_options cnm_options;
typedef struct cnm_data cnm_data;
typedef struct cnm_model cnm_model;
typedef struct cnm_reader cnm_reader;
typedef struct cnm_evaluation cnm_evaluation;
typedef struct cnm_predictor cnm_predictor;

/* ---- Failures ---- */

/* What a function that can fail returns. The numbers are part of the interface and never change. */
typedef enum cnm_status {
    CNM_OK = 0,
    CNM_BAD_ARGUMENT = 1, /* the caller passed something that cannot be used */
    CNM_NO_MEMORY = 2,    /* an allocation failed, or would exceed a stated limit */
    CNM_IO_FAILED = 3,    /* a file could not be opened, read, written, synced or renamed */
    CNM_BAD_FORMAT = 4,   /* bytes from outside are not what they claim to be */
    CNM_BAD_DATA = 5,     /* rows that cannot be used (one class, no rows, missing values) */
    CNM_UNSUPPORTED = 6,  /* a combination that this version does not offer */
    CNM_CANCELLED = 7     /* a callback asked to stop, and there is no result */
} cnm_status;

enum { CNM_MESSAGE_SIZE = 1024 };

/* Holds the reason of a failure. Owned by the caller, need not be initialised. After a failure
 * `message` is a sentence that a person can act on; after success the struct is untouched. Its size
 * never changes. */
typedef struct cnm_error {
    cnm_status status;
    char message[CNM_MESSAGE_SIZE];
} cnm_error;

/* ---- Structs that may grow ----
 *
 * A later version may add fields at the end of the structs below. The first field, struct_size,
 * says which of the fields the side that made the struct knows. */

/* Where a long operation stands. Made by the library, which fills struct_size. Fields that do not
 * apply are 0, or NaN for loss, validation and fraction. */
typedef struct cnm_progress {
    size_t struct_size;
    const char *phase;    /* the stage: "read", "fit", "calibrate", "predict", ... */
    uint64_t done, total; /* in steps of the phase; total is 0 when unknown */
    double loss;          /* mean training loss of the latest steps */
    double validation;    /* latest score on validation rows */
    double rows_per_second;
    double seconds, seconds_left;
    double fraction;        /* of the whole call's work that is done, 0 to 1, never less than before; NaN: unknown */
    unsigned stage, stages; /* number of the stage, counted from 1, of all that take time; 0: unknown */
} cnm_progress;

/* Functions that a long operation calls. Begins as CNM_CALLBACKS_INIT; a function takes NULL for no
 * callbacks:
 *
 *     cnm_callbacks callbacks = CNM_CALLBACKS_INIT;
 *     callbacks.progress = show_progress;
 *
 * Any of the functions may be NULL. All are called from the thread that called the library, never
 * from a worker. */
typedef struct cnm_callbacks {
    size_t struct_size;
    /* Returns non-zero to ask the operation to stop. *progress is valid during the call only. */
    int (*progress)(const cnm_progress *progress, void *user);
    /* Gets a sentence that deserves a person's attention (values dropped, a doubtful combination of
     * options), valid during the call only. */
    void (*notice)(const char *sentence, void *user);
    void *user; /* passed to all */
    /* Gets a sentence about what was understood (the label and why, the task, a column that is not
     * taken as it is), before anything is learned; valid during the call only. */
    void (*info)(const char *sentence, void *user);
} cnm_callbacks;

/* clang-format off */
#define CNM_CALLBACKS_INIT {sizeof(cnm_callbacks), NULL, NULL, NULL, NULL}
/* clang-format on */

#ifdef __cplusplus
}
#endif
#endif
