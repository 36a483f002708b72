/* Numbers and JSON as text, the same in every locale. */
#ifndef CNM_CLI_CLI_FORMAT_H
#define CNM_CLI_CLI_FORMAT_H

#include <stdio.h>

/* Text of a number, returned by value so that several fit in one printf: number_fixed(x, 2).text. */
typedef struct number_text {
    char text[48];
} number_text;

/* As %.*f and %.*g, always with a point; "nan" and "inf" for those. Values that %f would spell with more than 15 digits before
 * the point are written as %g. */
number_text number_fixed(double value, int decimals);
number_text number_digits(double value, int digits);

/* A number as the library writes it, with a point; NaN for NULL and for what is no number. */
double number_read(const char *text);

/* A JSON string with its quotes; a JSON number, or null where it is not finite. */
void json_string(FILE *out, const char *text);
void json_number(FILE *out, double value);

#endif
