/* A 64-bit checksum that finds accidental damage; it is no protection against forgery. */
#ifndef CNM_BASE_CORE_CHECKSUM_H
#define CNM_BASE_CORE_CHECKSUM_H

#include "cnm/types.h"

/* Returns the CRC-64/XZ of more bytes: polynomial 42f0e1eba9ea3693 (ECMA-182), bits reflected, all
 * ones at the start and inverted at the end. Any change within 64 consecutive bits alters the
 * checksum, as does cutting or adding bytes but for a chance of 2^-64.
 * checksum_update(checksum_update(0, a), b) is the checksum of a followed by b. */
uint64_t checksum_update(uint64_t checksum, const void *bytes, size_t size);

#endif
