/* Whole files: in place only when complete, modes and links kept, devices written directly,
 * failures reported with the name. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/core/memory.h"
#include "base/file/file.h"

enum { PATH_SIZE = 512 };

static char folder[64];

static const char *inside(char out[PATH_SIZE], const char *name) {
    (void)snprintf(out, PATH_SIZE, "%s/%s", folder, name);
    return out;
}

static int make_folder(void **state) {
    (void)state;
    (void)strcpy(folder, "/tmp/cnm-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

/* Counts the names in the folder, "." and ".." apart; with remove, deletes them. */
static int entries(int remove_them) {
    int count = 0;
    DIR *open_folder = opendir(folder);
    if (open_folder == NULL) {
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char path[PATH_SIZE];
            count++;
            if (remove_them) {
                (void)remove(inside(path, entry->d_name));
            }
        }
    }
    (void)closedir(open_folder);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    (void)entries(1);
    return rmdir(folder);
}

static void write_file(const char *path, const char *text) {
    file_writer *writer;
    cnm_error err;
    assert_int_equal(file_create(&writer, path, &err), CNM_OK);
    assert_int_equal(file_write(writer, text, strlen(text), &err), CNM_OK);
    assert_int_equal(file_commit(writer, &err), CNM_OK);
}

static void assert_holds(const char *path, const char *text) {
    unsigned char *bytes;
    size_t size;
    cnm_error err;
    assert_int_equal(file_read_all(path, 0, &bytes, &size, &err), CNM_OK);
    assert_int_equal(size, strlen(text));
    assert_string_equal((char *)bytes, text); /* the NUL behind is promised */
    memory_free(bytes);
}

static void a_file_is_in_place_only_after_commit(void **state) {
    (void)state;
    char path[PATH_SIZE];
    file_writer *writer;
    write_file(inside(path, "model"), "old");
    assert_int_equal(file_create(&writer, path, NULL), CNM_OK);
    assert_int_equal(file_write(writer, "new", 3, NULL), CNM_OK);
    assert_holds(path, "old");
    assert_int_equal(entries(0), 2);
    assert_int_equal(file_commit(writer, NULL), CNM_OK);
    assert_holds(path, "new");
    assert_int_equal(entries(0), 1);
}

static void an_abandoned_file_leaves_nothing(void **state) {
    (void)state;
    char path[PATH_SIZE];
    file_writer *writer;
    assert_int_equal(file_create(&writer, inside(path, "model"), NULL), CNM_OK);
    assert_int_equal(file_write(writer, "new", 3, NULL), CNM_OK);
    file_abandon(writer);
    file_abandon(NULL);
    assert_int_equal(entries(0), 0);
}

static void pieces_of_every_size_arrive_in_order(void **state) {
    (void)state;
    char path[PATH_SIZE];
    enum { TOTAL = 1000000 };
    unsigned char *bytes, *read;
    size_t size;
    file_writer *writer;
    assert_int_equal(memory_take(&bytes, TOTAL, 1, "test", NULL), CNM_OK);
    for (size_t i = 0; i < TOTAL; i++) {
        bytes[i] = (unsigned char)(i * 2654435761U >> 13);
    }
    assert_int_equal(file_create(&writer, inside(path, "pieces"), NULL), CNM_OK);
    for (size_t at = 0, piece = 0; at < TOTAL; at += piece) {
        piece = (at * 7 + 1) % 200000;
        piece = piece < TOTAL - at ? piece : TOTAL - at;
        assert_int_equal(file_write(writer, bytes + at, piece, NULL), CNM_OK);
    }
    assert_int_equal(file_commit(writer, NULL), CNM_OK);
    assert_int_equal(file_read_all(path, TOTAL, &read, &size, NULL), CNM_OK);
    assert_int_equal(size, TOTAL);
    assert_memory_equal(read, bytes, TOTAL);
    memory_free(read);
    memory_free(bytes);
}

static void modes_and_links_are_kept(void **state) {
    (void)state;
    char path[PATH_SIZE], link_path[PATH_SIZE];
    struct stat about;
    const mode_t mask = umask(027);
    write_file(inside(path, "model"), "one");
    (void)umask(mask);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(symlink("model", inside(link_path, "link")), 0);
    write_file(link_path, "two");
    assert_int_equal(lstat(link_path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0604);
    assert_holds(path, "two");
}

static void the_longest_names_can_be_written(void **state) {
    (void)state;
    char path[PATH_SIZE], name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    write_file(inside(path, name), "x");
    assert_holds(path, "x");
}

static void a_relative_name_goes_to_the_current_folder(void **state) {
    (void)state;
    char path[PATH_SIZE], before[PATH_SIZE];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    write_file("plain", "x");
    assert_int_equal(chdir(before), 0);
    assert_holds(inside(path, "plain"), "x");
}

static void devices_are_written_directly(void **state) {
    (void)state;
    struct stat about;
    write_file("/dev/null", "gone");
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

static void a_full_device_is_told_by_name(void **state) {
    (void)state;
    file_writer *writer;
    cnm_error err = {CNM_OK, ""};
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    assert_int_equal(file_create(&writer, "/dev/full", &err), CNM_OK);
    assert_int_equal(file_write(writer, "x", 1, &err), CNM_OK); /* still in the buffer */
    assert_int_equal(file_commit(writer, &err), CNM_IO_FAILED);
    assert_string_equal(err.message, "cannot write /dev/full: No space left on device");
    static char much[200000];
    assert_int_equal(file_create(&writer, "/dev/full", &err), CNM_OK);
    assert_int_equal(file_write(writer, much, sizeof much, &err), CNM_IO_FAILED);
    file_abandon(writer);
}

static void what_cannot_be_written_is_told_by_name(void **state) {
    (void)state;
    char path[PATH_SIZE];
    file_writer *writer;
    cnm_error err;
    assert_int_equal(file_create(&writer, inside(path, "missing/model"), &err), CNM_IO_FAILED);
    assert_null(writer);
    assert_non_null(strstr(err.message, path));
    assert_non_null(strstr(err.message, "No such file or directory"));
    assert_int_equal(file_create(&writer, folder, &err), CNM_IO_FAILED);
    assert_non_null(strstr(err.message, "Is a directory"));
    assert_int_equal(entries(0), 0);
}

static void standard_output_is_a_dash(void **state) {
    (void)state;
    char path[PATH_SIZE];
    (void)fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int target = open(inside(path, "output"), O_WRONLY | O_CREAT, 0600);
    assert_true(kept >= 0 && target >= 0);
    (void)dup2(target, STDOUT_FILENO);
    file_writer *writer;
    const cnm_status created = file_create(&writer, "-", NULL);
    const cnm_status written = created == CNM_OK ? file_write(writer, "out", 3, NULL) : created;
    const cnm_status committed = created == CNM_OK ? file_commit(writer, NULL) : created;
    (void)dup2(kept, STDOUT_FILENO); /* works only while standard output was not closed */
    (void)close(kept);
    (void)close(target);
    assert_int_equal(written, CNM_OK);
    assert_int_equal(committed, CNM_OK);
    assert_holds(path, "out");
}

static void *feed_pipe(void *path) {
    FILE *pipe_end = fopen(path, "w");
    for (int i = 0; pipe_end != NULL && i < 100000; i++) {
        (void)fprintf(pipe_end, "%06d\n", i);
    }
    return pipe_end != NULL && fclose(pipe_end) == 0 ? path : NULL;
}

static void a_pipe_is_read_to_its_end(void **state) {
    (void)state;
    char path[PATH_SIZE];
    pthread_t feeder;
    void *fed;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(mkfifo(inside(path, "pipe"), 0600), 0);
    assert_int_equal(pthread_create(&feeder, NULL, feed_pipe, path), 0);
    const cnm_status status = file_read_all(path, 0, &bytes, &size, NULL);
    assert_int_equal(pthread_join(feeder, &fed), 0);
    assert_non_null(fed);
    assert_int_equal(status, CNM_OK);
    assert_int_equal(size, 700000);
    assert_memory_equal(bytes + 699993, "099999\n", 8);
    memory_free(bytes);
}

static void limits_and_wrong_kinds_are_refused(void **state) {
    (void)state;
    char path[PATH_SIZE];
    unsigned char *bytes;
    size_t size;
    cnm_error err;
    write_file(inside(path, "five"), "12345");
    assert_int_equal(file_read_all(path, 4, &bytes, &size, &err), CNM_NO_MEMORY);
    assert_null(bytes);
    /* has no end */
    assert_int_equal(file_read_all("/dev/zero", 1000000, &bytes, &size, &err), CNM_NO_MEMORY);
    assert_int_equal(file_read_all(path, 5, &bytes, &size, &err), CNM_OK);
    memory_free(bytes);
    assert_int_equal(file_read_all(folder, 0, &bytes, &size, &err), CNM_IO_FAILED);
    assert_non_null(strstr(err.message, "folder"));
    assert_int_equal(file_read_all(inside(path, "none"), 0, &bytes, &size, &err), CNM_IO_FAILED);
    assert_non_null(strstr(err.message, "none: No such file or directory"));
}

static void an_empty_file_has_its_nul(void **state) {
    (void)state;
    char path[PATH_SIZE];
    write_file(inside(path, "empty"), "");
    assert_holds(path, "");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_is_in_place_only_after_commit),
        IN_FOLDER(an_abandoned_file_leaves_nothing),
        IN_FOLDER(pieces_of_every_size_arrive_in_order),
        IN_FOLDER(modes_and_links_are_kept),
        IN_FOLDER(the_longest_names_can_be_written),
        IN_FOLDER(a_relative_name_goes_to_the_current_folder),
        IN_FOLDER(devices_are_written_directly),
        IN_FOLDER(a_full_device_is_told_by_name),
        IN_FOLDER(what_cannot_be_written_is_told_by_name),
        IN_FOLDER(standard_output_is_a_dash),
        IN_FOLDER(a_pipe_is_read_to_its_end),
        IN_FOLDER(limits_and_wrong_kinds_are_refused),
        IN_FOLDER(an_empty_file_has_its_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
