/* Model files with sound checksums and wrong insides: the first byte selects a good model, the
 * others change it. */
#include "fuzz/fuzz_changes.h"
#include "fuzz/fuzz_models.h"
#include "fuzz/target.h"
#include "model/file/model_file.h"
#include "support/made_models.h"

/* Returns one good file for each kind of model, made when first asked for. */
static const unsigned char *good_file(size_t kind, size_t *size) {
    static unsigned char *files[COUNT_OF(MODEL_KINDS)];
    static size_t sizes[COUNT_OF(MODEL_KINDS)];
    if (files[kind] == NULL) {
        cnm_model *model = make_model(&MODEL_KINDS[kind]);
        REQUIRE(model_to_bytes(model, &files[kind], &sizes[kind], NULL) == CNM_OK);
        model_destroy(model);
    }
    *size = sizes[kind];
    return files[kind];
}

void fuzz_fields(const unsigned char *bytes, size_t size) {
    size_t good_size, changed_size;
    unsigned char *changed;
    const unsigned char *good = good_file(size == 0 ? 0 : bytes[0] % COUNT_OF(MODEL_KINDS), &good_size);
    const size_t used = size == 0 ? 0 : 1;
    if (archive_change(good, good_size, FILE_CHECKSUM, bytes + used, size - used, &changed, &changed_size) == CNM_OK) {
        try_model(changed, changed_size);
        memory_free(changed);
    }
}
