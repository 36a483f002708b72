/* Every step that can fail fails once, and then for good: the n-th allocation, open, read, write,
 * sync, rename and thread of every operation, for n = 1, 2, ... until there are no more. Each time:
 * a status of the right kind and a sentence, or the very result that was due; nothing left of
 * memory, descriptors or files; an old file as it was, or whole and new. Prints how many points
 * were tried. $CNM_FAULTS_ALL: also those points of long operations that are passed over otherwise.
 * Needs a build with CNM_FAULTS. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "api/api_support.h"
#include "base/core/checksum.h"
#include "base/core/faults.h"
#include "faults/operations.h"

enum { DESCRIPTORS = 64, MOST_POINTS = 20000 };

static const struct {
    const char *name;
    cnm_status status; /* what a failure becomes */
    const char *words; /* in its sentence */
} KINDS[FAULT_KINDS] = {
    [FAULT_ALLOCATION] = {"allocation", CNM_NO_MEMORY, "out of memory"},
    [FAULT_OPEN] = {"open", CNM_IO_FAILED, "Too many open files"},
    [FAULT_READ] = {"read", CNM_IO_FAILED, "Input/output error"},
    [FAULT_WRITE] = {"write", CNM_IO_FAILED, "No space left"},
    [FAULT_SYNC] = {"sync", CNM_IO_FAILED, "Input/output error"},
    [FAULT_RENAME] = {"rename", CNM_IO_FAILED, "Input/output error"},
    [FAULT_THREAD] = {"thread", CNM_NO_MEMORY, ""}, /* the library does without */
};

/* ---- Memory, descriptors and files, which must be as before ---- */

typedef struct surroundings {
    size_t pieces, descriptors, files;
} surroundings;

static surroundings look_around(void) {
    surroundings out = {.pieces = faults_pieces()};
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        out.files++;
    }
    (void)closedir(folder);
    for (int i = 0; i < DESCRIPTORS; i++) {
        out.descriptors += fcntl(i, F_GETFD) != -1;
    }
    return out;
}

/* Returns the checksum of a file's bytes; 0 where there is none. */
static uint64_t file_checksum(const char *path) {
    static char bytes[1 << 16];
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    return checksum_update(1, bytes, size);
}

static bool is_state(const char *path) { return path != NULL && strstr(path, ".state") != NULL; }

/* Writes the file that a new one is to replace: a checkpoint to resume from, or any text. */
static void write_old(const char *path) {
    static char bytes[1 << 16];
    size_t size = (size_t)snprintf(bytes, sizeof bytes, "an old file");
    if (is_state(path)) {
        FILE *old = fopen(OLD_STATE, "rb");
        assert_non_null(old);
        size = fread(bytes, 1, sizeof bytes, old);
        assert_int_equal(fclose(old), 0);
    }
    if (path != NULL) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
    }
}

/* ---- The walk ---- */

typedef struct walk {
    const operation *of;
    fault_kind kind;
    bool lasting;
    uint64_t due, new_file; /* checksums of the result and of what is written */
    size_t refused, spared; /* points that ended in an error, and those the library did without */
} walk;

static void check_point(walk *self, size_t n) {
    const char *const mode = self->lasting ? "for good" : "once";
    outcome out = {0};
    cnm_error error = {0};
    write_old(self->of->path);
    const uint64_t old_file = file_checksum(self->of->path);
    const surroundings before = look_around();
    faults_plan(self->kind, n, self->lasting);
    const cnm_status status = self->of->run(self->of, &out, &error);
    const bool struck = faults_struck();
    faults_plan(self->kind, 0, false);
    const uint64_t file = file_checksum(self->of->path);
    const bool written = file == self->new_file || (struck && is_state(self->of->path) && file == old_file);
    if (status == CNM_OK && (outcome_checksum(&out) != self->due || !written)) {
        fail_msg("%s, %s %zu %s: another result", self->of->name, KINDS[self->kind].name, n, mode);
    }
    if (status != CNM_OK) {
        if (!struck || status != KINDS[self->kind].status || strstr(error.message, KINDS[self->kind].words) == NULL) {
            fail_msg("%s, %s %zu %s: status %d, \"%s\"", self->of->name, KINDS[self->kind].name, n, mode, (int)status,
                     error.message);
        }
        if (out.model != NULL || out.data != NULL || (file != old_file && file != self->new_file)) {
            fail_msg("%s, %s %zu %s: something is left of it", self->of->name, KINDS[self->kind].name, n, mode);
        }
    }
    outcome_free(&out);
    const surroundings after = look_around();
    if (memcmp(&before, &after, sizeof before) != 0) {
        fail_msg("%s, %s %zu %s: %zu pieces of memory, %zu descriptors, %zu files; before %zu, %zu, %zu",
                 self->of->name, KINDS[self->kind].name, n, mode, after.pieces, after.descriptors, after.files,
                 before.pieces, before.descriptors, before.files);
    }
    self->refused += struck && status != CNM_OK;
    self->spared += struck && status == CNM_OK;
}

/* Tries all points of one kind, up to the first where no failure happens any more. Returns their
 * number. */
static size_t walk_all(walk *self) {
    const size_t stride = getenv("CNM_FAULTS_ALL") != NULL ? 1 : self->of->stride;
    size_t before, n = 1;
    do {
        before = self->refused + self->spared;
        check_point(self, n);
        n += stride;
        assert_true(n < MOST_POINTS);
    } while (self->refused + self->spared > before);
    return before;
}

static size_t walk_operation(const operation *of) {
    outcome out = {0};
    cnm_error error = {0};
    size_t total = 0;
    write_old(of->path);
    check_ok(of->run(of, &out, &error), &error);
    const uint64_t due = outcome_checksum(&out), new_file = file_checksum(of->path);
    outcome_free(&out);
    (void)printf("%-26s", of->name);
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        walk once = {.of = of, .kind = (fault_kind)kind, .due = due, .new_file = new_file};
        walk good = {.of = of, .kind = (fault_kind)kind, .due = due, .new_file = new_file, .lasting = true};
        const size_t points = walk_all(&once) + walk_all(&good);
        total += points;
        if (points > 0) {
            (void)printf("  %s %zu (%zu errors, %zu done without)", KINDS[kind].name, points,
                         once.refused + good.refused, once.spared + good.spared);
        }
        const bool optional =
            kind == FAULT_ALLOCATION || kind == FAULT_THREAD || (kind != FAULT_READ && is_state(of->path));
        assert_true(optional || once.spared + good.spared == 0);
    }
    (void)printf("\n");
    return total;
}

static void every_failure_is_survived(void **unused) {
    (void)unused;
    size_t total = 0;
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        total += walk_operation(&OPERATIONS[i]);
    }
    (void)printf("%zu points of failure tried in %zu operations\n", total, OPERATION_COUNT);
    assert_true(total > 1000);
}

static char folder[] = "/tmp/cnm-faults-XXXXXX";

static int prepare(void **unused) {
    (void)unused;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    operations_prepare();
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    operations_clean();
    DIR *opened = opendir(".");
    for (struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        (void)unlink(entry->d_name);
    }
    (void)closedir(opened);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failure_is_survived)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
