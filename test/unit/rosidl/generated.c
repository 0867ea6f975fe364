// SPDX-License-Identifier: Apache-2.0
// constants, defaults and tables that the generator writes
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/grammar_msgs.h"
#include "tn_msgs/rcl_interfaces.h"
#include "tn_msgs/tendon_msgs.h"
#include "tn_msgs/type_description_interfaces.h"

#define C(name) grammar_msgs_msg_Constants_##name

static void constants_have_their_values(void **state)
{
    (void)state;
    assert_true(C(YES));
    assert_false(C(NO));
    assert_int_equal(C(BYTE_MAX), 255);
    assert_int_equal(C(CHAR_MAX), 255);
    assert_int_equal(C(INT8_MIN), INT8_MIN);
    assert_int_equal(C(INT8_MAX), INT8_MAX);
    assert_int_equal(C(UINT8_MAX), UINT8_MAX);
    assert_int_equal(C(INT16_MIN), INT16_MIN);
    assert_int_equal(C(INT16_MAX), INT16_MAX);
    assert_int_equal(C(UINT16_MAX), UINT16_MAX);
    assert_true(C(INT32_MIN) == INT32_MIN);
    assert_true(C(INT32_MAX) == INT32_MAX);
    assert_true(C(UINT32_MAX) == UINT32_MAX);
    assert_int_equal(C(UINT32_SMALL), 15);
    assert_true(C(INT64_MIN) == INT64_MIN);
    assert_true(C(INT64_MAX) == INT64_MAX);
    assert_int_equal(C(INT64_SMALL), -5);
    assert_true(C(UINT64_MAX) == UINT64_MAX);
    assert_int_equal(C(UINT64_SMALL), 5);
}

static void float_constants_keep_every_bit(void **state)
{
    (void)state;
    const float small = C(FLOAT32);
    const float large = C(FLOAT32_MAX);
    const float whole = C(FLOAT32_WHOLE);
    const double big = C(FLOAT64);
    const double tenth = C(FLOAT64_TENTH);
    const float expected_small = -1.5e-3f;
    const float expected_large = 3.40282347e+38f;
    const float expected_whole = 2.0f;
    const double expected_big = 1.7976931348623157e308;
    const double expected_tenth = 0.1;
    assert_memory_equal(&small, &expected_small, sizeof small);
    assert_memory_equal(&large, &expected_large, sizeof large);
    assert_memory_equal(&whole, &expected_whole, sizeof whole);
    assert_memory_equal(&big, &expected_big, sizeof big);
    assert_memory_equal(&tenth, &expected_tenth, sizeof tenth);
    assert_int_equal(sizeof(C(FLOAT32)), sizeof(float));
}

static void string_constants_are_unquoted_and_unescaped(void **state)
{
    (void)state;
    assert_string_equal(C(EMPTY), "");
    assert_string_equal(C(BARE), "two words and a \"quote\"");
    assert_string_equal(C(DOUBLE), "a # is no comment, \"this\" is one word, 'that' too");
    assert_string_equal(C(SINGLE), "it's \"here\"");
    assert_string_equal(C(ESCAPES),
                        "tab\t newline\n bell\a nul-free A\xc3\xa4\xf0\x9f\x98\x80 \\\\");
    assert_string_equal(C(BOUNDED), "four");
    assert_string_equal(C(TRIGRAPH), "?\?=");
}

static void single_defaults_are_set(void **state)
{
    (void)state;
    static struct grammar_msgs_msg_Defaults m;
    memset(&m, 0x5a, sizeof m);
    grammar_msgs_msg_Defaults_init(&m);
    const float f32 = 1.25f;
    const double f64 = -0.1;
    assert_true(m.flag);
    assert_int_equal(m.octet, 200);
    assert_int_equal(m.letter, 65);
    assert_int_equal(m.i8, -8);
    assert_int_equal(m.u8, 8);
    assert_int_equal(m.i16, -16);
    assert_int_equal(m.u16, 16);
    assert_true(m.i32 == INT32_MIN);
    assert_true(m.u32 == UINT32_MAX);
    assert_true(m.i64 == INT64_MIN);
    assert_true(m.u64 == UINT64_MAX);
    assert_memory_equal(&m.f32, &f32, sizeof f32);
    assert_memory_equal(&m.f64, &f64, sizeof f64);
    assert_true(tn_str_is(m.bare, "John Doe"));
    assert_true(tn_str_is(m.quoted, "a # \"b\""));
    assert_true(tn_str_is(m.bounded, "five!"));
    assert_int_equal(m.default_, 7);
    assert_true(m.while_);
    assert_int_equal(m.nothing.structure_needs_at_least_one_member, 0);
}

static void array_defaults_are_set(void **state)
{
    (void)state;
    static struct grammar_msgs_msg_Defaults m;
    memset(&m, 0x5a, sizeof m);
    grammar_msgs_msg_Defaults_init(&m);
    const int32_t list[] = {1, -2, 3};
    const uint8_t fixed[] = {1, 2, 3};
    const double limited[] = {0.5, 1000.0};
    assert_int_equal(m.list.size, 3);
    assert_memory_equal(m.list.data, list, sizeof list);
    assert_int_equal(m.list_empty.size, 0);
    assert_memory_equal(m.fixed, fixed, sizeof fixed);
    assert_int_equal(m.limited.size, 2);
    assert_memory_equal(m.limited.data, limited, sizeof limited);
    assert_true(m.flags[0]);
    assert_false(m.flags[1]);
    assert_int_equal(m.names.size, 3);
    assert_true(tn_str_is(m.names.data[0], "a, ]"));
    assert_true(tn_str_is(m.names.data[1], "b"));
    assert_true(tn_str_is(m.names.data[2], "c d"));
    assert_int_equal(m.short_names.size, 2);
    assert_true(tn_str_is(m.short_names.data[0], "abc"));
    assert_int_equal(m.short_names.data[1].size, 0);
}

static void wide_defaults_are_utf16(void **state)
{
    (void)state;
    static struct grammar_msgs_msg_Defaults m;
    grammar_msgs_msg_Defaults_init(&m);
    const uint16_t wide[] = {'a', 0xe4, 0xd83d, 0xde00};
    assert_int_equal(m.wide.size, 4);
    assert_memory_equal(m.wide.data, wide, sizeof wide);
    assert_int_equal(m.wide_names[1].size, 2);
    assert_int_equal(m.wide_names[1].data[1], 'z');
}

static void nested_types_bring_their_defaults(void **state)
{
    (void)state;
    static struct grammar_msgs_msg_Defaults m;
    memset(&m, 0x5a, sizeof m);
    grammar_msgs_msg_Defaults_init(&m);
    const double one = 1.0;
    const double zero = 0.0;
    assert_memory_equal(&m.turn.w, &one, sizeof one);
    assert_memory_equal(&m.turns[1].w, &one, sizeof one);
    assert_memory_equal(&m.turns[1].x, &zero, sizeof zero);
    struct tendon_msgs_msg_HandFrame frame;
    tendon_msgs_msg_HandFrame_init(&frame);
    assert_memory_equal(&frame.nodes[25].orientation.w, &one, sizeof one);
}

static void init_of_all_others_is_zero(void **state)
{
    (void)state;
    struct rcl_interfaces_msg_ParameterValue value;
    struct rcl_interfaces_msg_ParameterValue zero;
    memset(&value, 0x5a, sizeof value);
    memset(&zero, 0, sizeof zero);
    rcl_interfaces_msg_ParameterValue_init(&value);
    assert_memory_equal(&value, &zero, sizeof zero);
}

static void field_tables_say_what_the_file_says(void **state)
{
    (void)state;
    const struct tn_field *f = grammar_msgs_msg_Bounds_type.fields;
    assert_int_equal(grammar_msgs_msg_Bounds_type.n_fields, 7);
    assert_string_equal(f[2].name, "texts");
    assert_int_equal(f[2].type, TN_TYPE_STRING);
    assert_int_equal(f[2].array, TN_ARRAY_BOUNDED);
    assert_int_equal(f[2].capacity, 2);
    assert_int_equal(f[2].string_capacity, 3);
    assert_int_equal(f[2].offset, offsetof(struct grammar_msgs_msg_Bounds, texts));
    assert_ptr_equal(f[5].nested, &grammar_msgs_msg_Aligned_type);
    assert_string_equal(grammar_msgs_msg_Defaults_type.fields[0].default_text, "true");
    assert_string_equal(grammar_msgs_msg_Defaults_type.fields[26].name, "while");
    assert_int_equal(grammar_msgs_msg_Empty_type.n_fields, 0);
    assert_string_equal(grammar_msgs_msg_Empty_type.text, "");
    assert_string_equal(grammar_msgs_msg_OnlyConstants_type.text, "uint8 ONE=1\n");
}

static void constants_of_the_contract_have_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(tendon_msgs_msg_HandFrame_NODE_PALM, 25);
    assert_int_equal(tendon_msgs_msg_HandFrame_NODE_LITTLE_TIP, 24);
    assert_int_equal(tendon_msgs_msg_HandFrame_ANGLE_LITTLE_DIP, 20);
    assert_int_equal(
        type_description_interfaces_msg_FieldType_FIELD_TYPE_BOUNDED_WSTRING_UNBOUNDED_SEQUENCE,
        166);
    const float unknown = tendon_msgs_msg_HandFrame_CONFIDENCE_UNKNOWN;
    const float expected = -1.0f;
    assert_memory_equal(&unknown, &expected, sizeof unknown);
}

static void services_keep_constants_and_defaults_of_both_parts(void **state)
{
    (void)state;
    struct grammar_msgs_srv_Ask_Request request;
    struct grammar_msgs_srv_Ask_Response response;
    grammar_msgs_srv_Ask_Request_init(&request);
    grammar_msgs_srv_Ask_Response_init(&response);
    assert_int_equal(request.level, grammar_msgs_srv_Ask_Request_LOW);
    assert_true(tn_str_is(response.reason, grammar_msgs_srv_Ask_Response_NONE));
    assert_ptr_equal(grammar_msgs_srv_Ask_type.request, &grammar_msgs_srv_Ask_Request_type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_have_their_values),
        cmocka_unit_test(float_constants_keep_every_bit),
        cmocka_unit_test(string_constants_are_unquoted_and_unescaped),
        cmocka_unit_test(single_defaults_are_set),
        cmocka_unit_test(array_defaults_are_set),
        cmocka_unit_test(wide_defaults_are_utf16),
        cmocka_unit_test(nested_types_bring_their_defaults),
        cmocka_unit_test(init_of_all_others_is_zero),
        cmocka_unit_test(field_tables_say_what_the_file_says),
        cmocka_unit_test(constants_of_the_contract_have_their_numbers),
        cmocka_unit_test(services_keep_constants_and_defaults_of_both_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
