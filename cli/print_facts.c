/* Prints results as lines of name and value, or as one JSON object. */
#include "print_facts.h"

#include <math.h>

#include "cli_format.h"
#include "json_value.h"

/* Returns six digits; whole numbers in full. */
static number_text short_number(double value) {
    return value == floor(value) && fabs(value) < 1e15 ? number_fixed(value, 0) : number_digits(value, 6);
}

void facts_print(FILE *out, const fact *facts, size_t count, bool json) {
    const char *glue = "{";
    for (size_t i = 0; i < count; i++) {
        if (facts[i].text == NULL && isnan(facts[i].number)) {
            continue;
        }
        if (!json) {
            fprintf(out, "%-22s %s\n", facts[i].name,
                    facts[i].text != NULL ? facts[i].text : short_number(facts[i].number).text);
            continue;
        }
        fprintf(out, "%s\"%s\": ", glue, facts[i].name);
        glue = ", ";
        if (facts[i].text == NULL) {
            json_number(out, facts[i].number);
        } else if (!json_list(out, facts[i].name, facts[i].text)) {
            print_json_string(out, facts[i].text);
        }
    }
    fputs(json ? "}\n" : "", out);
}
