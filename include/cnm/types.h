/* Status, error and callback types shared by the whole library.
 *
 * These are the only types that every room of the library may use; everything else a user needs is in cnm.h. */
#ifndef CNM_TYPES_H
#define CNM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function that can fail returns. The numbers are part of the interface and never change. */
typedef enum cnm_status {
    CNM_OK = 0,
    CNM_BAD_ARGUMENT = 1, /* the caller passed something that cannot be used */
    CNM_NO_MEMORY = 2,    /* an allocation failed, or would exceed a stated limit */
    CNM_IO_FAILED = 3,    /* a file could not be opened, read, written, synced or renamed */
    CNM_BAD_FORMAT = 4,   /* bytes from outside are not what they claim to be */
    CNM_BAD_DATA = 5,     /* sound bytes whose contents cannot be used (one class, no rows, missing values) */
    CNM_UNSUPPORTED = 6,  /* a combination that this version does not offer */
    CNM_CANCELLED = 7     /* a callback asked to stop */
} cnm_status;

enum { CNM_MESSAGE_SIZE = 1024 };

/* Owned by the caller, who may pass NULL wherever one is taken. After a failure `message` is a sentence a person can act
 * on; after success it is untouched. */
typedef struct cnm_error {
    cnm_status status;
    char message[CNM_MESSAGE_SIZE];
} cnm_error;

/* Where a long operation stands. Fields that do not apply are 0, or NaN for the two scores. Phases are "read", "choose", "train", "machines", "imitate",
 * "kernel", "calibrate" and "predict". */
typedef struct cnm_progress {
    const char *phase;    /* "train", "predict", ...: a string literal */
    uint64_t done, total; /* in steps of the phase; total 0 when unknown */
    double loss;          /* mean training loss of the latest steps */
    double validation;    /* latest validation score */
    double rows_per_second;
    double seconds, seconds_left;
} cnm_progress;

/* Both are called from the thread that called the library, never from a worker; either may be NULL.
 * `progress` returns non-zero to ask the operation to stop. `notice` gets one sentence that deserves a person's attention
 * (indices that start at 0, values dropped, a doubtful combination); the text is valid during the call only. */
typedef struct cnm_callbacks {
    int (*progress)(const cnm_progress *progress, void *user);
    void (*notice)(const char *sentence, void *user);
    void *user;
} cnm_callbacks;

#ifdef __cplusplus
}
#endif
#endif
