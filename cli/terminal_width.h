/* Knows whether a line on standard error can be redrawn, and how wide the terminal is. */
#ifndef CNM_CLI_TERMINAL_WIDTH_H
#define CNM_CLI_TERMINAL_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether standard error is a terminal that can clear a line: TERM is set, and not dumb. */
bool terminal_redraws(void);

/* Asks to be told when the terminal changes its size. */
void terminal_watch(void);

/* Returns the columns of the terminal at standard error; where it does not say, those of $COLUMNS,
 * else 80. After terminal_watch the terminal is asked again only when its size changed. */
size_t terminal_width(void);

#endif
