/* Writes a canvas as PNG, with a palette and uncompressed (stored) blocks, or as SVG, with one
 * rectangle for each run of equal dots. */
#include "demo/demo_image.h"

#include <string.h>

#include "output_file.h"
#include "report_error.h"

static void write_svg(FILE *out, const canvas *picture) {
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %zu %zu\" shape-rendering=\"crispEdges\">\n",
            picture->width, picture->height);
    for (size_t y = 0; y < picture->height; y++) {
        const unsigned char *dots = picture->dots + y * picture->width;
        for (size_t x = 0, end; x < picture->width; x = end) {
            const unsigned char *colour = CANVAS_COLOURS[dots[x]];
            for (end = x + 1; end < picture->width && dots[end] == dots[x];) {
                end++;
            }
            if (dots[x] != DOT_BLANK) {
                fprintf(out, "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"1\" fill=\"#%02x%02x%02x\"/>\n", x, y,
                        end - x, colour[0], colour[1], colour[2]);
            }
        }
    }
    fputs("</svg>\n", out);
}

/* ---- PNG: chunks of length, name, bytes and CRC ---- */

typedef struct png {
    FILE *out;
    uint32_t crc;
} png;

/* Writes bytes and adds them to the chunk's CRC-32 (polynomial 0xedb88320), a bit at a time:
 * pictures are small. */
static void png_bytes(png *self, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        self->crc ^= ((const unsigned char *)bytes)[i];
        for (int bit = 0; bit < 8; bit++) {
            self->crc = (self->crc >> 1) ^ (0xedb88320u & (0u - (self->crc & 1u)));
        }
    }
    (void)fwrite(bytes, 1, size, self->out);
}

static void png_number(png *self, uint32_t value) {
    const unsigned char bytes[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                                    (unsigned char)(value >> 8), (unsigned char)value};
    png_bytes(self, bytes, 4);
}

static void png_begin(png *self, const char *name, size_t size) {
    png_number(self, (uint32_t)size);
    self->crc = 0xffffffffu;
    png_bytes(self, name, 4);
}

static void png_end(png *self) { png_number(self, ~self->crc); }

/* Writes one stored deflate block a line: 5 bytes of frame, the filter byte 0, the dots; then the
 * Adler-32 checksum of the contents. */
static void png_lines(png *self, const canvas *picture) {
    static const unsigned char ZLIB[2] = {0x78, 0x01}, NO_FILTER = 0;
    const size_t length = picture->width + 1;
    uint32_t a = 1, b = 0;
    png_begin(self, "IDAT", 2 + picture->height * (5 + length) + 4);
    png_bytes(self, ZLIB, 2);
    for (size_t y = 0; y < picture->height; y++) {
        const unsigned char *dots = picture->dots + y * picture->width;
        const unsigned char frame[5] = {y + 1 == picture->height, (unsigned char)(length & 255),
                                        (unsigned char)(length >> 8), (unsigned char)(~length & 255),
                                        (unsigned char)((~length >> 8) & 255)};
        png_bytes(self, frame, 5);
        png_bytes(self, &NO_FILTER, 1);
        png_bytes(self, dots, picture->width);
        b = (b + a) % 65521; /* the filter byte adds 0 to a */
        for (size_t x = 0; x < picture->width; x++) {
            a = (a + dots[x]) % 65521;
            b = (b + a) % 65521;
        }
    }
    png_number(self, b << 16 | a);
    png_end(self);
}

static void write_png(FILE *out, const canvas *picture) {
    static const unsigned char FORMAT[5] = {8, 3, 0, 0, 0}; /* 8 bits, palette, deflate, plain filter, not interlaced */
    png self = {.out = out};
    (void)fwrite("\x89PNG\r\n\x1a\n", 1, 8, out);
    png_begin(&self, "IHDR", 13);
    png_number(&self, (uint32_t)picture->width);
    png_number(&self, (uint32_t)picture->height);
    png_bytes(&self, FORMAT, 5);
    png_end(&self);
    png_begin(&self, "PLTE", sizeof CANVAS_COLOURS);
    png_bytes(&self, CANVAS_COLOURS, sizeof CANVAS_COLOURS);
    png_end(&self);
    png_lines(&self, picture);
    png_begin(&self, "IEND", 0);
    png_end(&self);
}

static const struct {
    const char *ending;
    void (*write)(FILE *out, const canvas *picture);
} FORMATS[] = {{".png", write_png}, {".svg", write_svg}};

/* Returns the index of the format, or the number of formats where none fits. */
static size_t find_format(const char *path) {
    const char *ending = strrchr(path, '.');
    size_t i = 0;
    while (i < sizeof FORMATS / sizeof FORMATS[0] && (ending == NULL || strcmp(FORMATS[i].ending, ending) != 0)) {
        i++;
    }
    return i;
}

bool picture_has_format(const char *path) { return find_format(path) < sizeof FORMATS / sizeof FORMATS[0]; }

cnm_status picture_write(const canvas *picture, const char *path, cnm_error *error) {
    output file;
    TRY(output_open(&file, path, error));
    FORMATS[find_format(path)].write(file.stream, picture);
    return output_commit(&file, error);
}
