/* Views of rows, and messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/error.h"
#include "base/core/rows_view.h"

static void dense_and_sparse_rows_slice_and_gather_alike(void **state) {
    (void)state;
    /* stride 5 */
    static const float DENSE[4 * 5] = {1, 0, 2, 9, 9, 0, 0, 0, 9, 9, 0, 3, 0, 9, 9, 4, 5, 6, 9, 9};
    static const float VALUES[] = {1, 2, 3, 4, 5, 6};
    static const size_t STARTS[] = {0, 2, 2, 3, 6};
    static const uint32_t INDEX[] = {0, 2, 1, 0, 1, 2};
    const rows_view dense = {.rows = 4, .columns = 3, .values = DENSE, .stride = 5};
    const rows_view sparse = {.rows = 4, .columns = 3, .values = VALUES, .starts = STARTS, .index = INDEX};
    static const size_t ORDER[] = {1, 0};
    for (size_t first = 0; first <= 5; first++) {
        const rows_view a = rows_slice(dense, first, 2);
        const rows_view b = rows_slice(sparse, first, 2);
        const size_t expected = first > 4 ? 0 : (4 - first < 2 ? 4 - first : 2);
        float from_dense[6] = {0}, from_sparse[6] = {0};
        assert_int_equal(a.rows, expected);
        assert_int_equal(b.rows, expected);
        rows_gather(a, expected == 2 ? ORDER : NULL, expected, from_dense);
        rows_gather(b, expected == 2 ? ORDER : NULL, expected, from_sparse);
        assert_memory_equal(from_dense, from_sparse, sizeof from_dense);
        for (size_t i = 0; i < expected; i++) {
            const size_t row = first + (expected == 2 ? ORDER[i] : i);
            assert_memory_equal(from_dense + 3 * i, DENSE + 5 * row, 3 * sizeof(float));
        }
    }
}

static void messages_are_cut_and_prefixed(void **state) {
    (void)state;
    cnm_error err;
    char longer[2 * CNM_MESSAGE_SIZE];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(error_set(NULL, CNM_BAD_DATA, "ignored"), CNM_BAD_DATA);
    assert_int_equal(error_set(&err, CNM_BAD_DATA, "line %d", 3), CNM_BAD_DATA);
    assert_int_equal(error_prefix(&err, CNM_BAD_FORMAT, "FILE"), CNM_BAD_FORMAT);
    assert_string_equal(err.message, "FILE: line 3");
    assert_int_equal(err.status, CNM_BAD_FORMAT);
    (void)error_set(&err, CNM_BAD_DATA, "%s", longer);
    assert_int_equal(strlen(err.message), CNM_MESSAGE_SIZE - 1);
    (void)error_prefix(&err, CNM_BAD_DATA, "%s", longer);
    assert_int_equal(strlen(err.message), CNM_MESSAGE_SIZE - 1);
}

static void keep_sentence(const char *sentence, void *user) { (void)strcpy(user, sentence); }

static void notices_reach_the_callback(void **state) {
    (void)state;
    char sentence[CNM_MESSAGE_SIZE] = "";
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .notice = keep_sentence, .user = sentence};
    const cnm_callbacks none = CNM_CALLBACKS_INIT;
    notice_send(NULL, "nowhere");
    notice_send(&none, "nowhere");
    notice_send(&callbacks, "%d values dropped", 7);
    assert_string_equal(sentence, "7 values dropped");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_and_sparse_rows_slice_and_gather_alike),
        cmocka_unit_test(messages_are_cut_and_prefixed),
        cmocka_unit_test(notices_reach_the_callback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
