/* Writes the parts of a line one behind the other, without those that do not fit. */
#include "progress_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_format.h"

enum { LEAST_BAR = 8, WIDEST_BAR = 24, BAR_STEP = 8, BAR_FRAME = 3 }; /* frame: a space and two brackets */

/* The parts, in the order of the line. */
enum { PREFIX, STAGE, BAR, PERCENT, LOSS, VALIDATION, RATE, LEFT, PARTS };

/* Which go first where the line is too long. */
static const int DROPPED[] = {LOSS, RATE, VALIDATION, BAR, PREFIX, LEFT};

typedef struct part {
    char text[128];
} part;

/* ---- Texts ---- */

static void write_rate(double rate, part *out) {
    static const struct {
        double unit;
        const char *name;
    } UNITS[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        const double value = rate / UNITS[i].unit;
        if (value >= 0.9995) {
            (void)snprintf(out->text, sizeof out->text, ", %s%s rows/s",
                           value < 9.995 ? number_fixed(value, 1).text : number_fixed(value, 0).text, UNITS[i].name);
            return;
        }
    }
    (void)snprintf(out->text, sizeof out->text, ", %s rows/s", number_fixed(rate, 0).text);
}

static void write_left(double seconds, part *out) {
    static const struct {
        double least, unit;
        const char *name;
    } UNITS[] = {{5400, 3600, "h"}, {60, 60, "min"}, {0, 1, "s"}};
    size_t i = 0;
    while (seconds < UNITS[i].least) {
        i++;
    }
    (void)snprintf(out->text, sizeof out->text, ", about %s %s left", number_fixed(seconds / UNITS[i].unit, 0).text,
                   UNITS[i].name);
}

static void write_parts(const progress_facts *at, part *parts) {
    const size_t size = sizeof parts[0].text;
    if (at->prefix[0] != '\0') {
        (void)snprintf(parts[PREFIX].text, size, "%s: ", at->prefix);
    }
    (void)snprintf(parts[STAGE].text, size, "%s", at->stage);
    if (isnan(at->fraction)) {
        (void)snprintf(parts[PERCENT].text, size, " %llu", (unsigned long long)at->done);
    } else {
        (void)snprintf(parts[PERCENT].text, size, " %d%%", (int)(100 * at->fraction));
    }
    if (isfinite(at->loss) && at->loss != 0) {
        (void)snprintf(parts[LOSS].text, size, ", loss %s", number_digits(at->loss, 4).text);
    }
    if (isfinite(at->validation) && at->validation != 0) {
        (void)snprintf(parts[VALIDATION].text, size, ", validation %s", number_digits(at->validation, 4).text);
    }
    if (at->rows_per_second > 0) {
        write_rate(at->rows_per_second, &parts[RATE]);
    }
    if (!isnan(at->seconds_left) && at->fraction < 1) {
        write_left(at->seconds_left, &parts[LEFT]);
    }
}

/* ---- The line ---- */

static size_t length_of(const part *parts) {
    size_t length = 0;
    for (int i = 0; i < PARTS; i++) {
        length += strlen(parts[i].text);
    }
    return length;
}

/* Writes a bar of so many characters inside its brackets. */
static void write_bar(double fraction, size_t inside, part *out) {
    const size_t filled = (size_t)(fraction * (double)inside);
    char *to = out->text;
    *to++ = ' ';
    *to++ = '[';
    for (size_t i = 0; i < inside; i++) {
        *to++ = i < filled ? '#' : '-';
    }
    *to++ = ']';
    *to = '\0';
}

void progress_line(const progress_facts *at, bool with_bar, size_t width, char *out, size_t size) {
    part parts[PARTS] = {0};
    const size_t room = width < size ? width : size - 1;
    bool bar = with_bar && !isnan(at->fraction);
    write_parts(at, parts);
    for (size_t i = 0; i < sizeof DROPPED / sizeof DROPPED[0]; i++) {
        if (length_of(parts) + (bar ? LEAST_BAR + BAR_FRAME : 0) > room) {
            parts[DROPPED[i]].text[0] = '\0';
            bar = bar && DROPPED[i] != BAR;
        }
    }
    if (bar) {
        const size_t left = (room - length_of(parts) - BAR_FRAME) / BAR_STEP * BAR_STEP; /* else it jitters */
        write_bar(at->fraction, left < WIDEST_BAR ? left : WIDEST_BAR, &parts[BAR]);
    }
    size_t used = 0;
    for (int i = 0; i < PARTS; i++) {
        const size_t length = strlen(parts[i].text), taken = length < room - used ? length : room - used;
        memcpy(out + used, parts[i].text, taken);
        used += taken;
    }
    out[used] = '\0';
}

/* ---- Time left ---- */

static const double LEAST_SECONDS = 1.0;  /* of work before anything is known */
static const double LEAST_MEMORY = 10.0;  /* seconds after which a sample counts 1/e, at least ... */
static const double MEMORY_SHARE = 0.25;  /* ... and of the seconds so far */
static const double SETTLE_SECONDS = 2.0; /* in which the expected end follows a new estimate */

/* Returns the step to which so many seconds are rounded. */
static double step_of(double seconds) { return seconds < 10 ? 1 : seconds < 57.5 ? 5 : seconds < 5400 ? 60 : 3600; }

static double rounded(double seconds) {
    const double step = step_of(seconds);
    return fmax(round(seconds / step), 1) * step;
}

void time_left_skip(time_left *self) { self->sampled = false; }

double time_left_add(time_left *self, double fraction, double seconds) {
    const double before = self->seconds;
    if (self->sampled) {
        const double passed = seconds - before;
        const double keep = exp(-passed / fmax(LEAST_MEMORY, MEMORY_SHARE * self->spent));
        self->gained = keep * self->gained + fmax(fraction - self->fraction, 0);
        self->spent = keep * self->spent + passed;
    }
    self->sampled = true;
    self->fraction = fraction;
    self->seconds = seconds;
    if (self->spent < LEAST_SECONDS || !(self->gained > 0)) {
        return NAN;
    }
    const double finish = seconds + (1 - fraction) * self->spent / self->gained;
    const double follow = self->finish > 0 ? 1 - exp(-(seconds - before) / SETTLE_SECONDS) : 1;
    self->finish += follow * (finish - self->finish);
    const double left = fmax(self->finish - seconds, 0), next = rounded(left);
    self->shown =
        self->shown > 0 && next > self->shown && left < self->shown + step_of(self->shown) ? self->shown : next;
    return self->shown;
}
