/* Dates and times of day as text, and as days since 1970-01-01T00:00 UTC in the Gregorian calendar,
 * also before it was in use. Only the files of this folder and writers use it. */
#ifndef CNM_DATA_ENCODE_TIME_READ_H
#define CNM_DATA_ENCODE_TIME_READ_H

#include "data/encode/cell_text.h"
#include "data/table/column_type.h"

enum { TIME_TEXT_SIZE = 32 };

/* Reads the whole text as a date with or without a time of day, or as a time of day; see
 * time_order. A weekday may stand before a date. Years are 0001 to 9999; of two digits, which days
 * and months must come before, 00 to 68 are 2000 to 2068 and 69 to 99 are 1969 to 1999. 2023-10 is
 * the first of that month. Days that a month does not have are refused. */
bool time_read(time_order order, cell_text text, double *days);

/* Writes days as 2023-10-13, or 2023-10-13T23:59:59 where they have a part, rounded to
 * milliseconds; returns the length. Years outside 0001 to 9999 are written as the number of
 * days. */
size_t time_write(char out[TIME_TEXT_SIZE], double days);

#endif
