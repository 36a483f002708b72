/* Loaded into a program with LD_PRELOAD: puts it into a locale that writes 0,5 for a half before
 * main runs, as a program with a user interface would. What reads and writes numbers with the C
 * library's own functions then goes wrong. The system's messages stay English: tests compare them.
 * */
#include <locale.h>
#include <unistd.h>

__attribute__((constructor)) static void enter_comma_locale(void) {
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL || setlocale(LC_MESSAGES, "C") == NULL) {
        _exit(77);
    }
}
