/* Formats numbers and JSON. The locale's decimal separator becomes a point. */
#include "cli_format.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The only bytes besides the decimal point that %f and %g write. */
static const char OTHERS[] = "0123456789+-einfa";

static number_text with_point(number_text number) {
    char *mark = number.text + strspn(number.text, OTHERS);
    if (*mark != '\0') {
        const size_t length = strcspn(mark, OTHERS); /* some locales' points are several bytes long */
        *mark = '.';
        memmove(mark + 1, mark + length, strlen(mark + length) + 1);
    }
    return number;
}

number_text number_fixed(double value, int decimals) {
    number_text number;
    if (!(fabs(value) < 1e15)) {
        return number_digits(value, 9);
    }
    (void)snprintf(number.text, sizeof number.text, "%.*f", decimals, value);
    return with_point(number);
}

number_text number_digits(double value, int digits) {
    number_text number;
    (void)snprintf(number.text, sizeof number.text, "%.*g", digits, value);
    return with_point(number);
}

double number_of_text(const char *text) {
    char own[64], *end;
    const size_t whole = text == NULL ? 0 : strcspn(text, ".");
    if (text == NULL || *text == '\0' || strlen(text) + 8 > sizeof own) {
        return NAN;
    }
    (void)snprintf(own, sizeof own, "%.*s%s%s", (int)whole, text, text[whole] == '.' ? localeconv()->decimal_point : "",
                   text[whole] == '.' ? text + whole + 1 : "");
    const double value = strtod(own, &end);
    return *end == '\0' ? value : NAN;
}

void print_json_string(FILE *out, const char *text) { print_json_part(out, text, strlen(text)); }

void print_json_part(FILE *out, const char *text, size_t length) {
    fputc('"', out);
    for (const unsigned char *byte = (const unsigned char *)text; length-- > 0; byte++) {
        if (*byte == '"' || *byte == '\\') {
            fprintf(out, "\\%c", *byte);
        } else if (*byte < 0x20) {
            fprintf(out, "\\u%04x", *byte);
        } else {
            fputc(*byte, out);
        }
    }
    fputc('"', out);
}

void json_number(FILE *out, double value) { fputs(isfinite(value) ? number_digits(value, 15).text : "null", out); }
