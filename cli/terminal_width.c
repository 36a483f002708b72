/* The handler of SIGWINCH only takes a note; terminal_width asks. */
#include "terminal_width.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, WIDEST = 9999 };

static volatile sig_atomic_t resized = 1;

#ifdef SIGWINCH
static void on_resize(int signal_number) {
    (void)signal_number;
    resized = 1;
}
#endif

bool terminal_redraws(void) {
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && kind != NULL && *kind != '\0' && strcmp(kind, "dumb") != 0;
}

void terminal_watch(void) {
    resized = 1;
#ifdef SIGWINCH
    struct sigaction action = {.sa_handler = on_resize};
    action.sa_flags = SA_RESTART; /* reads are not cut short */
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
#endif
}

static size_t ask(void) {
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
#endif
    const char *text = getenv("COLUMNS");
    const unsigned long columns = text == NULL ? 0 : strtoul(text, NULL, 10);
    return columns > 0 && columns <= WIDEST ? columns : USUAL_WIDTH;
}

size_t terminal_width(void) {
    static size_t width;
    if (resized) {
        resized = 0; /* before asking: a change meanwhile is asked about again */
        width = ask();
    }
    return width;
}
