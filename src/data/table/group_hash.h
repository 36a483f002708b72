/* Rows that belong together (--group-column): a group is one number, a hash of what its cell says. Only the files of this room use it. */
#ifndef CNM_DATA_TABLE_GROUP_HASH_H
#define CNM_DATA_TABLE_GROUP_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Equal numbers are one group however they are written: "-0", "0.0" and 0 of an array. */
uint64_t group_of_number(double value);
/* A word, or a number as text; of more than 15 characters, as an identity of many digits may have, the text itself counts. */
uint64_t group_of_text(const char *text, size_t length);

#endif
