/* Rows that belong together (--group-column): a group is a hash of its cell's content. Only the
 * files of this module use it. */
#ifndef CNM_DATA_TABLE_GROUP_HASH_H
#define CNM_DATA_TABLE_GROUP_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the group of a number. Equal numbers are one group however they are written: "-0", "0.0"
 * and 0 of an array. */
uint64_t group_hash_number(double value);
/* Returns the group of a word, or of a number given as text; text of more than 15 characters, such
 * as an identifier of many digits, is compared as text. */
uint64_t group_hash_text(const char *text, size_t length);

#endif
