/* The file of a checkpoint: a safetensors archive. It is written to a temporary file, synced and
 * renamed; a file that is read is untrusted input.
 *
 *   array                          shape               contents
 *   map.NAME                       rows * columns      tensors of the map
 *   map.phase                      features            phases, where the map has them
 *   map.head                       (k + 1) * outputs   the head
 *   best.NAME ...                  the same            the best ones on validation rows
 *   finished.NAME ...              the same            distill, calibrate: as they were learned
 *   head.first_moment ...          as their arrays     of the optimiser (engine_save)
 *   head.average, head.averaged    (k + 1) * outputs, 1
 *   trials                         trials so far       float64: their losses
 *   history                        points, 5           float64: phase (of PHASES), step, total,
 *                                                      loss, validation score
 *
 *   text                           contents
 *   checkpoint                     a checksum of all the rest; always first
 *   format                         3
 *   state                          running, stopped, time limit or finished
 *   phase, step, steps             of PHASES in checkpoint.c; how many steps of how many
 *   made                           steps of all phases so far
 *   loss, patience, lowered, lowered_after, shortened, held, best_score, best_loss,
 *   steps_made, steps_made_before, best_step
 *   data, start, teacher,          what has to be the same to go on: checksums of the rows and of
 *   option NAME                    the models of --from and --teacher, and the options that can
 *                                  change the outcome */
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

/* Sets *found where there is a file that is not empty. Fails where it is no checkpoint: no other
 * file is overwritten. */
cnm_status checkpoint_file_exists(const char *path, bool *found, cnm_error *err);

/* Reads a file and checks its structure and checksum. Takes less than 1 MiB + 4 times its size. */
cnm_status checkpoint_file_read(checkpoint_file *out, const char *path, cnm_error *err);
void checkpoint_file_free(checkpoint_file *self);

/* Fails where a text differs from that of `about`; the message names the first one, with both
 * values. */
cnm_status checkpoint_file_compare(const checkpoint_file *self, const record *about, const char *path, cnm_error *err);

/* Read a number from a text; CNM_BAD_FORMAT where there is no such text. */
cnm_status checkpoint_file_count(const checkpoint_file *self, const char *key, uint64_t *out, cnm_error *err);
cnm_status checkpoint_file_number(const checkpoint_file *self, const char *key, double *out, cnm_error *err);

cnm_status checkpoint_file_write(const char *path, const archive_tensor *arrays, size_t count, const record *texts,
                                 cnm_error *err);

#endif
