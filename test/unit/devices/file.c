// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/file/file.h"

#define LARGE 200001

static void assert_reads(size_t size, size_t max_size, enum tn_result expected)
{
    char path[] = "/tmp/tendon_file_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        assert_int_not_equal(fputc((int)(i % 251), file), EOF);
    assert_int_equal(fclose(file), 0);
    char *text = NULL;
    size_t found = 77;
    struct tn_error err = {0};
    assert_int_equal(tn_file_read(path, max_size, &text, &found, &err), expected);
    (void)unlink(path);
    if (expected != TN_OK) {
        assert_null(text);
        assert_int_equal(found, 77);
        assert_string_equal(err.file, path);
        return;
    }
    assert_int_equal(found, size);
    assert_int_equal(text[size], '\0');
    for (size_t i = 0; i < size; i++)
        assert_int_equal((unsigned char)text[i], i % 251);
    free(text);
}

static void sizes_around_the_limits(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 65537, 131072, LARGE};
    for (unsigned i = 0; i < TN_ARRAY_SIZE(sizes); i++) {
        assert_reads(sizes[i], LARGE, TN_OK);
        assert_reads(sizes[i], sizes[i], TN_OK);
        if (sizes[i] > 0)
            assert_reads(sizes[i], sizes[i] - 1, TN_ERR_LIMIT);
    }
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    struct tn_error err = {0};
    assert_int_equal(tn_file_read("/nonexistent/x", 10, &text, &size, &err), TN_ERR_NOT_FOUND);
    assert_string_equal(err.file, "/nonexistent/x");
    assert_int_equal(tn_file_read("/tmp", 10, &text, &size, &err), TN_ERR_IO);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_around_the_limits),
        cmocka_unit_test(what_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
