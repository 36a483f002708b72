/* Cells of text: the first byte chooses how a column is written, the others are the text. */
#include "fuzz/target.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "data/encode/cell_read.h"
#include "data/encode/time_read.h"
#include "data/encode/type_guess.h"

static column_type choose(unsigned char choice) {
    static const char THOUSANDS[] = {'\0', ',', '.', ' ', '\'', '_'};
    if (choice % 5 == 0) {
        return (column_type){.kind = COLUMN_TIME, .format = {.order = (time_order)(choice / 5 % 4)}};
    }
    return (column_type){.kind = COLUMN_NUMBER,
                         .format = {.decimal = choice % 5 < 3 ? '.' : ',',
                                    .thousands = THOUSANDS[choice / 5 % sizeof THOUSANDS],
                                    .units = choice / 30 % 2 == 1}};
}

/* Checks that a time is the same when it is written and read again. */
static void check_time(double days) {
    const column_type type = {.kind = COLUMN_TIME, .format = {.order = TIME_YEAR_MONTH_DAY}};
    char text[TIME_TEXT_SIZE];
    double again;
    const size_t length = time_write(text, days);
    REQUIRE(length < TIME_TEXT_SIZE && strlen(text) == length);
    REQUIRE(days < -719162.0 || days >= 2932896.5 ||
            (cell_read(&type, text, length, &again) && fabs(days - again) < 1e-8));
}

/* Checks that blanks around a text change nothing, and that one of all formats fits what one
 * does. */
void fuzz_cells(const unsigned char *bytes, size_t size) {
    if (size == 0) {
        return;
    }
    const column_type type = choose(bytes[0]);
    const size_t length = size - 1;
    char *text, *wide;
    double value = 0.0, again = 0.0;
    REQUIRE(memory_take(&text, length, 1, "a test", NULL) == CNM_OK);
    REQUIRE(memory_take(&wide, length + 3, 1, "a test", NULL) == CNM_OK);
    memcpy(text, bytes + 1, length);
    memcpy(wide + 1, text, length);
    wide[0] = wide[length + 1] = ' ';
    wide[length + 2] = '\t';
    const bool read = cell_read(&type, text, length, &value);
    REQUIRE(read == cell_read(&type, wide, length + 3, &again));
    REQUIRE(!read || (!isnan(value) && value == again));
    if (read && type.kind == COLUMN_TIME) {
        check_time(value);
    }
    type_guess guess = {.cells = 0};
    type_guess_note(&guess, text, length, 3);
    const column_kind kind = type_guess_end(&guess, '\0').kind;
    REQUIRE(guess.cells == 3 && (kind == COLUMN_WORDS) == type_guess_is_all_words(&guess));
    REQUIRE(cell_stands_for_missing(text, length, NULL) || !cell_stands_for_missing_label(text, length, NULL));
    memory_free(text);
    memory_free(wide);
}
