/* Draws a canvas in the 256-colour palette, two dots a character. */
#include "terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Returns whether the locale shows UTF-8: the first of these variables that is set decides. */
static bool shows_utf8(void) {
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        const char *value = getenv(NAMES[i]);
        if (value != NULL && *value != '\0') {
            const char *dot = strchr(value, '.');
            return dot != NULL && (strcasecmp(dot, ".utf-8") == 0 || strcasecmp(dot, ".utf8") == 0);
        }
    }
    return false;
}

static bool shows_colours(FILE *out) {
    const char *terminal = getenv("TERM"), *refusal = getenv("NO_COLOR");
    return isatty(fileno(out)) != 0 && (refusal == NULL || *refusal == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && shows_utf8();
}

/* Returns the nearest of the palette's 6 x 6 x 6 colours, whose steps are 0, 95, 135, 175, 215,
 * 255. */
static int palette(unsigned char dot) {
    int number = 16, weight = 36;
    for (int i = 0; i < 3; i++, weight /= 6) {
        const int value = CANVAS_COLOURS[dot][i];
        number += weight * (value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40);
    }
    return number;
}

static void draw_colours(FILE *out, const unsigned char *upper, const unsigned char *lower, size_t width) {
    for (size_t x = 0; x < width; x++) {
        if (upper[x] == DOT_BLANK && lower[x] == DOT_BLANK) {
            fputs("\033[0m ", out);
        } else {
            fprintf(out, "\033[38;5;%d;48;5;%dm\xe2\x96\x80", palette(upper[x]),
                    palette(lower[x])); /* upper half block */
        }
    }
    fputs("\033[0m\n", out);
}

/* Prints the letter of the upper dot; of the lower one where that is a row. */
static void draw_letters(FILE *out, const unsigned char *upper, const unsigned char *lower, size_t width) {
    static const char LETTERS[DOT_KINDS] = {' ', '.', 'o', '+', ' '};
    for (size_t x = 0; x < width; x++) {
        const bool row_below = lower[x] >= DOT_ROW && lower[x] < DOT_BLANK;
        fputc(LETTERS[row_below ? lower[x] : upper[x]], out);
    }
    fputc('\n', out);
}

void terminal_draw(FILE *out, const canvas *picture) {
    const bool colours = shows_colours(out);
    for (size_t y = 0; y + 1 < picture->height; y += 2) {
        const unsigned char *upper = picture->dots + y * picture->width;
        (colours ? draw_colours : draw_letters)(out, upper, upper + picture->width, picture->width);
    }
}
