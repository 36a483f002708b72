/* Archives that are sound as containers, checksum included, and wrong inside: for the checks behind
 * the checksum, which a plain fuzzer never passes. */
#ifndef CNM_TESTS_FUZZ_CHANGES_H
#define CNM_TESTS_FUZZ_CHANGES_H

#include "base/file/safetensors.h"

/* Sets *bytes to a good archive with the changes that `how` stands for, to be freed with
 * memory_free; fails where they cannot be written. */
cnm_status archive_change(const unsigned char *good, size_t good_size, const char *checksum_key,
                          const unsigned char *how, size_t how_size, unsigned char **bytes, size_t *size);

#endif
