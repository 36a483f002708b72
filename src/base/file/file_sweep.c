/* Removes temporary files that killed programs left behind. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/core/memory.h"
#include "base/file/file.h"

/* Returns whether an entry is NAME.partial- and 12 digits, as file_create names a file until it is
 * complete. */
static bool is_part(const char *entry, const char *name) {
    static const char BETWEEN[] = ".partial-";
    const size_t length = strlen(name), digits = 12;
    const char *end = entry + length + sizeof BETWEEN - 1;
    return strncmp(entry, name, length) == 0 && strncmp(entry + length, BETWEEN, sizeof BETWEEN - 1) == 0 &&
           strspn(end, "0123456789abcdef") == digits && end[digits] == '\0';
}

void file_sweep(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    char *folder = NULL;
    if (memory_copy_text(&folder, slash == NULL ? "." : path, NULL) != CNM_OK) {
        return;
    }
    if (slash != NULL) {
        folder[slash - path + 1] = '\0';
    }
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (is_part(entry->d_name, name)) {
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    memory_free(folder);
}
