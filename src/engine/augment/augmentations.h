/* The table of augmentations: random changes to the rows of a batch in joint training. One is a
 * file of this folder with its row, and a line in AUGMENTATION_LIST; settings, options,
 * hyperparameters, plans, the search and the metadata follow from the two. */
#ifndef CNM_ENGINE_AUGMENT_AUGMENTATIONS_H
#define CNM_ENGINE_AUGMENT_AUGMENTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/core/random.h"

/* ROW(ID, field, option, most, help) with an option, 0 to most; PLAIN(ID, field) without: another
 * one's option decides. In the order in which they are applied; the search takes them backwards. */
#define AUGMENTATION_LIST(ROW, PLAIN)                                                                                  \
    AUGMENTATION_TEST_LIST(ROW)                                                                                        \
    PLAIN(MIRROR, mirror)                                                                                              \
    ROW(DIFFERENCE_NOISE, difference_noise, "difference-noise", 10,                                                    \
        "noise on the rows of a joint training along the differences of other rows, in units of "                      \
        "a difference; auto: chosen on validation rows")                                                               \
    ROW(TRANSLATE, translate, "translate", 10,                                                                         \
        "random translation of rows that are square images, in a joint training, in pixels; 0 "                        \
        "also turns off mirroring; auto: chosen on validation rows")                                                   \
    ROW(NOISE, noise, "noise", 100,                                                                                    \
        "Gaussian noise on the rows of a joint training, in units of s / sqrt(d), s as for "                           \
        "--gamma; auto: chosen on validation rows")

/* Builds for tests have one row more, made in tests/rows. */
#ifdef CNM_TEST_ROWS
#define AUGMENTATION_TEST_LIST(ROW) ROW(TEST, test_dropout, "test-dropout", 1, "for tests: cells that are set to 0")
#else
#define AUGMENTATION_TEST_LIST(ROW)
#endif

#define AUGMENTATION_ID_OF_ROW(ID, field, option, most, help) AUGMENT_##ID,
#define AUGMENTATION_ID(ID, field) AUGMENT_##ID,
typedef enum augmentation_id {
    AUGMENTATION_LIST(AUGMENTATION_ID_OF_ROW, AUGMENTATION_ID) AUGMENTATIONS
} augmentation_id;

/* Members of a struct: each augmentation's amount by its name, and all by their ids. 0: it is
 * off. */
#define AUGMENTATION_AMOUNT_OF_ROW(ID, field, option, most, help) double field;
#define AUGMENTATION_AMOUNT(ID, field) double field;
#define AUGMENTATION_AMOUNTS                                                                                           \
    union {                                                                                                            \
        struct {                                                                                                       \
            AUGMENTATION_LIST(AUGMENTATION_AMOUNT_OF_ROW, AUGMENTATION_AMOUNT)                                         \
        };                                                                                                             \
        double augment[AUGMENTATIONS];                                                                                 \
    }

/* Likewise a flag for each. */
#define AUGMENTATION_FLAG_OF_ROW(ID, field, option, most, help) bool field;
#define AUGMENTATION_FLAG(ID, field) bool field;
#define AUGMENTATION_FLAGS                                                                                             \
    union {                                                                                                            \
        struct {                                                                                                       \
            AUGMENTATION_LIST(AUGMENTATION_FLAG_OF_ROW, AUGMENTATION_FLAG)                                             \
        };                                                                                                             \
        bool augment[AUGMENTATIONS];                                                                                   \
    }

/* A block of rows of a batch. */
typedef struct augmentation_block {
    float *u;            /* (rows, columns): changed */
    const float *before; /* (rows, columns): as they were before all but those in place */
    size_t rows, columns;
    size_t first; /* the block's first row in the batch */
    size_t index; /* the block's number in the batch */
    size_t image_width;
    double amount;
    random_stream stream; /* its part is the step */
} augmentation_block;

typedef struct augmentation_ops {
    const char *name; /* its entry in the metadata */
    random_stream_id stream;
    bool images;           /* for rows that are images alone */
    bool in_place;         /* applied before the others' `before` is kept */
    bool regularises;      /* the larger, the more */
    bool learned_map_only; /* not searched for a frozen map */
    bool bandwidth_unit;   /* its amount is in units of sigma / sqrt(d) */
    double usual;          /* the amount where no profile has one */
    const double *values;  /* (count) what the search tries, ascending; NULL: it is not searched */
    size_t count;
    /* Changes a block on the host. NULL: applied while rows are copied, by the engine itself. */
    void (*apply)(const augmentation_block *block);
} augmentation_ops;

/* Returns the row of an augmentation. */
const augmentation_ops *augmentation_get(augmentation_id id);

#endif
