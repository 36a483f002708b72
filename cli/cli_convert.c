/* cnm convert: reads rows in one format and writes them in another. */
#include <string.h>

#include "arguments.h"
#include "cli_progress.h"
#include "output_file.h"
#include "report_error.h"

static int run(const arguments *line) {
    const char *path = arguments_own(line, "output"), *format = arguments_own(line, "to");
    const char *labels = arguments_own(line, "labels-out");
    cnm_error error = {CNM_OK, ""};
    if (path == NULL) {
        return usage_error(line->command, "-o FILE is needed (- is standard output)");
    }
    if (format == NULL && strcmp(path, "-") == 0) {
        return usage_error(line->command, "-o - has no ending that names a format: add --to libsvm|csv|npy");
    }
    if (output_check(path, &error) != CNM_OK || (labels != NULL && output_check(labels, &error) != CNM_OK)) {
        return report_error(line->command, &error);
    }
    progress bar;
    progress_begin(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    cnm_data *data = NULL;
    cnm_status status;
    TRY_DONE(cnm_data_load(&data, line->operands[0], line->options, NULL, &callbacks, &error));
    TRY_DONE(cnm_data_save(data, path, format, labels, &error));
done:
    progress_end(&bar);
    cnm_data_destroy(data);
    return status == CNM_OK ? STATUS_OK : report_error(line->command, &error);
}

static const own_option OPTIONS[] = {
    {"output", 'o', "FILE", "the file to write; - is standard output", NULL},
    {"to", 0, "libsvm|csv|npy", "its format; without it, that of the name's ending", NULL},
    {"labels-out", 0, "FILE.npy", "npy: where the labels go", NULL},
    {"quiet", 'q', NULL, "no progress and no notes", NULL},
};

const command COMMAND_CONVERT = {
    .name = "convert",
    .usage = "[options] DATA -o FILE",
    .summary = "write rows as LIBSVM text, CSV or NPY",
    .guide = "  cnm convert digits.csv -o digits.libsvm\n"
             "  cnm convert digits.libsvm.gz -o x.npy --labels-out y.npy\n"
             "  cnm convert --shuffle 1 --rows 1:1000 big.csv -o sample.csv\n",
    .purpose = CNM_FOR_DATA,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 1,
    .run = run,
};
