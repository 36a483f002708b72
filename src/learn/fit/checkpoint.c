/* When a checkpoint is written, and how a training finds its place again. */
#include "learn/fit/checkpoint.h"

#include <string.h>

#include "base/core/checksum.h"
#include "base/core/error.h"
#include "base/file/file.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "learn/fit/checkpoint_state.h"

static const char FORMAT[] = "1", CHOOSE[] = "choose", TRIALS[] = "trials";

/* In the order in which a training has them. */
static const char *const PHASES[] = {CHOOSE, "kernel", "train", "imitate", "prune", "calibrate"};
enum { PHASE_COUNT = sizeof PHASES / sizeof PHASES[0] };

struct checkpoint {
    const settings *wanted;
    const cnm_callbacks *callbacks;
    record about;         /* what must be the same to go on */
    checkpoint_file from; /* the state to go on from, until it is reached */
    uint64_t step;        /* its place, in `phase` */
    uint64_t made;        /* steps of all phases */
    const char *phase;    /* of `from` */
    double *trials;       /* losses of pilots */
    size_t trial_count, trial_capacity;
    size_t recalled; /* of the trials, by this run */
    bool passed;     /* what a phase before `phase` left is restored */
    bool ended;      /* the search asked for a pilot that `from` did not have before it trained */
    double written;  /* progress_clock of the latest checkpoint */
    double offered;  /* and of the latest piece of work */
    bool failed;     /* and it failed */
    bool closed;     /* stopped: nothing more is written */
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
    unsigned char *bytes = NULL;
    size_t size;
    cnm_status status = start == NULL ? CNM_OK : model_to_bytes(start, &bytes, &size, err);
    if (status == CNM_OK && start != NULL) {
        hexadecimal(checksum_update(0, bytes, size), digits);
    }
    memory_free(bytes);
    return status == CNM_OK ? record_set(out, "start", digits, err) : status;
}

/* Another model under the same name is another teacher. */
static cnm_status describe_teacher(record *out, const char *path, cnm_error *err) {
    char digits[17];
    unsigned char *bytes = NULL;
    size_t size;
    if (path == NULL) {
        return CNM_OK;
    }
    cnm_status status = file_read_all(path, 0, &bytes, &size, err);
    if (status == CNM_OK) {
        hexadecimal(checksum_update(0, bytes, size), digits);
        status = record_set(out, "teacher", digits, err);
    }
    memory_free(bytes);
    return status;
}

static cnm_status describe_options(record *out, const record *options, cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && options != NULL && i < options->count; i++) {
        text_buffer key = {0};
        status = text_add_string(&key, "option ", err);
        status = status == CNM_OK ? text_add_string(&key, options->entries[i].key, err) : status;
        status = status == CNM_OK ? record_add(out, key.bytes, options->entries[i].value, err) : status;
        text_free(&key);
    }
    return status;
}

static cnm_status describe(checkpoint *self, const table *rows, const cnm_model *start, cnm_error *err) {
    char digits[17];
    hexadecimal(table_checksum(rows), digits);
    cnm_status status = record_set(&self->about, "format", FORMAT, err);
    status = status == CNM_OK ? record_set(&self->about, "data", digits, err) : status;
    status = status == CNM_OK ? describe_start(&self->about, start, err) : status;
    status = status == CNM_OK ? describe_teacher(&self->about, self->wanted->teacher, err) : status;
    return status == CNM_OK ? describe_options(&self->about, self->wanted->said, err) : status;
}

/* ---- Finding the file ---- */

static cnm_status take_trials(checkpoint *self, cnm_error *err) {
    const archive_tensor *found = archive_find(self->from.archive, TRIALS);
    if (found == NULL) {
        return CNM_OK;
    }
    if (found->type != TENSOR_F64) {
        return error_set(err, CNM_BAD_FORMAT, "its array %s does not hold doubles", TRIALS);
    }
    const size_t count = found->size / sizeof *self->trials;
    const cnm_status status =
        memory_grow(&self->trials, &self->trial_capacity, count + 1, sizeof *self->trials, "losses of pilots", err);
    if (status == CNM_OK && count > 0) {
        memcpy(self->trials, found->bytes, found->size);
        self->trial_count = count;
    }
    return status;
}

static void announce(const checkpoint *self, uint64_t steps) {
    const char *state = archive_value(self->from.archive, "state");
    const bool finished = state != NULL && strcmp(state, "finished") == 0;
    notice_send(self->callbacks,
                finished
                    ? "the training of %s was finished with step %llu of %llu (%s): nothing is left to do but the model"
                    : "goes on from %s with step %llu of %llu (%s)",
                self->wanted->checkpoint, (unsigned long long)self->step, (unsigned long long)steps, self->phase);
}

/* The place, and all that does not need the training. */
static cnm_status understand(checkpoint *self, cnm_error *err) {
    const char *phase = archive_value(self->from.archive, "phase");
    uint64_t steps = 0;
    for (size_t i = 0; phase != NULL && i < PHASE_COUNT; i++) {
        self->phase = strcmp(phase, PHASES[i]) == 0 ? PHASES[i] : self->phase;
    }
    if (self->phase == NULL) {
        return error_set(err, CNM_BAD_FORMAT, "its phase is none that is known");
    }
    cnm_status status = checkpoint_file_count(&self->from, "step", &self->step, err);
    status = status == CNM_OK ? checkpoint_file_count(&self->from, "steps", &steps, err) : status;
    status = status == CNM_OK ? checkpoint_file_count(&self->from, "made", &self->made, err) : status;
    status = status == CNM_OK ? take_trials(self, err) : status;
    if (status == CNM_OK) {
        announce(self, steps);
    }
    return status;
}

static cnm_status find_state(checkpoint *self, cnm_error *err) {
    const char *path = self->wanted->checkpoint;
    cnm_status status = checkpoint_file_read(&self->from, path, err);
    if (status != CNM_OK) {
        return status;
    }
    if (self->from.archive == NULL) {
        notice_send(self->callbacks, "there is no checkpoint %s yet: the training starts afresh", path);
        return CNM_OK;
    }
    status = checkpoint_file_compare(&self->from, &self->about, path, err);
    if (status == CNM_OK) {
        status = understand(self, err);
        status = status == CNM_OK ? status : error_prefix(err, status, "%s cannot be used", path);
    }
    return status;
}

cnm_status checkpoint_create(checkpoint **out, const table *rows, const settings *wanted, const cnm_model *start,
                             const cnm_callbacks *callbacks, cnm_error *err) {
    bool found;
    *out = NULL;
    if (wanted->checkpoint == NULL) {
        return CNM_OK;
    }
    cnm_status status = memory_zeroed(out, 1, sizeof **out, "a checkpoint", err);
    if (status != CNM_OK) {
        return status;
    }
    checkpoint *self = *out;
    self->wanted = wanted;
    self->callbacks = callbacks;
    self->written = self->offered = progress_clock();
    status = describe(self, rows, start, err);
    if (status == CNM_OK) {
        status = wanted->resume ? find_state(self, err) : checkpoint_file_look(wanted->checkpoint, &found, err);
    }
    if (status == CNM_OK) {
        file_sweep(wanted->checkpoint); /* a training that was killed while it wrote */
    }
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

/* ---- Finding the place ---- */

bool checkpoint_recall(checkpoint *self, double *loss, bool *stop) {
    if (self == NULL || (self->from.archive == NULL && self->recalled == self->trial_count)) {
        return false;
    }
    if (self->recalled < self->trial_count) {
        *loss = self->trials[self->recalled++];
        return true;
    }
    self->ended = strcmp(self->phase, CHOOSE) != 0;
    *stop = self->ended;
    return self->ended;
}

cnm_status checkpoint_note(checkpoint *self, double loss, cnm_error *err) {
    if (self == NULL) {
        return CNM_OK;
    }
    const cnm_status status = memory_grow(&self->trials, &self->trial_capacity, self->trial_count + 1,
                                          sizeof *self->trials, "losses of pilots", err);
    if (status == CNM_OK) {
        self->trials[self->trial_count++] = loss;
        self->recalled = self->trial_count;
    }
    return status;
}

bool checkpoint_replays(const checkpoint *self, bool *ended) {
    const bool replays = self != NULL && self->from.archive != NULL;
    *ended = replays && self->ended;
    return replays;
}

uint64_t checkpoint_step(const checkpoint *self, const char *phase) {
    return self != NULL && self->from.archive != NULL && strcmp(self->phase, phase) == 0 ? self->step : 0;
}

static cnm_status misfit(const checkpoint *self, cnm_error *err) {
    return error_set(err, CNM_BAD_FORMAT, "%s cannot be used: its step %llu (%s) is none of this training",
                     self->wanted->checkpoint, (unsigned long long)self->step, self->phase);
}

cnm_status checkpoint_check(const checkpoint *self, cnm_error *err) {
    return self != NULL && self->from.archive != NULL ? misfit(self, err) : CNM_OK;
}

static size_t phase_number(const char *phase) {
    size_t i = 0;
    while (i < PHASE_COUNT && strcmp(phase, PHASES[i]) != 0) {
        i++;
    }
    return i;
}

/* A phase that was over before the checkpoint: what it left is taken from there, once. */
static cnm_status pass(checkpoint *self, training *of, const progress_meter *meter, cnm_error *err) {
    if (phase_number(meter->phase) > phase_number(self->phase)) {
        return misfit(self, err);
    }
    const bool larger = self->wanted->prune > 0.0 && strcmp(meter->phase, "prune") != 0; /* than what was saved */
    if (self->passed || larger) {
        return CNM_OK;
    }
    self->passed = true;
    const cnm_status status = state_restore_finished(of, &self->from, err);
    return status == CNM_OK ? status : error_prefix(err, status, "%s cannot be used", self->wanted->checkpoint);
}

/* The state after `step` of the run's phase. */
static cnm_status restore(checkpoint *self, training *of, engine *runner, cnm_error *err) {
    const cnm_status status = state_restore(of, runner, &self->from, err);
    checkpoint_file_free(&self->from);
    return status == CNM_OK ? status : error_prefix(err, status, "%s cannot be used", self->wanted->checkpoint);
}

cnm_status checkpoint_enter(training *of, engine *runner, progress_meter *meter, uint64_t count, uint64_t *done,
                            cnm_error *err) {
    checkpoint *self = of->checkpoint;
    *done = 0;
    if (self == NULL || self->from.archive == NULL || count == 0) {
        return CNM_OK;
    }
    if (strcmp(self->phase, meter->phase) != 0) {
        *done = count;
        meter->skipped += count;
        return pass(self, of, meter, err);
    }
    if (self->step > meter->before + count) {
        *done = count;
        meter->skipped += count;
        return CNM_OK;
    }
    if (self->step <= meter->before) {
        return misfit(self, err);
    }
    *done = self->step - meter->before;
    meter->skipped += *done;
    return restore(self, of, runner, err);
}

/* ---- Writing ---- */

static cnm_status save(checkpoint *self, const training *of, engine *runner, const progress_meter *meter, uint64_t step,
                       const char *state, cnm_error *err) {
    state_arrays arrays;
    record texts = {0};
    cnm_status status = record_copy(&texts, &self->about, err);
    status = status == CNM_OK ? record_set(&texts, "state", state, err) : status;
    status = status == CNM_OK ? record_set(&texts, "phase", meter->phase, err) : status;
    status = status == CNM_OK ? record_set_count(&texts, "step", step, err) : status;
    status = status == CNM_OK ? record_set_count(&texts, "steps", meter->total, err) : status;
    status = status == CNM_OK ? record_set_count(&texts, "made", self->made, err) : status;
    status = status == CNM_OK ? state_describe(&texts, of, err) : status;
    if (status == CNM_OK) {
        state_list(&arrays, of, runner);
        arrays.items[arrays.count++] = (archive_tensor){
            .name = TRIALS, .type = TENSOR_F64, .dimensions = 1, .shape = {self->trial_count}, .bytes = self->trials};
        status = checkpoint_file_write(self->wanted->checkpoint, arrays.items, arrays.count, &texts, err);
    }
    record_free(&texts);
    return status;
}

/* A failure is said once, until one succeeds again. */
static void attempt(checkpoint *self, const training *of, engine *runner, const progress_meter *meter, uint64_t step,
                    const char *state) {
    cnm_error error = {0};
    const bool failed = save(self, of, runner, meter, step, state, &error) != CNM_OK;
    if (failed && !self->failed) {
        notice_send(self->callbacks, "no checkpoint: %s; the training goes on, and an earlier checkpoint stays",
                    error.message);
    }
    self->failed = failed;
    self->written = self->offered = progress_clock();
}

/* Due when the next piece of work, as long as the last one, would end after its time. */
void checkpoint_offer(training *of, engine *runner, const progress_meter *meter, uint64_t done, uint64_t steps) {
    checkpoint *self = of->checkpoint;
    if (self == NULL || self->closed) {
        return;
    }
    self->made += steps;
    const double time = progress_clock(), next = time + (time - self->offered);
    self->offered = time;
    if (of->stopped || next - self->written > self->wanted->checkpoint_every) {
        attempt(self, of, runner, meter, meter->before + done, of->stopped ? "stopped" : "running");
        self->closed = of->stopped;
    }
}

void checkpoint_finish(training *of, engine *runner, const progress_meter *meter) {
    checkpoint *self = of->checkpoint;
    if (self != NULL && !self->closed && self->from.archive == NULL) {
        attempt(self, of, runner, meter, meter->before, of->shortened ? "time limit" : "finished");
    }
}
