/* Cells of text: each format reads back what a writer of that format wrote, dates agree with a
 * calendar that counts day by day, and nothing else is a number, a time or a missing cell. */
#include "data_support.h"

#include "base/text/text.h"
#include "data/encode/cell_read.h"
#include "data/encode/time_read.h"

static bool reads(const column_type *type, const char *text, double *value) {
    return cell_read(type, text, strlen(text), value);
}

static void assert_reads(const column_type *type, const char *text, double expected) {
    double value;
    if (!reads(type, text, &value) || value != expected) {
        fail_msg("'%s' is not read as %.17g", text, expected);
    }
}

static void assert_refuses(const column_type *type, const char *text) {
    double value;
    if (reads(type, text, &value)) {
        fail_msg("'%s' is read as %.17g", text, value);
    }
}

static column_type time_of(time_order order) { return (column_type){.kind = COLUMN_TIME, .format = {.order = order}}; }

static column_type number_of(char decimal, char thousands, bool units) {
    return (column_type){.kind = COLUMN_NUMBER, .format = {.decimal = decimal, .thousands = thousands, .units = units}};
}

/* A calendar that only knows how to go to the next day. */
typedef struct slow_day {
    int year, month, day;
} slow_day;

static void next_day(slow_day *self) {
    static const int LENGTHS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = self->year % 400 == 0 || (self->year % 4 == 0 && self->year % 100 != 0);
    if (self->day++ == LENGTHS[self->month - 1] + (self->month == 2 && leap)) {
        self->day = 1;
        self->month++;
    }
    if (self->month == 13) {
        self->month = 1;
        self->year++;
    }
}

/* 1970-01-01 is 719162 days behind 0001-01-01, so the count starts there. */
static void dates_agree_with_a_calendar_that_counts(void **state) {
    (void)state;
    const column_type orders[] = {time_of(TIME_YEAR_MONTH_DAY), time_of(TIME_DAY_MONTH_YEAR),
                                  time_of(TIME_MONTH_DAY_YEAR)};
    slow_day today = {1, 1, 1};
    int count = -719162, checked = 0;
    for (; today.year < 10000; next_day(&today), count++) {
        assert_true(count != 0 || (today.year == 1970 && today.month == 1 && today.day == 1));
        if (count % 61 != 0 && !(today.month == 2 && today.day > 27 && today.year % 25 == 0)) {
            continue;
        }
        char text[3][32], iso[TIME_TEXT_SIZE];
        (void)snprintf(text[0], 32, "%04d-%02d-%02d", today.year, today.month, today.day);
        (void)snprintf(text[1], 32, "%d.%d.%04d", today.day, today.month, today.year);
        (void)snprintf(text[2], 32, "%d/%02d/%04d", today.month, today.day, today.year);
        for (size_t i = 0; i < 3; i++) {
            assert_reads(&orders[i], text[i], count);
        }
        assert_int_equal(time_write(iso, count), 10);
        assert_string_equal(iso, text[0]);
        checked++;
    }
    assert_true(checked > 59000);
}

static void days_that_a_month_does_not_have_are_refused(void **state) {
    (void)state;
    static const char *const WRONG[] = {"2023-02-29",  "1900-02-29", "2100-02-29", "2023-04-31", "2023-06-31",
                                        "2023-00-10",  "2023-13-10", "2023-10-00", "2023-10-32", "0000-01-01",
                                        "10000-01-01", "123-01-01",  "2023-1-234", "2023-10-",   "2023/10-13",
                                        "2023,10,13",  "--2023-1-1", "2023-10-13x"};
    const column_type type = time_of(TIME_YEAR_MONTH_DAY);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_refuses(&type, WRONG[i]);
    }
    assert_reads(&type, "2000-02-29", 11016.0);
    assert_reads(&type, "2023-10", 19631.0);
}

static void dates_have_many_forms(void **state) {
    (void)state;
    static const struct {
        time_order order;
        const char *text;
    } SAME[] = {
        {TIME_YEAR_MONTH_DAY, "2023-10-13"},
        {TIME_YEAR_MONTH_DAY, "2023/10/13"},
        {TIME_YEAR_MONTH_DAY, "2023.10.13"},
        {TIME_YEAR_MONTH_DAY, "2023 10 13"},
        {TIME_YEAR_MONTH_DAY, "2023-Oct-13"},
        {TIME_DAY_MONTH_YEAR, "13.10.2023"},
        {TIME_DAY_MONTH_YEAR, "13. 10. 2023"},
        {TIME_DAY_MONTH_YEAR, "13/10/23"},
        {TIME_DAY_MONTH_YEAR, "13 Oct 2023"},
        {TIME_DAY_MONTH_YEAR, "13-oct-23"},
        {TIME_DAY_MONTH_YEAR, "13. October 2023"},
        {TIME_DAY_MONTH_YEAR, "13OCT2023"},
        {TIME_DAY_MONTH_YEAR, "Fri, 13 Oct 2023"},
        {TIME_MONTH_DAY_YEAR, "10/13/2023"},
        {TIME_MONTH_DAY_YEAR, "Oct 13, 2023"},
        {TIME_MONTH_DAY_YEAR, "October 13 2023"},
        {TIME_MONTH_DAY_YEAR, "Friday, Oct. 13, 2023"},
    };
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        const column_type type = time_of(SAME[i].order);
        assert_reads(&type, SAME[i].text, 19643.0);
    }
    const column_type day_first = time_of(TIME_DAY_MONTH_YEAR);
    assert_reads(&day_first, "1/1/69", -365.0);
    assert_reads(&day_first, "31/12/68", 36159.0);
    assert_refuses(&day_first, "10/13/2023");
    assert_refuses(&day_first, "13/10.2023");
    assert_refuses(&day_first, "13/10/202");
}

static void times_of_day_and_zones_count(void **state) {
    (void)state;
    const column_type date = time_of(TIME_YEAR_MONTH_DAY), clock = time_of(TIME_OF_DAY),
                      american = time_of(TIME_MONTH_DAY_YEAR);
    assert_reads(&date, "1970-01-02T12:00", 1.5);
    assert_reads(&date, "1970-01-02 12:00:00Z", 1.5);
    assert_reads(&date, "1970-01-02t14:00:00.000+02:00", 1.5);
    assert_reads(&date, "1970-01-02 06:30:00 -0530", 1.5);
    assert_reads(&date, "1970-01-02T11:00-01", 1.5);
    assert_reads(&date, "1970-01-01T00:00:00.5 UTC", 0.5 / 86400.0);
    assert_reads(&date, "1970-01-01T23:59:60", 1.0);
    assert_reads(&american, "1/2/1970, 12:00 PM", 1.5);
    assert_reads(&american, "1/2/1970 12:00:00 am", 1.0);
    assert_reads(&clock, "18:00", 0.75);
    assert_reads(&clock, "6:00 PM", 0.75);
    assert_reads(&clock, "6:00p.m.", 0.75);
    static const char *const WRONG[] = {"24:00",   "12:60",  "12:5",    "12",         "12:00:61",  "13:00 PM",
                                        "0:30 AM", "12:00X", "123:00",  "12:00+2",    "12:00+123", "12:00+16:00",
                                        "12:00.",  "12:",    "12:00:1", "12:00:00.x", ":30"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_refuses(&clock, WRONG[i]);
    }
}

/* Milliseconds of a year survive: a double has room for them. */
static void times_read_back_what_is_written(void **state) {
    (void)state;
    const column_type type = time_of(TIME_YEAR_MONTH_DAY);
    uint32_t word = 11;
    for (int i = 0; i < 20000; i++) {
        char text[TIME_TEXT_SIZE];
        double days;
        word = word * 1664525u + 1013904223u;
        const double written = (double)(int32_t)word / 1024.0 + i / 86400000.0;
        (void)time_write(text, fmod(written, 700000.0));
        assert_true(reads(&type, text, &days));
        assert_true(fabs(days - fmod(written, 700000.0)) <= 0.5001 / 86400000.0);
    }
    char text[TIME_TEXT_SIZE];
    (void)time_write(text, 1e9);
    assert_string_equal(text, "1000000000");
    (void)time_write(text, (double)NAN);
    assert_string_equal(text, "nan");
}

/* Writes a number in a format: groups of three, some unit around it. */
static void write_number(char *out, const cell_format *format, const char *thousands, double value, uint32_t choice) {
    static const char *const FRONT[] = {"", "$", "\xe2\x82\xac ", "USD ", ""}, *const BEHIND[] = {"", "", "", "", " %"};
    char plain[TEXT_DOUBLE_SIZE + 320];
    (void)text_fixed(plain, fabs(value), 2);
    const char *point = strchr(plain, '.');
    const size_t whole = (size_t)(point - plain), unit = format->units ? choice % 5 : 0;
    out += sprintf(out, "%s%s", value < 0.0 ? "-" : "", FRONT[unit]);
    for (size_t i = 0; i < whole; i++) {
        out += sprintf(out, "%s%c", i > 0 && (whole - i) % 3 == 0 ? thousands : "", plain[i]);
    }
    (void)sprintf(out, "%c%s%s", format->decimal, point + 1, BEHIND[unit]);
}

static void every_format_reads_back_what_it_writes(void **state) {
    (void)state;
    static const struct {
        char decimal, thousands;
        const char *text;
    } FORMATS[] = {{'.', ',', ","},
                   {'.', ' ', " "},
                   {'.', ' ', "\xc2\xa0"},
                   {'.', ' ', "\xe2\x80\xaf"},
                   {'.', '_', "_"},
                   {'.', '\'', "'"},
                   {'.', '\'', "\xe2\x80\x99"},
                   {',', '.', "."},
                   {',', ' ', "\xc2\xa0"},
                   {',', '\'', "'"},
                   {',', '_', "_"},
                   {',', '\0', ""},
                   {'.', '\0', ""}};
    uint32_t word = 3;
    for (size_t i = 0; i < 2 * sizeof FORMATS / sizeof *FORMATS; i++) {
        const column_type type = number_of(FORMATS[i / 2].decimal, FORMATS[i / 2].thousands, i % 2 == 1);
        for (size_t n = 0; n < 2000; n++) {
            char text[128];
            word = word * 1664525u + 1013904223u;
            const double value = (double)((int32_t)word >> (word % 29)) / 100.0;
            write_number(text, &type.format, FORMATS[i / 2].text, value, word >> 7);
            assert_reads(&type, text, value);
        }
    }
}

static void signs_units_and_blanks_stand_around_numbers(void **state) {
    (void)state;
    const column_type plain = {.kind = COLUMN_NUMBER}, money = number_of('.', ',', true),
                      euros = number_of(',', '.', true);
    static const char *const MINUS[] = {"-$1,234.50",
                                        "$-1,234.50",
                                        "- $ 1,234.50",
                                        "$ -1,234.5",
                                        "USD -1,234.50",
                                        "-1,234.50 usd",
                                        "\xe2\x88\x92US$1,234.50",
                                        " -1234.5 ",
                                        "-1,234.5%"};
    for (size_t i = 0; i < sizeof MINUS / sizeof *MINUS; i++) {
        assert_reads(&money, MINUS[i], -1234.5);
    }
    assert_reads(&euros, "1.234,50 \xe2\x82\xac", 1234.5);
    assert_reads(&euros, "1.234,50\xc2\xa0z\xc5\x82", 1234.5);
    assert_reads(&euros, "71,5 %", 71.5);
    assert_reads(&money,
                 "\xe2\x82\xb9"
                 "12,34,567.00",
                 1234567.0);
    static const char *const CURRENCIES[] = {
        "$",   "A$",       "a$",           "NZ$",          "US$",       "HK$",      "Rs.", "Rs",
        "kr.", "KR",       "Fr.",          "CHF",          "Euro",      "AED",      "ZAR", "zar",
        "TRY", "\xc2\xa3", "\xe0\xb8\xbf", "\xe2\x82\xbf", "z\xc5\x82", "K\xc4\x8d"};
    for (size_t i = 0; i < sizeof CURRENCIES / sizeof *CURRENCIES; i++) {
        char before[32], behind[32];
        (void)snprintf(before, sizeof before, "%s 1,234.50", CURRENCIES[i]);
        (void)snprintf(behind, sizeof behind, "1,234.50%s", CURRENCIES[i]);
        assert_reads(&money, before, 1234.5);
        assert_reads(&money, behind, 1234.5);
    }
    assert_reads(&money, "5e3 EUR", 5000.0);
    assert_reads(&money, "CHF 1,234.-", 1234.0);
    assert_reads(&plain,
                 "\xe2\x88\x92"
                 "5",
                 -5.0);
    assert_reads(&plain, "+1e-3", 0.001);
    assert_reads(&plain, "TRUE", 1.0);
    assert_reads(&euros, "false", 0.0);
    assert_reads(&plain, "-inf", -(double)INFINITY);
    assert_reads(&euros, "inf", (double)INFINITY);
    static const char *const WRONG[] = {"(5)",  "$",        "%",     "-",        "$$5",   "5%%",    "--5",
                                        "$-5-", "1,23",     "12,34", "1234,567", "0,123", "1,,234", "1,234,",
                                        ",234", "1,234,56", "12 kg", "5 % x",    "e5",    "1,2345"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_refuses(&money, WRONG[i]);
    }
    static const char *const NOT_PLAIN[] = {"1,234", "$5", "5%", "- 5", "nan", "", "1 234", "0x10", "12,5"};
    for (size_t i = 0; i < sizeof NOT_PLAIN / sizeof *NOT_PLAIN; i++) {
        assert_refuses(&plain, NOT_PLAIN[i]);
    }
    assert_refuses(&euros, "1.5");
    assert_refuses(&euros, "1.234.56");
}

static void markers_stand_for_missing_cells(void **state) {
    (void)state;
    static const char *const MARKERS[] = {
        "",     " ",   "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
        "<NA>", "N/A", "NA",   "NULL",     "NaN",  "None",    "n/a",      "nan",  "null", "-",      ".",
        "?",    "\\N", "\\n",  "na",       "NONE", "NaT",     "<null>",   " NA ", "#n/a"};
    static const char *const VALUES[] = {"0", "N", "A", "NAN1", "nana", "--", "..", "none of it", "Nigeria", "\\"};
    for (size_t i = 0; i < sizeof MARKERS / sizeof *MARKERS; i++) {
        assert_true(cell_stands_for_missing(MARKERS[i], strlen(MARKERS[i]), NULL));
    }
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        assert_false(cell_stands_for_missing(VALUES[i], strlen(VALUES[i]), NULL));
    }
    assert_true(cell_stands_for_missing("-999", 4, "unknown, -999"));
    assert_true(cell_stands_for_missing("Unknown", 7, "unknown, -999"));
    assert_false(cell_stands_for_missing("-99", 3, "unknown, -999"));
    assert_false(cell_stands_for_missing("unknown, -999", 13, "unknown, -999"));
    assert_true(cell_stands_for_missing_label("?", 1, NULL));
    assert_false(cell_stands_for_missing_label("-", 1, NULL));
    assert_false(cell_stands_for_missing_label("None", 4, NULL));
    assert_true(cell_stands_for_missing_label("None", 4, "none"));
}

/* Reads any bytes at the end of memory of their own, where a sanitizer sees a byte too many. */
static void nothing_behind_the_text_is_read(void **state) {
    (void)state;
    static const char ALPHABET[] = "0129-+./,: '_eTZ%$\xe2\x82\xac\xc2\xa0\x88\x92"
                                   "APMmaynUSDf\t\\#<?";
    uint32_t word = 5;
    for (size_t n = 0; n < 60000; n++) {
        char *text;
        word = word * 1664525u + 1013904223u;
        const size_t length = (word >> 8) % 16;
        assert_int_equal(memory_take(&text, length + 1, 1, "a test", NULL), CNM_OK);
        char *cell = text + 1; /* ends where the memory does */
        for (size_t i = 0; i < length; i++) {
            word = word * 1664525u + 1013904223u;
            cell[i] = ALPHABET[(word >> 9) % (sizeof ALPHABET - 1)];
        }
        const column_type types[] = {time_of(TIME_YEAR_MONTH_DAY), time_of(TIME_DAY_MONTH_YEAR),
                                     time_of(TIME_MONTH_DAY_YEAR), time_of(TIME_OF_DAY),
                                     {.kind = COLUMN_NUMBER},      number_of('.', ',', true),
                                     number_of(',', '\'', true),   number_of(',', ' ', false)};
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            double value;
            assert_true(!cell_read(&types[i], cell, length, &value) || !isnan(value));
        }
        (void)cell_stands_for_missing(cell, length, "a,b");
        memory_free(text);
    }
}

static void very_long_texts_are_no_numbers(void **state) {
    (void)state;
    static char text[5000];
    const column_type type = number_of(',', '.', true), plain = {.kind = COLUMN_NUMBER};
    double value;
    memset(text, '7', sizeof text);
    text[3] = ',';
    assert_false(cell_read(&type, text, sizeof text, &value));
    text[3] = '.';
    assert_true(cell_read(&plain, text, sizeof text, &value));
    assert_true(fabs(value - 777.777777777777777) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_agree_with_a_calendar_that_counts),
        cmocka_unit_test(days_that_a_month_does_not_have_are_refused),
        cmocka_unit_test(dates_have_many_forms),
        cmocka_unit_test(times_of_day_and_zones_count),
        cmocka_unit_test(times_read_back_what_is_written),
        cmocka_unit_test(every_format_reads_back_what_it_writes),
        cmocka_unit_test(signs_units_and_blanks_stand_around_numbers),
        cmocka_unit_test(markers_stand_for_missing_cells),
        cmocka_unit_test(nothing_behind_the_text_is_read),
        cmocka_unit_test(very_long_texts_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
