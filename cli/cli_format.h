/* Formats numbers and JSON, the same in every locale. */
#ifndef CNM_CLI_CLI_FORMAT_H
#define CNM_CLI_CLI_FORMAT_H

#include <stdio.h>

/* The text of a number, returned by value so that several fit in one printf: number_fixed(x,
 * 2).text. */
typedef struct number_text {
    char text[48];
} number_text;

/* Return the text of %.*f and %.*g, always with a point; "nan" and "inf" for those. number_fixed
 * writes values with more than 15 digits before the point as %g. */
number_text number_fixed(double value, int decimals);
number_text number_digits(double value, int digits);

/* Reads a number as the library writes it, with a point. NaN for NULL and for other texts. */
double number_of_text(const char *text);

/* Print a JSON string with its quotes, of a text or its first bytes, and a JSON number, or null
 * where it is not finite. */
void print_json_string(FILE *out, const char *text);
void print_json_part(FILE *out, const char *text, size_t length);
void json_number(FILE *out, double value);

#endif
