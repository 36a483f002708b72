/* Finds the types of columns. Most columns of most files hold plain numbers alone, which
 * csv_sniff.c has seen already: only the others are looked at here cell by cell, in the formats of
 * data/encode. */
#include "data/formats/csv_types.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/encode/cell_read.h"

static void keep_example(column_facts *self, example_kind kind, const char *text, size_t length) {
    char *out = self->examples[kind];
    if (out[0] == '\0' && length < EXAMPLE_SIZE) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
}

/* Keeps a cell that is written in a way worth a notice; before: the guess without it. */
static void note_example(column_facts *self, const type_guess *before, const char *text, size_t length) {
    const type_guess *now = &self->guess;
    bool number = false;
    for (size_t i = 0; i < NUMBER_FORMATS; i++) {
        number = number || now->numbers[i] > before->numbers[i];
    }
    bool time = false;
    for (size_t i = 0; i < TIME_FORMATS; i++) {
        time = time || now->times[i] > before->times[i];
    }
    if (!number && !time && now->plain == before->plain) {
        keep_example(self, EXAMPLE_STRAY, text, length);
    }
    if (now->surely_commas > before->surely_commas) {
        keep_example(self, EXAMPLE_DECIMAL_COMMA, text, length);
    }
    if (now->units > before->units) {
        keep_example(self, EXAMPLE_UNIT, text, length);
    } else if (number && now->plain == before->plain) {
        keep_example(self, EXAMPLE_THOUSANDS, text, length);
    }
    if (now->times[TIME_DAY_MONTH_YEAR] > before->times[TIME_DAY_MONTH_YEAR] &&
        now->times[TIME_MONTH_DAY_YEAR] > before->times[TIME_MONTH_DAY_YEAR]) {
        keep_example(self, EXAMPLE_DAY_OR_MONTH, text, length);
    }
}

static cnm_status note_cell(column_facts *self, const char *text, size_t length, const reader_options *options,
                            cnm_error *err) {
    int32_t code;
    if (cell_stands_for_missing(text, length, options->missing_words)) {
        return CNM_OK;
    }
    const type_guess before = self->guess;
    type_guess_note(&self->guess, text, length, 1);
    note_example(self, &before, text, length);
    return dictionary_add(&self->different, text, length, &code, err);
}

/* Marks the columns to look at: of those that were not, all, or the ones with other cells than
 * plain numbers below the first line, or in it. Returns whether there are any. */
static bool choose(const csv_shape *shape, sample_facts *facts, bool all, bool first) {
    bool any = false;
    for (size_t j = 0; j < shape->columns; j++) {
        column_facts *column = &facts->columns[j];
        column->chosen = !column->seen && (all || column->words > 0 || (first && column->first_is_other));
        column->seen = column->seen || column->chosen;
        any = any || column->chosen;
    }
    return any;
}

/* Notes the cells of the chosen columns. */
static cnm_status note_lines(const csv_shape *shape, const csv_sample *lines, const reader_options *options,
                             sample_facts *facts, cnm_error *err) {
    csv_sample_restore(lines);
    for (size_t i = 1; i < lines->count; i++) {
        char *at = cell_first(&shape->style, lines->lines[i], lines->ends[i]);
        for (size_t j = 0; at != NULL && j < shape->columns; j++) {
            const cell found = cell_next(&shape->style, &at, lines->ends[i]);
            if (facts->columns[j].chosen) {
                TRY(note_cell(&facts->columns[j], found.text, found.length, options, err));
            }
        }
    }
    return CNM_OK;
}

cnm_status csv_types_note(const csv_shape *shape, const csv_sample *lines, const reader_options *options,
                          sample_facts *facts, cnm_error *err) {
    if (choose(shape, facts, false, false)) {
        TRY(note_lines(shape, lines, options, facts, err));
    }
    const bool commas = csv_types_decimal(shape, options, facts) == ','; /* 1.460 is more than a thousand */
    return commas && choose(shape, facts, true, false) ? note_lines(shape, lines, options, facts, err) : CNM_OK;
}

cnm_status csv_types_note_names(const csv_shape *shape, const csv_sample *lines, const reader_options *options,
                                sample_facts *facts, cnm_error *err) {
    if (choose(shape, facts, false, true)) {
        TRY(note_lines(shape, lines, options, facts, err));
    }
    for (size_t j = 0; j < shape->columns; j++) {
        if (facts->columns[j].seen) {
            TRY(note_cell(&facts->columns[j], shape->names[j], strlen(shape->names[j]), options, err));
        }
    }
    return CNM_OK;
}

char csv_types_decimal(const csv_shape *shape, const reader_options *options, const sample_facts *facts) {
    for (size_t j = 0; options->decimal == 0 && j < shape->columns; j++) {
        if (type_guess_has_decimal_commas(&facts->columns[j].guess)) {
            return ',';
        }
    }
    return options->decimal;
}

column_type csv_types_of(const column_facts *column, char decimal) {
    if (column->guess.cells > 0) {
        return type_guess_end(&column->guess, decimal);
    }
    const cell_format commas = {.decimal = ',', .thousands = '.'};
    return (column_type){.kind = COLUMN_NUMBER, .format = decimal == ',' ? commas : (cell_format){0}};
}

/* Returns whether numbers or times of this type are written as the kind says. */
static bool shows(const column_type *type, const type_guess *guess, example_kind kind) {
    const cell_format *format = &type->format;
    const bool number = type->kind == COLUMN_NUMBER;
    switch (kind) {
    case EXAMPLE_DECIMAL_COMMA:
        return number && format->decimal == ',';
    case EXAMPLE_THOUSANDS:
        return number && format->decimal != ',' && format->thousands != '\0';
    case EXAMPLE_UNIT:
        return number && format->units;
    case EXAMPLE_STRAY:
        return type->kind == COLUMN_WORDS && type_guess_is_mostly_values(guess);
    default:
        return type->kind == COLUMN_TIME && guess->times[TIME_DAY_MONTH_YEAR] == guess->times[TIME_MONTH_DAY_YEAR] &&
               (format->order == TIME_DAY_MONTH_YEAR || format->order == TIME_MONTH_DAY_YEAR);
    }
}

cnm_status csv_types_end(csv_shape *shape, const reader_options *options, const sample_facts *facts, cnm_error *err) {
    const char decimal = csv_types_decimal(shape, options, facts);
    TRY(memory_zeroed(&shape->guess.types, shape->columns, sizeof *shape->guess.types, "columns", err));
    TRY(memory_zeroed(&shape->guess.measured, shape->columns, sizeof *shape->guess.measured, "columns", err));
    TRY(memory_zeroed(&shape->guess.blank, shape->columns, sizeof *shape->guess.blank, "columns", err));
    for (size_t j = shape->columns; j-- > 0;) {
        const column_facts *column = &facts->columns[j];
        shape->guess.blank[j] =
            facts->rows > 0 && column->numbers + column->words == 0 && (shape->header || shape->names[j][0] == '\0');
        shape->guess.types[j] = csv_types_of(column, decimal);
        if (facts->cut && column->numbers + column->words == 0) {
            /* nothing is known of it: words may be any text, and encoders read numbers of them */
            shape->guess.types[j] = (column_type){.kind = COLUMN_WORDS};
        }
        shape->guess.measured[j] = shape->guess.types[j].kind == COLUMN_NUMBER &&
                                   (column->fractional || !column_is_plain(&shape->guess.types[j]));
        for (size_t kind = 0; kind < EXAMPLE_KINDS; kind++) {
            if (column->examples[kind][0] != '\0' &&
                shows(&shape->guess.types[j], &column->guess, (example_kind)kind)) {
                shape->examples[kind].column = j;
                memcpy(shape->examples[kind].text, column->examples[kind], EXAMPLE_SIZE);
            }
        }
    }
    return CNM_OK;
}
