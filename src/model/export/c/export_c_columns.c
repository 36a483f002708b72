/* Writes struct NAME_columns, its enums, and NAME_row, which does what encoder_apply does.
 *
 * A word's constant is the number of its feature among those of its column, from 1 on, so that 0,
 * which an initialiser {0} leaves, is a missing word. */
#include "model/export/c/export_c_columns.h"

#include <string.h>

#include "model/export/c/c_names.h"

/* About as many bytes of instructions on a Cortex-M4: of the function, of a number, of a number
 * less its base in double, of an indicator, of a column of words. */
enum { CODE_ROW = 40, CODE_NUMBER = 8, CODE_BASE = 44, CODE_INDICATOR = 20, CODE_WORDS = 16 };

static double base_of(const cnm_model *model, const column_encoding *column) {
    return model->input.base == NULL ? 0.0 : model->input.base[column->feature];
}

/* ---- The header ---- */

/* Writes a name as a comment, where the identifier differs from it. */
static void emit_original(c_writer *out, const char *identifier, const char *name) {
    if (name != NULL && strcmp(identifier, name) != 0) {
        emit(out, " /* ");
        emit_remark(out, name);
        emit(out, " */");
    }
}

static void emit_words(c_writer *out, c_names *names, const column_encoding *column, size_t number) {
    const dictionary *words = &column->type.words;
    emit_format(out, "enum @_%s {", names->members[number]);
    emit_original(out, names->members[number], column->name);
    emit_format(out, "\n    $_%s_missing,\n", names->stems[number]);
    for (size_t i = 0; i < words->count; i++) {
        char constant[C_NAME_SIZE] = "";
        (void)EMIT_TRY(out, c_names_constant(names, number, words->texts[i], constant, out->err));
        emit_format(out, "    $_%s, /* ", constant);
        emit_remark(out, words->texts[i]);
        emit(out, " */\n");
    }
    emit_format(out, "    $_%s_other /* any other word */\n};\n\n", names->stems[number]);
}

static void emit_member(c_writer *out, const cnm_model *model, const c_names *names, size_t number) {
    const column_encoding *column = &model->encoder->column[number];
    const char *member = names->members[number];
    if (column->type.kind == COLUMN_WORDS) {
        emit_format(out, "    enum @_%s %s;", member, member);
    } else {
        emit_format(out, "    %s %s;", base_of(model, column) != 0.0 ? "double" : "float", member);
    }
    emit_original(out, member, column->name);
    if (column->type.kind == COLUMN_TIME) {
        emit(out, column->type.format.order == TIME_OF_DAY ? " /* part of a day */" : " /* days since 1970-01-01 */");
    }
    emit(out, "\n");
}

/* Writes the columns of the training rows that have no feature into the comment before the
 * struct. */
static void emit_left_out(c_writer *out, const encoder *columns) {
    size_t found = 0;
    for (size_t j = 0; j < columns->columns; j++) {
        const column_encoding *column = &columns->column[j];
        if (column->use != COLUMN_USED && column->name != NULL) {
            emit(out, found++ == 0 ? "\n * Not needed:\n *   " : ",\n *   ");
            emit_remark(out, column->name);
        }
    }
    emit(out, found > 0 ? "\n" : "");
}

void emit_column_types(c_writer *out, const cnm_model *model) {
    const encoder *columns = model->encoder;
    c_names names;
    if (columns == NULL || !EMIT_TRY(out, c_names_create(&names, columns, out->err))) {
        return;
    }
    for (size_t j = 0; j < columns->columns; j++) {
        if (columns->column[j].use == COLUMN_USED && columns->column[j].type.kind == COLUMN_WORDS) {
            emit_words(out, &names, &columns->column[j], j);
        }
    }
    emit(out, "/* One row, as in the training file.");
    emit(out, model->input.fill != NULL ? " NAN stands for a missing number." : "");
    emit_left_out(out, columns);
    emit(out, " */\nstruct @_columns {\n");
    for (size_t j = 0; j < columns->columns; j++) {
        if (columns->column[j].use == COLUMN_USED) {
            emit_member(out, model, &names, j);
        }
    }
    emit(out, "};\n\n/* Fills x ($_COLUMNS) from a row. */\n"
              "void @_row(const struct @_columns *row, float *x);\n\n");
    c_names_free(&names);
}

/* ---- The source ---- */

static const char SET_WORD[] = "\nstatic void set_word(float *x, int word, int words) {\n"
                               "    for (int i = 0; i < words; i++) {\n"
                               "        x[i] = word == i + 1 ? 1.0f : 0.0f;\n"
                               "    }\n}\n";

static void emit_number(c_writer *out, const column_encoding *column, const char *member, double base) {
    if (base == 0.0) {
        emit_format(out, "    x[%zu] = row->%s;\n", column->feature, member);
        out->code += CODE_NUMBER;
    } else {
        emit_format(out, "    x[%zu] = (float)(row->%s - ", column->feature, member);
        emit_double(out, base);
        emit(out, ");\n");
        out->code += CODE_BASE;
    }
    if (column->indicator) {
        emit_format(out, "    x[%zu] = row->%s != row->%s ? 1.0f : 0.0f;\n", column->feature + 1, member, member);
        out->code += CODE_INDICATOR;
    }
}

static void emit_word(c_writer *out, const column_encoding *column, const char *member) {
    const size_t words = column->type.words.count + (column->other ? 1 : 0);
    if (words > 0) {
        emit_format(out, "    set_word(x + %zu, (int)row->%s, %zu);\n", column->feature, member, words);
        out->code += CODE_WORDS;
    }
    if (column->indicator) {
        emit_format(out, "    x[%zu] = (int)row->%s == 0 ? 1.0f : 0.0f;\n", column->feature + words, member);
        out->code += CODE_INDICATOR;
    }
}

static bool has_words(const encoder *columns) {
    for (size_t j = 0; j < columns->columns; j++) {
        if (columns->column[j].use == COLUMN_USED && columns->column[j].type.words.count > 0) {
            return true;
        }
    }
    return false;
}

void emit_column_function(c_writer *out, const cnm_model *model) {
    const encoder *columns = model->encoder;
    c_names names;
    if (columns == NULL || !EMIT_TRY(out, c_names_create(&names, columns, out->err))) {
        return;
    }
    emit(out, has_words(columns) ? SET_WORD : "");
    emit(out, "\nvoid @_row(const struct @_columns *row, float *x) {\n");
    for (size_t j = 0; j < columns->columns; j++) {
        const column_encoding *column = &columns->column[j];
        if (column->use == COLUMN_USED && column->type.kind == COLUMN_WORDS) {
            emit_word(out, column, names.members[j]);
        } else if (column->use == COLUMN_USED) {
            emit_number(out, column, names.members[j], base_of(model, column));
        }
    }
    emit(out, "}\n");
    out->code += CODE_ROW;
    c_names_free(&names);
}
