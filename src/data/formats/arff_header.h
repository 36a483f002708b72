/* The header of ARFF and KEEL files: names and types of the columns. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_ARFF_HEADER_H
#define CNM_DATA_FORMATS_ARFF_HEADER_H

#include "data/formats/arff_nominal.h"
#include "data/read/text_cells.h"
#include "data/read/column_plan.h"
#include "data/read/lines.h"

typedef struct arff_attribute {
    char *type;         /* why it cannot be a feature ("a string", "nominal words"); NULL when it can */
    arff_values values; /* nominal: those that are declared; none otherwise */
    size_t line;
} arff_attribute;

typedef struct arff_header {
    size_t count;
    char **names;               /* (count) */
    arff_attribute *attributes; /* (count) */
    size_t names_capacity, attributes_capacity;
    char *output; /* KEEL: the label's name, or NULL */
} arff_header;

/* Quotes ' and " with backslashes, cells between commas. */
extern const cell_style ARFF_STYLE;

/* Reads up to and with the @data line. On failure out is empty. */
cnm_status arff_header_read(arff_header *out, line_reader *lines, cnm_error *err);
void arff_header_free(arff_header *self);

/* The label: KEEL's output, else a column named like one, else the last. */
size_t arff_header_label(const arff_header *self);

#endif
