/* Reads dates by the order of their parts, and times of day with a zone; checks them by the
 * calendar. */
#include "data/encode/time_read.h"

#include <math.h>
#include <stdio.h>

#include "base/text/text.h"

enum { SECONDS_A_DAY = 86400, DAYS_TO_1970 = 719162 /* from 0001-01-01 */, PIVOT = 69 };

static const char *const MONTHS[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};
static const char *const WEEKDAYS[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

/* The parts of a date; 0 where there is none. */
typedef struct date_parts {
    int year, month, day;
} date_parts;

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/* Returns the days of the year before a month from 1; 13: all of them. */
static int days_before(int year, int month) {
    static const short BEFORE[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return BEFORE[month - 1] + (month > 2 && is_leap(year));
}

static int days_before_year(int year) {
    const int past = year - 1;
    return 365 * past + past / 4 - past / 100 + past / 400;
}

/* Returns whether the calendar has this day. */
static bool is_day(const date_parts *self) {
    return self->year >= 1 && self->year <= 9999 && self->month >= 1 && self->month <= 12 && self->day >= 1 &&
           self->day <= days_before(self->year, self->month + 1) - days_before(self->year, self->month);
}

/* Takes a number of `least` to `most` digits, of which no digit follows. */
static bool take_number(cell_text *text, size_t least, size_t most, int *value) {
    const char *start = text->at;
    for (*value = 0; text_is_digit(text) && (size_t)(text->at - start) < most; text->at++) {
        *value = *value * 10 + (*text->at - '0');
    }
    return (size_t)(text->at - start) >= least && !text_is_digit(text);
}

/* Takes one of these names, whole or its first three letters; returns its number from 1, or 0. */
static int take_name(cell_text *text, const char *const *names, int count) {
    for (int i = 0; i < count; i++) {
        const char brief[] = {names[i][0], names[i][1], names[i][2], '\0'};
        if (text_take_word(text, names[i]) || text_take_word(text, brief)) {
            return i + 1;
        }
    }
    return 0;
}

static bool take_month(cell_text *text, date_parts *out, bool *named) {
    out->month = text_is_digit(text) ? 0 : take_name(text, MONTHS, 12);
    *named = out->month > 0;
    return *named || take_number(text, 1, 2, &out->month);
}

static bool take_day(cell_text *text, date_parts *out) { return take_number(text, 1, 2, &out->day); }

/* Takes a year behind day and month. */
static bool take_year(cell_text *text, date_parts *out) {
    const char *start = text->at;
    if (!take_number(text, 2, 4, &out->year) || text->at - start == 3) {
        return false;
    }
    if (text->at - start == 2) {
        out->year += out->year < PIVOT ? 2000 : 1900;
    }
    return true;
}

/* Takes what joins two parts: - / . or a comma, with or without blanks behind, or blanks. Returns
 * it, a blank for those, or 0. */
static char take_joint(cell_text *text) {
    const char found = text_take(text, "-/.,");
    const bool blanks = text_take_blanks(text);
    return found != '\0' ? found : blanks ? ' ' : '\0';
}

/* Returns whether two joints go together: the same of a date in figures, any two or none where the
 * month is a name (Oct 13, 2023; 13Oct2023). */
static bool joints_agree(char first, char second, bool named) {
    return named ? (first == '\0') == (second == '\0') : first == second && first != '\0' && first != ',';
}

static bool take_year_month_day(cell_text *text, date_parts *out) {
    bool named;
    if (!take_number(text, 4, 4, &out->year)) {
        return false;
    }
    const char first = take_joint(text);
    const char *month = text->at;
    if (first == '\0' || !take_month(text, out, &named)) {
        return false;
    }
    if (text->at == text->end && !named && text->end - month == 2 && (first == '-' || first == '/')) {
        out->day = 1;
        return true;
    }
    const char second = take_joint(text);
    return joints_agree(first, second, named) && take_day(text, out);
}

static bool take_day_month_year(cell_text *text, date_parts *out) {
    bool named = false;
    if (!take_day(text, out)) {
        return false;
    }
    const char first = take_joint(text);
    if (!take_month(text, out, &named)) {
        return false;
    }
    const char second = take_joint(text);
    return joints_agree(first, second, named) && take_year(text, out);
}

static bool take_month_day_year(cell_text *text, date_parts *out) {
    bool named = false;
    if (!take_month(text, out, &named)) {
        return false;
    }
    const char first = take_joint(text);
    if (!take_day(text, out)) {
        return false;
    }
    const char second = take_joint(text);
    return joints_agree(first, second, named) && take_year(text, out);
}

static void take_weekday(cell_text *text) {
    if (!text_is_digit(text) && take_name(text, WEEKDAYS, 7) > 0) {
        (void)text_take(text, ",.");
        (void)text_take_blanks(text);
    }
}

static bool take_date(time_order order, cell_text *text, double *days) {
    static bool (*const TAKE[])(cell_text *, date_parts *) = {take_year_month_day, take_day_month_year,
                                                              take_month_day_year};
    date_parts parts = {.year = 0};
    take_weekday(text);
    if (!TAKE[order](text, &parts) || !is_day(&parts)) {
        return false;
    }
    *days = days_before_year(parts.year) + days_before(parts.year, parts.month) + parts.day - 1 - DAYS_TO_1970;
    return true;
}

/* Takes the digits behind the point of seconds. */
static bool take_part(cell_text *text, double *seconds) {
    const char *start = text->at;
    double weight = 0.1, part = 0.0;
    while (text_is_digit(text)) {
        part += weight * (*text->at++ - '0');
        weight /= 10.0;
    }
    *seconds += part;
    return text->at > start;
}

/* Takes AM or PM, also a.m. and with a blank before, for an hour of 1 to 12. */
static bool take_half(cell_text *text, int *hour) {
    static const char *const HALVES[] = {"AM", "A.M.", "PM", "P.M."};
    cell_text tried = *text;
    (void)text_take_blanks(&tried);
    for (int i = 0; i < 4; i++) {
        if (text_take_word(&tried, HALVES[i])) {
            *text = tried;
            const bool sound = *hour >= 1 && *hour <= 12;
            *hour = *hour % 12 + (i >= 2 ? 12 : 0);
            return sound;
        }
    }
    return true;
}

/* Takes a zone, Z, UTC, GMT, +HH:MM, +HHMM or +HH, and adds what is to be subtracted from the time.
 * Returns false where one is begun and not sound. */
static bool take_zone(cell_text *text, double *seconds) {
    int hours, minutes = 0;
    (void)text_take_blanks(text);
    if (text_take_word(text, "Z") || text_take_word(text, "UTC") || text_take_word(text, "GMT")) {
        return true;
    }
    const char sign = text_take(text, "+-");
    if (sign == '\0') {
        return true;
    }
    const char *start = text->at;
    if (!take_number(text, 2, 4, &hours)) {
        return false;
    }
    if (text->at - start == 4) {
        minutes = hours % 100;
        hours /= 100;
    } else if (text->at - start == 3 || (text_take(text, ":") != '\0' && !take_number(text, 2, 2, &minutes))) {
        return false;
    }
    *seconds += (sign == '-' ? 60.0 : -60.0) * (60 * hours + minutes);
    return hours <= 15 && minutes < 60;
}

/* Takes a time of day, in days. */
static bool take_time(cell_text *text, double *days) {
    int hour, minute, second = 0;
    double seconds = 0.0;
    if (!take_number(text, 1, 2, &hour) || text_take(text, ":") == '\0' || !take_number(text, 2, 2, &minute)) {
        return false;
    }
    if (text_take(text, ":") != '\0') {
        if (!take_number(text, 2, 2, &second) || (text_take(text, ".,") != '\0' && !take_part(text, &seconds))) {
            return false;
        }
    }
    if (!take_half(text, &hour) || hour > 23 || minute > 59 || second > 60 || !take_zone(text, &seconds)) {
        return false;
    }
    *days = (3600.0 * hour + 60.0 * minute + second + seconds) / SECONDS_A_DAY;
    return true;
}

/* Takes what stands between a date and a time: T, or blanks, also behind a comma. */
static bool take_between(cell_text *text) {
    if (text_take(text, "Tt") != '\0') {
        return true;
    }
    (void)text_take(text, ",");
    return text_take_blanks(text);
}

bool time_read(time_order order, cell_text text, double *days) {
    double part = 0.0;
    if (order == TIME_OF_DAY) {
        return take_time(&text, days) && text.at == text.end;
    }
    if (!take_date(order, &text, days)) {
        return false;
    }
    if (text.at < text.end && !(take_between(&text) && take_time(&text, &part))) {
        return false;
    }
    *days += part;
    return text.at == text.end;
}

/* Finds the date of a day since 0001-01-01. */
static date_parts date_of(int day) {
    date_parts out = {.year = day / 366 + 1, .month = 1};
    while (day >= days_before_year(out.year + 1)) {
        out.year++;
    }
    const int left = day - days_before_year(out.year);
    while (left >= days_before(out.year, out.month + 1)) {
        out.month++;
    }
    out.day = left - days_before(out.year, out.month) + 1;
    return out;
}

size_t time_write(char out[TIME_TEXT_SIZE], double days) {
    const double thousandths = floor(days * SECONDS_A_DAY * 1000.0 + 0.5), whole = floor(thousandths / 86400000.0);
    if (!(whole >= -DAYS_TO_1970 && whole < days_before_year(10000) - DAYS_TO_1970)) {
        return text_from_double(out, days);
    }
    const date_parts date = date_of((int)whole + DAYS_TO_1970);
    const int rest = (int)(thousandths - whole * 86400000.0), second = rest / 1000;
    int length = snprintf(out, TIME_TEXT_SIZE, "%04d-%02d-%02d", date.year, date.month, date.day);
    if (rest > 0) {
        length += snprintf(out + length, TIME_TEXT_SIZE - (size_t)length, "T%02d:%02d:%02d", second / 3600,
                           second / 60 % 60, second % 60);
    }
    if (rest % 1000 > 0) {
        length += snprintf(out + length, TIME_TEXT_SIZE - (size_t)length, ".%03d", rest % 1000);
    }
    return (size_t)length;
}
