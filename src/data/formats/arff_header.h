/* The header of ARFF and KEEL files: names and types of the columns. Only the files of this module
 * use it. */
#ifndef CNM_DATA_FORMATS_ARFF_HEADER_H
#define CNM_DATA_FORMATS_ARFF_HEADER_H

#include "data/formats/arff_nominal.h"
#include "data/read/column_plan.h"
#include "data/read/lines.h"
#include "data/read/text_cells.h"

typedef struct arff_attribute {
    bool refused;        /* relational: never a feature */
    arff_nominal values; /* nominal: the declared values; otherwise none */
    size_t line;
} arff_attribute;

typedef struct arff_header {
    size_t count;
    char **names;               /* (count) */
    column_type *types;         /* (count), without words */
    arff_attribute *attributes; /* (count) */
    size_t names_capacity, attributes_capacity, types_capacity;
    char *output; /* KEEL: the label's name, or NULL */
} arff_header;

/* Reads up to and with the @data line. On failure out is empty. */
cnm_status arff_header_read(arff_header *out, line_reader *lines, cnm_error *err);
void arff_header_free(arff_header *self);

/* Returns the label: KEEL's output, else a column with a label's name, else the last; *reason says
 * which. */
size_t arff_header_label(const arff_header *self, const char **reason);

#endif
