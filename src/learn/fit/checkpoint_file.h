/* The file of a checkpoint: a safetensors archive, written aside, synced and renamed, and hostile input when it is read.
 *
 *   array                                        shape               what
 *   map.NAME                                     rows * columns      tensors of the map
 *   map.phase                                    features            phases, where there are some
 *   map.head                                     (k + 1) * outputs   the head
 *   best.NAME ...                                the same            at their best on held rows
 *   finished.NAME ...                            the same            in phases imitate and calibrate: as they were learned
 *   head.first_moment, tensor0.second_moment ... as their arrays     what the engine remembers (engine_save)
 *   head.average, head.averaged                  (k + 1) * outputs, 1
 *   trials                                       pilots so far       float64: their losses
 *
 *   text                                         what
 *   checkpoint                                   a checksum of all the rest; always first
 *   format                                       1
 *   state                                        running, stopped, time limit or finished
 *   phase, step, steps                           choose, kernel, train, imitate, prune or calibrate; how far, and of how many
 *   made                                         steps of all phases so far
 *   loss, patience, lowered, lowered_after, shortened, held, best_score, best_loss
 *   data, start, teacher, option NAME            what must be the same to go on: checksums of the rows, of the models of
 *                                                --from and --teacher, and the options that matter to the outcome */
#ifndef CNM_LEARN_FIT_CHECKPOINT_FILE_H
#define CNM_LEARN_FIT_CHECKPOINT_FILE_H

#include <stdbool.h>

#include "base/file/safetensors.h"
#include "model/metadata.h"

/* A file that was read. */
typedef struct checkpoint_file {
    unsigned char *bytes;
    archive *archive; /* NULL: there is no file */
} checkpoint_file;

/* *found tells whether there is a file (an empty one does not count); one that is not a checkpoint is an error: nothing of the user's is
 * overwritten. */
cnm_status checkpoint_file_look(const char *path, bool *found, cnm_error *err);

/* Reads and checks all but what the numbers mean. Takes less than 1 MiB + 4 times its size. */
cnm_status checkpoint_file_read(checkpoint_file *out, const char *path, cnm_error *err);
void checkpoint_file_free(checkpoint_file *self);

/* Whether its texts agree with `about`; names the first that does not, with both values. */
cnm_status checkpoint_file_compare(const checkpoint_file *self, const record *about, const char *path, cnm_error *err);

/* Numbers among its texts; CNM_BAD_FORMAT where there is none of that name. */
cnm_status checkpoint_file_count(const checkpoint_file *self, const char *key, uint64_t *out, cnm_error *err);
cnm_status checkpoint_file_number(const checkpoint_file *self, const char *key, double *out, cnm_error *err);

cnm_status checkpoint_file_write(const char *path, const archive_tensor *arrays, size_t count, const record *texts,
                                 cnm_error *err);

#endif
