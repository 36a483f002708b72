/* Derives names of files from other names. */
#include "file_names.h"

#include <stdlib.h>
#include <string.h>

char *default_model_name(const char *data) {
    const char *slash = strrchr(data, '/');
    const char *base = slash == NULL ? data : slash + 1;
    size_t length = strlen(base);
    if (length > 3 && strcmp(base + length - 3, ".gz") == 0) {
        length -= 3;
    }
    for (size_t i = length; i-- > 1;) {
        if (base[i] == '.') {
            length = i;
            break;
        }
    }
    char *name = malloc(length + sizeof ".cnm");
    if (name != NULL) {
        memcpy(name, base, length);
        strcpy(name + length, ".cnm");
    }
    return name;
}

char *name_with_ending(const char *name, const char *ending) {
    char *whole = malloc(strlen(name) + strlen(ending) + 1);
    if (whole != NULL) {
        strcpy(whole, name);
        strcat(whole, ending);
    }
    return whole;
}

bool name_ends_with(const char *name, const char *ending) {
    const size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}
