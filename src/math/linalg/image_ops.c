/* Works line by line: the two cells at the ends of a line, and those between. */
#include "math/linalg/image_ops.h"

void image_add_translation(size_t width, size_t height, float across, float down, const float *x, float *out) {
    for (size_t i = 0; i < height; i++) {
        const float *line = x + i * width, *above = i > 0 ? line - width : line,
                    *below = i + 1 < height ? line + width : line;
        float *to = out + i * width;
        to[0] += across * (line[1] - line[0]) + down * (below[0] - above[0]);
        for (size_t j = 1; j + 1 < width; j++) {
            to[j] += across * (line[j + 1] - line[j - 1]) + down * (below[j] - above[j]);
        }
        to[width - 1] += across * (line[width - 1] - line[width - 2]) + down * (below[width - 1] - above[width - 1]);
    }
}

void image_mirror(size_t width, size_t height, float *x) {
    for (size_t i = 0; i < height; i++) {
        float *line = x + i * width;
        for (size_t j = 0; j < width / 2; j++) {
            const float left = line[j];
            line[j] = line[width - 1 - j];
            line[width - 1 - j] = left;
        }
    }
}
