// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/writer_pin.h"

#define MS INT64_C(1000000)

static const uint8_t first[TN_WRITER_ID_SIZE] = {1, 16, 1};
static const uint8_t second[TN_WRITER_ID_SIZE] = {1, 16, 2};

static bool accepts(struct tn_writer_pin *pin, const uint8_t *id, int64_t now, int64_t silence)
{
    return tn_writer_pin_judge(pin, id, now, silence) != TN_WRITER_FOREIGN;
}

static void the_first_owns_until_it_is_silent(void **state)
{
    (void)state;
    struct tn_writer_pin pin = {0};
    for (int64_t now = 0; now < 2000 * MS; now += 8 * MS) {
        assert_true(accepts(&pin, first, now, 200 * MS));
        assert_false(accepts(&pin, second, now + MS, 200 * MS));
    }
    assert_int_equal(pin.refused, 250);
}

static void silence_is_longer_than_its_limit(void **state)
{
    (void)state;
    struct tn_writer_pin pin = {0};
    assert_true(accepts(&pin, first, 0, 200 * MS));
    assert_false(accepts(&pin, second, 200 * MS, 200 * MS));
    assert_true(accepts(&pin, second, 200 * MS + 1, 200 * MS));
    assert_false(accepts(&pin, first, 201 * MS, 200 * MS));
}

static void a_refused_writer_does_not_wear_the_owner_down(void **state)
{
    (void)state;
    struct tn_writer_pin pin = {0};
    assert_true(accepts(&pin, first, 0, 200 * MS));
    for (int i = 0; i < 100; i++) {
        assert_false(accepts(&pin, second, 100 * MS, 200 * MS));
    }
    assert_true(accepts(&pin, first, 200 * MS, 200 * MS));
}

static void a_new_owner_is_told(void **state)
{
    (void)state;
    struct tn_writer_pin pin = {0};
    assert_int_equal(tn_writer_pin_judge(&pin, first, 0, 200 * MS), TN_WRITER_NEW_OWNER);
    assert_int_equal(tn_writer_pin_judge(&pin, first, 900 * MS, 200 * MS), TN_WRITER_OWNER);
    assert_int_equal(tn_writer_pin_judge(&pin, second, 901 * MS, 200 * MS), TN_WRITER_FOREIGN);
    assert_int_equal(tn_writer_pin_judge(&pin, second, 1200 * MS, 200 * MS), TN_WRITER_NEW_OWNER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_owns_until_it_is_silent),
        cmocka_unit_test(silence_is_longer_than_its_limit),
        cmocka_unit_test(a_new_owner_is_told),
        cmocka_unit_test(a_refused_writer_does_not_wear_the_owner_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
