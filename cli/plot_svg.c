/* Draws a line chart as SVG. Coordinates are mapped linearly from the data to the frame, x as its
 * logarithm. */
#include "plot_svg.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cli_format.h"
#include "output_file.h"
#include "report_error.h"

enum {
    WIDTH = 720,
    HEIGHT = 440,
    LEFT = 76,
    RIGHT = 684,
    TOP = 48,
    BOTTOM = 376,
    NAME_GAP = 16,
    NAME_WIDTH = 120,
    MOST_LINES = 8
};

/* How the lines are drawn: dashes, and the mark at each point. */
static const struct {
    const char *dashes, *mark;
} LOOKS[] = {
    {"none", "<circle r=\"3.5\" fill=\"black\"/>"},
    {"7 4", "<rect x=\"-3.5\" y=\"-3.5\" width=\"7\" height=\"7\" fill=\"white\" stroke=\"black\"/>"},
    {"2 3", "<path d=\"M0-5 4.5 3.5-4.5 3.5Z\" fill=\"white\" stroke=\"black\"/>"},
};
enum { LOOK_COUNT = sizeof LOOKS / sizeof LOOKS[0] };

typedef struct frame {
    FILE *out;
    double low_x, high_x; /* logarithms */
    double low_y, high_y;
} frame;

static frame frame_around(const plot *self, FILE *out) {
    frame box = {out, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < self->line_count; i++) {
        for (size_t j = 0; j < self->lines[i].count; j++) {
            const plot_point *point = &self->lines[i].points[j];
            box.low_x = fmin(box.low_x, log10(point->x));
            box.high_x = fmax(box.high_x, log10(point->x));
            box.low_y = fmin(box.low_y, point->y - point->error);
            box.high_y = fmax(box.high_y, point->y + point->error);
        }
    }
    const double wide = fmax(0.06 * (box.high_x - box.low_x), 0.05);
    const double high = fmax(0.08 * (box.high_y - box.low_y), 1e-4 * (fabs(box.high_y) + 1e-6));
    box.low_x -= wide;
    box.high_x += wide;
    box.low_y -= high;
    box.high_y += high;
    return box;
}

static double place_x(const frame *box, double x) {
    return LEFT + (RIGHT - LEFT) * (log10(x) - box->low_x) / (box->high_x - box->low_x);
}

static double place_y(const frame *box, double y) {
    return BOTTOM - (BOTTOM - TOP) * (y - box->low_y) / (box->high_y - box->low_y);
}

/* ---- Elements ---- */

static void draw_line(FILE *out, double x1, double y1, double x2, double y2, const char *style) {
    fprintf(out, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" %s/>\n", number_fixed(x1, 2).text,
            number_fixed(y1, 2).text, number_fixed(x2, 2).text, number_fixed(y2, 2).text, style);
}

static void escape(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void draw_text(FILE *out, double x, double y, const char *style, const char *text) {
    fprintf(out, "<text x=\"%s\" y=\"%s\" %s>", number_fixed(x, 2).text, number_fixed(y, 2).text, style);
    escape(out, text);
    fputs("</text>\n", out);
}

/* ---- Axes ---- */

static const char GRID[] = "stroke=\"#ddd\"", AXIS[] = "stroke=\"black\"";
static const char MIDDLE[] = "text-anchor=\"middle\"", END[] = "text-anchor=\"end\"";

/* Prints 500, 2k, 10M. */
static void print_size(char *out, size_t size, double value) {
    static const char UNITS[] = " kMGT";
    size_t unit = 0;
    for (; value >= 1000.0 && unit + 2 < sizeof UNITS; unit++) {
        value /= 1000.0;
    }
    (void)snprintf(out, size, "%s%.*s", number_digits(value, 3).text, unit > 0, UNITS + unit);
}

/* Draws marks at 1, 2 and 5 times powers of ten; more where all x lie within a factor of five. */
static void draw_x_axis(const frame *box) {
    static const double STEPS[] = {1.0, 2.0, 5.0, 1.2, 1.5, 3.0, 4.0, 7.0};
    const size_t steps = box->high_x - box->low_x > 0.7 ? 3 : sizeof STEPS / sizeof STEPS[0];
    char text[64];
    for (int power = (int)floor(box->low_x); power <= (int)ceil(box->high_x); power++) {
        for (size_t i = 0; i < steps; i++) {
            const double value = STEPS[i] * pow(10.0, power), x = place_x(box, value);
            if (x >= LEFT && x <= RIGHT) {
                draw_line(box->out, x, TOP, x, BOTTOM, GRID);
                print_size(text, sizeof text, value);
                draw_text(box->out, x, BOTTOM + 18, MIDDLE, text);
            }
        }
    }
    draw_line(box->out, LEFT, BOTTOM, RIGHT, BOTTOM, AXIS);
}

/* Draws marks in steps of 1, 2 or 5 times a power of ten, which gives four to ten of them. */
static void draw_y_axis(const frame *box) {
    const double span = box->high_y - box->low_y, power = pow(10.0, floor(log10(span)));
    const double step = span / power >= 5.0 ? power : span / power >= 2.0 ? 0.5 * power : 0.2 * power;
    const int decimals = (int)fmax(0.0, -floor(log10(step) + 1e-9));
    const double first = ceil(box->low_y / step);
    for (int i = 0; (first + i) * step <= box->high_y; i++) {
        const double value = (first + i) * step, y = place_y(box, value);
        draw_line(box->out, LEFT, y, RIGHT, y, GRID);
        draw_text(box->out, LEFT - 8, y + 4, END, number_fixed(value, decimals).text);
    }
    draw_line(box->out, LEFT, TOP, LEFT, BOTTOM, AXIS);
}

static void draw_names(const plot *self, FILE *out) {
    char style[96];
    (void)snprintf(style, sizeof style, "%s transform=\"rotate(-90 20 %d)\"", MIDDLE, (TOP + BOTTOM) / 2);
    draw_text(out, LEFT, 26, "font-size=\"15\"", self->title);
    draw_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 42, MIDDLE, self->x_name);
    draw_text(out, 20, (TOP + BOTTOM) / 2.0, style, self->y_name);
}

/* ---- Lines ---- */

static void draw_errors(const frame *box, const plot_line *line) {
    enum { CAP = 4 };
    for (size_t j = 0; j < line->count; j++) {
        const plot_point *point = &line->points[j];
        const double x = place_x(box, point->x);
        const double low = place_y(box, point->y - point->error), high = place_y(box, point->y + point->error);
        draw_line(box->out, x, low, x, high, AXIS);
        draw_line(box->out, x - CAP, low, x + CAP, low, AXIS);
        draw_line(box->out, x - CAP, high, x + CAP, high, AXIS);
    }
}

static void draw_points(const frame *box, const plot_line *line, size_t look) {
    fprintf(box->out, "<polyline fill=\"none\" stroke=\"black\" stroke-width=\"1.5\" stroke-dasharray=\"%s\" points=\"",
            LOOKS[look].dashes);
    for (size_t j = 0; j < line->count; j++) {
        fprintf(box->out, "%s%s,%s", j > 0 ? " " : "", number_fixed(place_x(box, line->points[j].x), 2).text,
                number_fixed(place_y(box, line->points[j].y), 2).text);
    }
    fputs("\"/>\n", box->out);
    for (size_t j = 0; j < line->count; j++) {
        const double x = place_x(box, line->points[j].x), y = place_y(box, line->points[j].y);
        fprintf(box->out, "<g transform=\"translate(%s %s)\">%s</g>\n", number_fixed(x, 2).text,
                number_fixed(y, 2).text, LOOKS[look].mark);
        draw_text(box->out, x + 7, y + 15, "class=\"halo\" font-size=\"11\"", line->points[j].label);
    }
}

/* Writes each name to the left of its line's end, on the side that the line does not come from, and
 * away from the names already drawn. */
static void draw_line_names(const frame *box, const plot *self) {
    double taken_x[MOST_LINES], taken_y[MOST_LINES];
    for (size_t i = 0; i < self->line_count && i < MOST_LINES; i++) {
        const plot_line *line = &self->lines[i];
        const plot_point *last = &line->points[line->count - 1], *before = last - (line->count > 1);
        const double side = place_y(box, last->y) > place_y(box, before->y) ? 1.0 : -1.0;
        const double x = place_x(box, last->x) - 9;
        double y = place_y(box, last->y) + (side > 0.0 ? 20 : -9);
        for (size_t j = 0; j < i;) {
            const bool free = fabs(x - taken_x[j]) > NAME_WIDTH || fabs(y - taken_y[j]) >= NAME_GAP;
            y += free ? 0.0 : side * NAME_GAP;
            j = free ? j + 1 : 0; /* moved: compare with all again */
        }
        taken_x[i] = x;
        taken_y[i] = y;
        draw_text(box->out, x, y, "class=\"halo\" text-anchor=\"end\"", line->name);
    }
}

static void draw_mark(const frame *box, const plot *self) {
    const double x = place_x(box, self->mark.x), y = place_y(box, self->mark.y);
    const double text_y = y + 44 < BOTTOM ? y + 40 : y - 28;
    const bool right = x > (LEFT + RIGHT) / 2.0;
    fprintf(box->out, "<circle cx=\"%s\" cy=\"%s\" r=\"9\" fill=\"none\" stroke=\"black\" stroke-width=\"2\"/>\n",
            number_fixed(x, 2).text, number_fixed(y, 2).text);
    draw_text(box->out, right ? x + 9 : x - 9, text_y,
              right ? "class=\"halo\" font-weight=\"bold\" text-anchor=\"end\"" : "class=\"halo\" font-weight=\"bold\"",
              self->mark_name);
}

cnm_status plot_write(const plot *self, const char *path, cnm_error *error) {
    output file;
    TRY(output_open(&file, path, error));
    const frame box = frame_around(self, file.stream);
    fprintf(file.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"13\">\n<style>.halo{paint-order:stroke;stroke:white;stroke-width:3px}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_x_axis(&box);
    draw_y_axis(&box);
    draw_names(self, file.stream);
    for (size_t i = 0; i < self->line_count; i++) {
        draw_errors(&box, &self->lines[i]);
    }
    for (size_t i = 0; i < self->line_count; i++) {
        draw_points(&box, &self->lines[i], i % LOOK_COUNT);
    }
    draw_line_names(&box, self);
    draw_mark(&box, self);
    fputs("</svg>\n", file.stream);
    return output_commit(&file, error);
}
