/* replay FOLDER...: runs every fuzz target over the files in FOLDER/TARGET, and over each file cut
 * in half. Needs no fuzzer: it is built by any compiler and run with the other tests. */
#include "fuzz/target.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *name;
    fuzz_target *run;
} TARGETS[] = {
    {"libsvm", fuzz_libsvm},   {"csv", fuzz_csv},
    {"arff", fuzz_arff},       {"npy", fuzz_npy},
    {"idx", fuzz_idx},         {"gzip", fuzz_gzip},
    {"labels", fuzz_labels},   {"model", fuzz_model},
    {"fields", fuzz_fields},   {"checkpoint", fuzz_checkpoint},
    {"options", fuzz_options}, {"cells", fuzz_cells},
    {"encoder", fuzz_encoder},
};

enum { PATH_SIZE = 1024 };

/* Runs a file in memory of exactly its size, so that a sanitizer sees a byte read too far. */
static void run_file(fuzz_target *run, const char *path, size_t size) {
    unsigned char *bytes = malloc(size == 0 ? 1 : size);
    FILE *file = fopen(path, "rb");
    REQUIRE(bytes != NULL && file != NULL);
    REQUIRE(fread(bytes, 1, size, file) == size);
    (void)fclose(file);
    run(bytes, size);
    unsigned char *half = malloc(size / 2 == 0 ? 1 : size / 2);
    REQUIRE(half != NULL);
    memcpy(half, bytes, size / 2);
    run(half, size / 2);
    free(half);
    free(bytes);
}

/* Returns how many files there were. */
static size_t run_folder(fuzz_target *run, const char *folder) {
    size_t count = 0;
    DIR *opened = opendir(folder);
    if (opened == NULL) {
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        char path[PATH_SIZE + 300];
        struct stat facts;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode)) {
            run_file(run, path, (size_t)facts.st_size);
            count++;
        }
    }
    (void)closedir(opened);
    return count;
}

int main(int count, char **texts) {
    size_t bare = 0;
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        size_t files = 0;
        for (int j = 1; j < count; j++) {
            char folder[PATH_SIZE];
            (void)snprintf(folder, sizeof folder, "%s/%s", texts[j], TARGETS[i].name);
            files += run_folder(TARGETS[i].run, folder);
        }
        (void)printf("%-10s %zu files\n", TARGETS[i].name, files);
        bare += files == 0;
    }
    return bare > 0; /* a target without seeds was forgotten */
}
