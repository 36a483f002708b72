/* The entry point of libFuzzer: FUZZ_TARGET is the target that this program is built for. */
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FUZZ_TARGET(bytes, size);
    return 0;
}
