/* Decides when a checkpoint is written, and takes a resumed training to the saved step. */
#include "learn/fit/checkpoint.h"

#include <string.h>

#include "base/core/checksum.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"
#include "base/text/text.h"
#include "learn/fit/checkpoint_state.h"

static const char FORMAT[] = "3", SEARCH[] = "search", TRIALS[] = "trials", HISTORY[] = "history",
                  UNSEARCHED[] = "unsearched";

/* In the order in which a training has them. */
static const char *const PHASES[] = {SEARCH, FIT_MAP_PHASE, "fit", "distill", "prune", "calibrate"};
enum { PHASE_COUNT = sizeof PHASES / sizeof PHASES[0] };

enum { HISTORY_COLUMNS = 5 }; /* phase, step, total, loss, validation */
static const double LARGEST_STEP = 0x1p53;

struct checkpoint {
    const settings *wanted;
    const cnm_callbacks *callbacks;
    record about;                       /* what has to be the same in a resumed training */
    checkpoint_file from;               /* the saved state, until the training reaches its step */
    const char *phase;                  /* of the saved state */
    uint64_t step;                      /* of the saved state, in its phase */
    uint64_t made;                      /* steps of all phases */
    double *trials;                     /* their losses */
    size_t trial_count, trial_capacity; /* of trials */
    size_t recalled;                    /* trials that this run has met */
    bool passed;                        /* what was learned before the saved phase is restored */
    bool ended;                         /* the search ended where the file has no more trials */
    double written;                     /* progress_clock() at the latest checkpoint */
    double offered;                     /* progress_clock() after the latest chunk of steps */
    bool failed;                        /* the latest checkpoint could not be written */
    bool closed;                        /* the training was stopped: no more checkpoints */
    bool unsearched;                    /* the training has no search: see checkpoint_leave_out_search */
};

/* ---- What must be the same ---- */

static void hexadecimal(uint64_t value, char out[17]) {
    static const char HEX[] = "0123456789abcdef";
    for (int i = 16; i-- > 0; value >>= 4) {
        out[i] = HEX[value & 15];
    }
    out[16] = '\0';
}

static cnm_status describe_start(record *out, const cnm_model *start, cnm_error *err) {
    char digits[17] = "none";
    if (start != NULL) {
        unsigned char *bytes;
        size_t size;
        TRY(model_to_bytes(start, &bytes, &size, err));
        hexadecimal(checksum_update(0, bytes, size), digits);
        memory_free(bytes);
    }
    return record_set(out, "start", digits, err);
}

/* Describes a teacher by its bytes: another model in the same file is another teacher. */
static cnm_status describe_teacher(record *out, const char *path, cnm_error *err) {
    char digits[17];
    unsigned char *bytes;
    size_t size;
    if (path == NULL) {
        return CNM_OK;
    }
    TRY(file_read_all(path, 0, &bytes, &size, err));
    hexadecimal(checksum_update(0, bytes, size), digits);
    memory_free(bytes);
    return record_set(out, "teacher", digits, err);
}

static cnm_status describe_option(record *out, const char *name, const char *value, cnm_error *err) {
    text_buffer key = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(text_add_string(&key, "option ", err));
    TRY_DONE(text_add_string(&key, name, err));
    TRY_DONE(record_add(out, key.bytes, value, err));
done:
    text_free(&key);
    return status;
}

static cnm_status describe(checkpoint *self, const table *rows, const cnm_model *start, cnm_error *err) {
    const record *options = self->wanted->given;
    char digits[17];
    hexadecimal(table_checksum(rows), digits);
    TRY(record_set(&self->about, "format", FORMAT, err));
    TRY(record_set(&self->about, "data", digits, err));
    TRY(describe_start(&self->about, start, err));
    TRY(describe_teacher(&self->about, self->wanted->teacher, err));
    for (size_t i = 0; options != NULL && i < options->count; i++) {
        TRY(describe_option(&self->about, options->entries[i].key, options->entries[i].value, err));
    }
    return CNM_OK;
}

/* ---- Reading the file ---- */

/* Puts the file's name before the message of a failure. */
static cnm_status name_file(const checkpoint *self, cnm_status status, cnm_error *err) {
    return status == CNM_OK ? CNM_OK : error_prefix(err, status, "%s cannot be used", self->wanted->checkpoint);
}

static cnm_status grow_trials(checkpoint *self, size_t count, cnm_error *err) {
    return memory_grow(&self->trials, &self->trial_capacity, count, sizeof *self->trials, "losses of trials", err);
}

static cnm_status read_trials(checkpoint *self, cnm_error *err) {
    const archive_tensor *found = archive_find(self->from.archive, TRIALS);
    if (found == NULL) {
        return CNM_OK;
    }
    if (found->type != TENSOR_F64) {
        return error_set(err, CNM_BAD_FORMAT, "its array %s does not hold doubles", TRIALS);
    }
    const size_t count = found->size / sizeof *self->trials;
    TRY(grow_trials(self, count + 1, err));
    if (count > 0) {
        memcpy(self->trials, found->bytes, found->size);
        self->trial_count = count;
    }
    return CNM_OK;
}

static void announce(const checkpoint *self, uint64_t steps) {
    const char *state = archive_value(self->from.archive, "state");
    const bool finished = state != NULL && strcmp(state, "finished") == 0;
    notice_send(self->callbacks,
                finished
                    ? "the training of %s was finished with step %llu of %llu (%s): what is left is to make the model"
                    : "goes on from %s with step %llu of %llu (%s)",
                self->wanted->checkpoint, (unsigned long long)self->step, (unsigned long long)steps, self->phase);
}

/* Reads phase, step and trials: all but what the session and the engine hold. */
static cnm_status read_step(checkpoint *self, cnm_error *err) {
    const char *phase = archive_value(self->from.archive, "phase");
    uint64_t steps = 0;
    for (size_t i = 0; phase != NULL && i < PHASE_COUNT; i++) {
        self->phase = strcmp(phase, PHASES[i]) == 0 ? PHASES[i] : self->phase;
    }
    if (self->phase == NULL) {
        return error_set(err, CNM_BAD_FORMAT, "its phase is none that is known");
    }
    self->unsearched = archive_value(self->from.archive, UNSEARCHED) != NULL;
    TRY(checkpoint_file_count(&self->from, "step", &self->step, err));
    TRY(checkpoint_file_count(&self->from, "steps", &steps, err));
    TRY(checkpoint_file_count(&self->from, "made", &self->made, err));
    TRY(read_trials(self, err));
    announce(self, steps);
    return CNM_OK;
}

static cnm_status read_state(checkpoint *self, cnm_error *err) {
    const char *path = self->wanted->checkpoint;
    TRY(checkpoint_file_read(&self->from, path, err));
    if (self->from.archive == NULL) {
        notice_send(self->callbacks, "there is no checkpoint %s yet: the training starts afresh", path);
        return CNM_OK;
    }
    TRY(checkpoint_file_compare(&self->from, &self->about, path, err));
    return name_file(self, read_step(self, err), err);
}

cnm_status checkpoint_create(checkpoint **out, const table *rows, const settings *wanted, const cnm_model *start,
                             const cnm_callbacks *callbacks, cnm_error *err) {
    bool found;
    cnm_status status = CNM_OK;
    *out = NULL;
    if (wanted->checkpoint == NULL) {
        return CNM_OK;
    }
    TRY(memory_zeroed(out, 1, sizeof **out, "a checkpoint", err));
    checkpoint *self = *out;
    self->wanted = wanted;
    self->callbacks = callbacks;
    self->written = self->offered = progress_clock();
    TRY_DONE(describe(self, rows, start, err));
    TRY_DONE(wanted->resume ? read_state(self, err) : checkpoint_file_exists(wanted->checkpoint, &found, err));
    file_sweep(wanted->checkpoint); /* of a training that was killed while it wrote */
done:
    if (status != CNM_OK) {
        checkpoint_destroy(self);
        *out = NULL;
    }
    return status;
}

void checkpoint_destroy(checkpoint *self) {
    if (self == NULL) {
        return;
    }
    checkpoint_file_free(&self->from);
    record_free(&self->about);
    memory_free(self->trials);
    memory_free(self);
}

/* ---- Getting back to the saved step ---- */

bool checkpoint_next_trial(checkpoint *self, double *loss, bool *stop) {
    if (self == NULL || (self->from.archive == NULL && self->recalled == self->trial_count)) {
        return false;
    }
    if (self->recalled < self->trial_count) {
        *loss = self->trials[self->recalled++];
        return true;
    }
    self->ended = strcmp(self->phase, SEARCH) != 0;
    *stop = self->ended;
    return self->ended;
}

cnm_status checkpoint_add_trial(checkpoint *self, double loss, cnm_error *err) {
    if (self == NULL) {
        return CNM_OK;
    }
    TRY(grow_trials(self, self->trial_count + 1, err));
    self->trials[self->trial_count++] = loss;
    self->recalled = self->trial_count;
    return CNM_OK;
}

bool checkpoint_replays(const checkpoint *self, bool *ended) {
    const bool replays = self != NULL && self->from.archive != NULL;
    *ended = replays && self->ended;
    return replays;
}

bool checkpoint_leave_out_search(checkpoint *self, bool wanted) {
    if (self == NULL) {
        return wanted;
    }
    self->unsearched = self->from.archive != NULL ? self->unsearched : wanted;
    return self->unsearched;
}

uint64_t checkpoint_step(const checkpoint *self, const char *phase) {
    return self != NULL && self->from.archive != NULL && strcmp(self->phase, phase) == 0 ? self->step : 0;
}

static cnm_status wrong_step(const checkpoint *self, cnm_error *err) {
    return error_set(err, CNM_BAD_FORMAT, "%s cannot be used: its step %llu (%s) is none of this training",
                     self->wanted->checkpoint, (unsigned long long)self->step, self->phase);
}

cnm_status checkpoint_check(const checkpoint *self, cnm_error *err) {
    return self != NULL && self->from.archive != NULL ? wrong_step(self, err) : CNM_OK;
}

static size_t phase_index(const char *phase) {
    size_t i = 0;
    while (i < PHASE_COUNT && strcmp(phase, PHASES[i]) != 0) {
        i++;
    }
    return i;
}

/* Restores once what the phases before the saved one have learned. Before --prune takes features
 * out, the map is larger than the saved one: then all of it is restored with the saved step. */
static cnm_status pass_phase(checkpoint *self, fit_session *of, const progress_meter *meter, cnm_error *err) {
    if (phase_index(meter->phase) > phase_index(self->phase)) {
        return wrong_step(self, err);
    }
    const bool larger = self->wanted->prune > 0.0 && strcmp(meter->phase, "prune") != 0;
    if (self->passed || larger) {
        return CNM_OK;
    }
    self->passed = true;
    return name_file(self, state_restore_finished(of, &self->from, err), err);
}

/* Returns the history of the training that a session belongs to, or NULL. */
static history *history_of(const fit_session *of) {
    return of->history == NULL && of->finished != NULL ? of->finished->history : of->history;
}

/* Replaces the history by the saved one. */
static cnm_status restore_history(const checkpoint *self, history *out, cnm_error *err) {
    const archive_tensor *found = archive_find(self->from.archive, HISTORY);
    if (found == NULL || out == NULL) {
        return CNM_OK;
    }
    double numbers[HISTORY_COLUMNS];
    if (found->type != TENSOR_F64 || found->size % sizeof numbers != 0) {
        return error_set(err, CNM_BAD_FORMAT, "its array %s does not hold rows of %d doubles", HISTORY,
                         HISTORY_COLUMNS);
    }
    out->count = 0;
    for (size_t i = 0; i < found->size / sizeof numbers; i++) {
        memcpy(numbers, (const unsigned char *)found->bytes + i * sizeof numbers, sizeof numbers);
        if (!(numbers[0] >= 0.0 && numbers[0] < PHASE_COUNT && numbers[1] >= 0.0 && numbers[1] < LARGEST_STEP &&
              numbers[2] >= 0.0 && numbers[2] < LARGEST_STEP)) {
            return error_set(err, CNM_BAD_FORMAT, "row %zu of its array %s names no step of a phase", i + 1, HISTORY);
        }
        const history_point point = {PHASES[(size_t)numbers[0]], (uint64_t)numbers[1], (uint64_t)numbers[2], numbers[3],
                                     numbers[4]};
        TRY(history_add(out, &point, err));
    }
    return CNM_OK;
}

/* Restores the state after the saved step, and closes the file. */
static cnm_status restore(checkpoint *self, fit_session *of, engine *runner, cnm_error *err) {
    cnm_status status = CNM_OK;
    TRY_DONE(state_restore(of, runner, &self->from, err));
    TRY_DONE(restore_history(self, history_of(of), err));
done:
    checkpoint_file_free(&self->from);
    return name_file(self, status, err);
}

cnm_status checkpoint_enter(fit_session *of, engine *runner, progress_meter *meter, uint64_t count, uint64_t *done,
                            cnm_error *err) {
    checkpoint *self = of->checkpoint;
    *done = 0;
    if (self == NULL || self->from.archive == NULL || count == 0) {
        return CNM_OK;
    }
    if (strcmp(self->phase, meter->phase) != 0) {
        *done = count;
        meter->skipped += count;
        return pass_phase(self, of, meter, err);
    }
    if (self->step > meter->before + count) {
        *done = count;
        meter->skipped += count;
        return CNM_OK;
    }
    if (self->step <= meter->before) {
        return wrong_step(self, err);
    }
    *done = self->step - meter->before;
    meter->skipped += *done;
    return restore(self, of, runner, err);
}

/* ---- Writing ---- */

/* Takes *out and fills it with the history as rows of numbers. */
static cnm_status history_numbers(const history *self, double **out, cnm_error *err) {
    const size_t count = self == NULL ? 0 : self->count;
    TRY(memory_take(out, count + 1, HISTORY_COLUMNS * sizeof **out, "a history", err));
    for (size_t i = 0; i < count; i++) {
        const history_point *point = &self->points[i];
        double *row = *out + i * HISTORY_COLUMNS;
        row[0] = (double)phase_index(point->phase);
        row[1] = (double)point->step;
        row[2] = (double)point->total;
        row[3] = point->loss;
        row[4] = point->validation;
    }
    return CNM_OK;
}

static cnm_status save(checkpoint *self, const fit_session *of, engine *runner, const progress_meter *meter,
                       uint64_t step, const char *state, cnm_error *err) {
    state_arrays arrays;
    record texts = {0};
    double *numbers = NULL;
    const history *past = history_of(of);
    cnm_status status = CNM_OK;
    TRY_DONE(record_copy(&texts, &self->about, err));
    TRY_DONE(record_set(&texts, "state", state, err));
    TRY_DONE(record_set(&texts, "phase", meter->phase, err));
    TRY_DONE(record_set_count(&texts, "step", step, err));
    TRY_DONE(record_set_count(&texts, "steps", meter->total, err));
    TRY_DONE(record_set_count(&texts, "made", self->made, err));
    if (self->unsearched) {
        TRY_DONE(record_set(&texts, UNSEARCHED, "yes", err));
    }
    TRY_DONE(state_describe(&texts, of, err));
    state_list(&arrays, of, runner);
    arrays.items[arrays.count++] = (archive_tensor){
        .name = TRIALS, .type = TENSOR_F64, .dimensions = 1, .shape = {self->trial_count}, .bytes = self->trials};
    TRY_DONE(history_numbers(past, &numbers, err));
    arrays.items[arrays.count++] = (archive_tensor){
        .name = HISTORY,
        .type = TENSOR_F64,
        .dimensions = 2,
        .shape = {past == NULL ? 0 : past->count, HISTORY_COLUMNS},
        .bytes = numbers,
    };
    TRY_DONE(checkpoint_file_write(self->wanted->checkpoint, arrays.items, arrays.count, &texts, err));
done:
    memory_free(numbers);
    record_free(&texts);
    return status;
}

/* Writes a checkpoint; of several failures in a row, the first is a notice. */
static void write_or_notify(checkpoint *self, const fit_session *of, engine *runner, const progress_meter *meter,
                            uint64_t step, const char *state) {
    cnm_error error = {0};
    const bool failed = save(self, of, runner, meter, step, state, &error) != CNM_OK;
    if (failed && !self->failed) {
        notice_send(self->callbacks, "no checkpoint: %s; the training goes on, and an earlier checkpoint stays",
                    error.message);
    }
    self->failed = failed;
    self->written = self->offered = progress_clock();
}

/* Writes where the next chunk, if it takes as long as this one, would end later than
 * --checkpoint-every. */
void checkpoint_offer(fit_session *of, engine *runner, const progress_meter *meter, uint64_t done, uint64_t steps) {
    checkpoint *self = of->checkpoint;
    if (self == NULL || self->closed) {
        return;
    }
    self->made += steps;
    const double time = progress_clock(), next = time + (time - self->offered);
    self->offered = time;
    if (of->state == FIT_STOPPED || next - self->written > self->wanted->checkpoint_every) {
        write_or_notify(self, of, runner, meter, meter->before + done,
                        of->state == FIT_STOPPED ? "stopped" : "running");
        self->closed = of->state == FIT_STOPPED;
    }
}

void checkpoint_finish(fit_session *of, engine *runner, const progress_meter *meter) {
    checkpoint *self = of->checkpoint;
    if (self != NULL && !self->closed && self->from.archive == NULL) {
        write_or_notify(self, of, runner, meter, meter->before, of->time.shortened ? "time limit" : "finished");
    }
}
