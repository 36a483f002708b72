/* Draws a canvas in the terminal. */
#ifndef CNM_CLI_TERMINAL_H
#define CNM_CLI_TERMINAL_H

#include <stdio.h>

#include "demo/canvas.h"

/* Prints one character for two dots, one above the other: coloured half blocks where `out` is a
 * terminal that shows UTF-8 and NO_COLOR is not set, plain letters elsewhere. */
void terminal_draw(FILE *out, const canvas *picture);

#endif
