/* Counts how many cells fit each format, by reading them with it; the most frequent one wins. */
#include "data/encode/type_guess.h"

#include "data/encode/cell_read.h"
#include "data/encode/number_read.h"
#include "data/encode/time_read.h"

/* The formats of numbers that are tried, the first of equals wins. Without separators seen, those
 * that go with the decimal sign are allowed: later cells may be larger. */
static const struct {
    char decimal, thousands;
} NUMBERS[NUMBER_FORMATS] = {{'.', ','}, {'.', '\0'}, {'.', ' '}, {'.', '\''}, {'.', '_'},
                             {',', '.'}, {',', '\0'}, {',', ' '}, {',', '\''}, {',', '_'}};

static column_type number_type(size_t format, bool units) {
    return (column_type){
        .kind = COLUMN_NUMBER,
        .format = {.decimal = NUMBERS[format].decimal, .thousands = NUMBERS[format].thousands, .units = units}};
}

static bool is_plain(const char *text, size_t length) {
    double value;
    return cell_read(&(column_type){.kind = COLUMN_NUMBER}, text, length, &value);
}

/* Notes which formats of numbers, with units or without, fit; returns whether any does. */
static bool note_numbers(type_guess *self, cell_text text, bool units, size_t count) {
    bool points = false, commas = false;
    number_core core;
    if (!number_core_find(&core, text, units)) {
        return false;
    }
    for (size_t i = 0; i < NUMBER_FORMATS; i++) {
        const column_type type = number_type(i, units);
        double value;
        if (number_core_read(&core, &type.format, &value)) {
            self->numbers[i] += count;
            *(NUMBERS[i].decimal == ',' ? &commas : &points) = true;
        }
    }
    self->surely_commas += commas && !points ? count : 0;
    return points || commas;
}

/* Notes a word that is read in every format: inf, true. */
static void note_any(type_guess *self, size_t count) {
    for (size_t i = 0; i < NUMBER_FORMATS; i++) {
        self->numbers[i] += count;
    }
}

static void note_times(type_guess *self, cell_text text, size_t count) {
    for (size_t i = 0; i < TIME_FORMATS; i++) {
        double days;
        self->times[i] += time_read((time_order)i, text, &days) ? count : 0;
    }
}

static bool has_digit(cell_text text) {
    while (text.at < text.end && !text_is_digit(&text)) {
        text.at++;
    }
    return text.at < text.end;
}

void type_guess_note(type_guess *self, const char *text, size_t length, size_t count) {
    const cell_text cell = text_trimmed(text, length);
    const bool plain = is_plain(text, length);
    self->cells += count;
    self->plain += plain ? count : 0;
    if (!has_digit(cell)) {
        note_any(self, plain ? count : 0);
    } else if (!note_numbers(self, cell, false, count)) {
        if (note_numbers(self, cell, true, count)) {
            self->units += count;
        } else {
            note_times(self, cell, count);
        }
    }
}

static bool nearly_all(const type_guess *self, size_t fitting) {
    enum { LEAST_PER_STRAY = 50, LEAST_FOR_ONE = 10 };
    const size_t others = self->cells - fitting;
    return others <= self->cells / LEAST_PER_STRAY || (others == 1 && self->cells >= LEAST_FOR_ONE);
}

/* Returns the first format of the most cells among those with that decimal sign, or with any: 0. */
static size_t best_number(const type_guess *self, char decimal) {
    size_t best = NUMBER_FORMATS;
    for (size_t i = 0; i < NUMBER_FORMATS; i++) {
        const bool allowed = decimal == '\0' || decimal == NUMBERS[i].decimal;
        if (allowed && (best == NUMBER_FORMATS || self->numbers[i] > self->numbers[best])) {
            best = i;
        }
    }
    return best;
}

static size_t best_time(const type_guess *self) {
    size_t best = 0;
    for (size_t i = 1; i < TIME_FORMATS; i++) {
        best = self->times[i] > self->times[best] ? i : best;
    }
    return best;
}

column_type type_guess_end(const type_guess *self, char decimal) {
    const size_t number = best_number(self, decimal), time = best_time(self);
    const bool more = self->numbers[number] > self->plain, commas = decimal == ',' && self->numbers[number] > 0;
    if (self->times[time] > self->numbers[number] && nearly_all(self, self->times[time])) {
        return (column_type){.kind = COLUMN_TIME, .format = {.order = (time_order)time}};
    }
    if ((more || (commas && self->numbers[number] == self->plain)) && nearly_all(self, self->numbers[number])) {
        return number_type(number, self->units > 0);
    }
    return (column_type){.kind = nearly_all(self, self->plain) ? COLUMN_NUMBER : COLUMN_WORDS};
}

bool type_guess_has_decimal_commas(const type_guess *self) {
    return self->surely_commas > 0 && type_guess_end(self, '\0').kind == COLUMN_NUMBER &&
           type_guess_end(self, '\0').format.decimal == ',';
}

bool type_guess_is_mostly_values(const type_guess *self) {
    enum { LEAST_CELLS = 20 };
    const size_t numbers = self->numbers[best_number(self, '\0')], times = self->times[best_time(self)];
    const size_t values = numbers > self->plain ? numbers : self->plain, most = times > values ? times : values;
    return self->cells >= LEAST_CELLS && self->cells - most <= self->cells / 10;
}

bool type_guess_is_all_words(const type_guess *self) {
    return self->cells > 0 && self->plain == 0 && self->numbers[best_number(self, '\0')] == 0 &&
           self->times[best_time(self)] == 0;
}
