// SPDX-License-Identifier: Apache-2.0
// messages as text: the forms of ros2cli, and back
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rosidl/yaml/yaml.h"
#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"
#include "tn_msgs/geometry_msgs.h"
#include "tn_msgs/grammar_msgs.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/std_msgs.h"
#include "tn_msgs/std_srvs.h"
#include "unit/rosidl/values.h"

#define ARENA_SIZE  ((size_t)16 << 20)
#define MESSAGE_MAX ((size_t)1 << 18)
#define TEXT_MAX    ((size_t)1 << 21)
#define N_SEEDS     3u
#define NOW_ROS_NS  INT64_C(1700000000123456789)

struct fixture {
    struct tn_arena values_arena;
    struct tn_arena arena;
    void *msg;
    void *out;
    char *text;
    size_t size;
    struct tn_error err;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(tn_arena_create(&f->values_arena, ARENA_SIZE), TN_OK);
    assert_int_equal(tn_arena_create(&f->arena, ARENA_SIZE), TN_OK);
    f->msg = calloc(1, MESSAGE_MAX);
    f->out = calloc(1, MESSAGE_MAX);
    f->text = malloc(TEXT_MAX);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_arena_destroy(&f->values_arena);
    tn_arena_destroy(&f->arena);
    free(f->msg);
    free(f->out);
    free(f->text);
    free(f);
    return 0;
}

static void collect(void *context, const char *text, size_t size)
{
    struct fixture *f = context;
    assert_true(f->size + size < TEXT_MAX);
    memcpy(f->text + f->size, text, size);
    f->size += size;
    f->text[f->size] = '\0';
}

static struct tn_yaml_sink sink_of(struct fixture *f)
{
    f->size = 0;
    f->text[0] = '\0';
    return (struct tn_yaml_sink){collect, f};
}

static void print(struct fixture *f, const struct tn_type *type, const void *msg,
                  struct tn_yaml_style style)
{
    struct tn_yaml_sink sink = sink_of(f);
    assert_int_equal(tn_yaml_print(tn_yaml_view_of(type, msg), &style, &sink), TN_OK);
}

static enum tn_result parse(struct fixture *f, const struct tn_type *type, const char *text)
{
    tn_arena_reset(&f->arena);
    return tn_yaml_parse(type, text, strlen(text), NOW_ROS_NS, &f->arena, f->out, &f->err);
}

static void must_parse(struct fixture *f, const struct tn_type *type, const char *text)
{
    enum tn_result result = parse(f, type, text);
    if (result != TN_OK) {
        fail_msg("%s from \"%s\": %s", type->ros_name, text, f->err.text);
    }
}

// ---- every type there and back ----

// random units hold lone surrogates, which no text can
static bool has_wide(const struct tn_type *type)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        if (field->type == TN_TYPE_WSTRING || (field->nested != NULL && has_wide(field->nested))) {
            return true;
        }
    }
    return false;
}

static void check_round_trip(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    for (int is_flow = 0; is_flow < 2 && !has_wide(type); is_flow++) {
        tn_arena_reset(&f->values_arena);
        struct values values = {
            .state = seed * 7919u + 3, .max_elements = seed * 2, .arena = &f->values_arena};
        values_fill(&values, type, f->msg);
        print(f, type, f->msg, (struct tn_yaml_style){.is_flow = is_flow});
        must_parse(f, type, f->text);
        if (!tn_type_equal(type, f->msg, f->out)) {
            fail_msg("%s, seed %u, reads back otherwise:\n%s", type->ros_name, (unsigned)seed,
                     f->text);
        }
    }
}

static void every_type_reads_back_as_it_was_printed(void **state)
{
    for (uint32_t seed = 0; seed < N_SEEDS; seed++) {
        for (uint32_t i = 0; i < tn_all_msgs_n; i++) {
            check_round_trip(*state, tn_all_msgs[i], seed);
        }
        for (uint32_t i = 0; i < tn_all_grammar_n; i++) {
            check_round_trip(*state, tn_all_grammar[i], seed);
        }
    }
}

static void wide_text_reads_back_too(void **state)
{
    struct fixture *f = *state;
    const uint16_t units[] = {'a', 0xe4, 0x20ac, 0xd83d, 0xde00, 'z'};
    struct grammar_msgs_msg_Wide msg;
    grammar_msgs_msg_Wide_init(&msg);
    msg.text = (struct tn_wstr){units, 6};
    msg.bounded = (struct tn_wstr){units, 3};
    print(f, &grammar_msgs_msg_Wide_type, &msg, (struct tn_yaml_style){0});
    must_parse(f, &grammar_msgs_msg_Wide_type, f->text);
    assert_true(tn_type_equal(&grammar_msgs_msg_Wide_type, &msg, f->out));
    // a lone half becomes a replacement character
    msg.text.size = 4;
    print(f, &grammar_msgs_msg_Wide_type, &msg, (struct tn_yaml_style){0});
    assert_non_null(strstr(f->text, "text: a\xc3\xa4\xe2\x82\xac\xef\xbf\xbd\n"));
    // bounds count units
    assert_int_equal(parse(f, &grammar_msgs_msg_Wide_type, "{bounded: \"\\U0001F600abc\"}"),
                     TN_ERR_RANGE);
    must_parse(f, &grammar_msgs_msg_Wide_type, "{bounded: \"\\U0001F600ab\"}");
}

// ---- printing ----

static void messages_print_as_topic_echo_does(void **state)
{
    struct fixture *f = *state;
    const double positions[] = {0.1, -2, 1e-7, 1e16, 123456789.125};
    const struct tn_str names[] = {{"thumb", 5}, {"", 0}, {"yes", 3}, {"1.5", 3}, {"a: b", 4}};
    struct sensor_msgs_msg_JointState msg;
    sensor_msgs_msg_JointState_init(&msg);
    msg.header.stamp.sec = -1;
    msg.header.stamp.nanosec = 999999999;
    msg.header.frame_id = tn_str_from("world");
    msg.position = (struct tn_seq_f64){positions, 5};
    msg.name = (struct tn_seq_str){names, 5};
    print(f, &sensor_msgs_msg_JointState_type, &msg, (struct tn_yaml_style){0});
    assert_string_equal(f->text, "header:\n"
                                 "  stamp:\n"
                                 "    sec: -1\n"
                                 "    nanosec: 999999999\n"
                                 "  frame_id: world\n"
                                 "name:\n"
                                 "- thumb\n"
                                 "- ''\n"
                                 "- 'yes'\n"
                                 "- '1.5'\n"
                                 "- 'a: b'\n"
                                 "position:\n"
                                 "- 0.1\n"
                                 "- -2.0\n"
                                 "- 1.0e-07\n"
                                 "- 1.0e+16\n"
                                 "- 123456789.125\n"
                                 "velocity: []\n"
                                 "effort: []\n");
    print(f, &sensor_msgs_msg_JointState_type, &msg, (struct tn_yaml_style){.is_flow = true});
    assert_string_equal(f->text, "{header: {stamp: {sec: -1, nanosec: 999999999}, frame_id: world}"
                                 ", name: [thumb, '', 'yes', '1.5', 'a: b'], position: [0.1, -2.0, "
                                 "1.0e-07, 1.0e+16, 123456789.125], velocity: [], effort: []}\n");
}

static void arrays_and_strings_can_be_hidden_or_cut(void **state)
{
    struct fixture *f = *state;
    const double positions[] = {1, 2, 3};
    struct sensor_msgs_msg_JointState msg;
    sensor_msgs_msg_JointState_init(&msg);
    msg.header.frame_id = tn_str_from("a\xc3\xa4long");
    msg.position = (struct tn_seq_f64){positions, 3};
    print(f, &sensor_msgs_msg_JointState_type, &msg,
          (struct tn_yaml_style){.hides_arrays = true, .hides_strings = true});
    assert_non_null(strstr(f->text, "frame_id: '<string length: <6>>'\n"));
    assert_non_null(strstr(f->text, "name: '<sequence type: string, length: 0>'\n"));
    assert_non_null(strstr(f->text, "position: '<sequence type: double, length: 3>'\n"));
    print(f, &sensor_msgs_msg_JointState_type, &msg, (struct tn_yaml_style){.max_length = 2});
    assert_non_null(strstr(f->text, "frame_id: a\xc3\xa4...\n"));
    assert_non_null(strstr(f->text, "position:\n- 1.0\n- 2.0\n- '...'\n"));
}

static void text_of_any_kind_is_quoted_as_pyyaml_does(void **state)
{
    struct fixture *f = *state;
    static const char *const pairs[][2] = {
        {"plain text", "data: plain text\n"},
        {"", "data: ''\n"},
        {"null", "data: 'null'\n"},
        {"~", "data: '~'\n"},
        {"0x1F", "data: '0x1F'\n"},
        {"12:30:45", "data: '12:30:45'\n"},
        {"2026-12-01", "data: '2026-12-01'\n"},
        {"1e5", "data: 1e5\n"},
        {"it's", "data: it's\n"},
        {"'quoted'", "data: '''quoted'''\n"},
        {"- item", "data: '- item'\n"},
        {"# none", "data: '# none'\n"},
        {" led", "data: ' led'\n"},
        {"trailed ", "data: 'trailed '\n"},
        {"two\nlines", "data: 'two\n\n  lines'\n"},
        {"tab\tin", "data: \"tab\\tin\"\n"},
        {"bell\a", "data: \"bell\\a\"\n"},
        {"\xc3\xa4", "data: \xc3\xa4\n"},
        // PyYAML leaves it as it is and reads both
        {"\xf0\x9f\x98\x80", "data: \"\\U0001F600\"\n"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(pairs); i++) {
        struct std_msgs_msg_String msg = {.data = tn_str_from(pairs[i][0])};
        print(f, &std_msgs_msg_String_type, &msg, (struct tn_yaml_style){0});
        assert_string_equal(f->text, pairs[i][1]);
    }
}

static void malformed_text_prints_replacement_characters(void **state)
{
    struct fixture *f = *state;
    struct std_msgs_msg_String msg = {.data = {"a\xff\xc3", 3}};
    print(f, &std_msgs_msg_String_type, &msg, (struct tn_yaml_style){0});
    assert_string_equal(f->text, "data: a\xef\xbf\xbd\xef\xbf\xbd\n");
}

static void floats_print_as_in_python(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0.0"},
        {-0.0, "-0.0"},
        {0.1, "0.1"},
        {100, "100.0"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {1.5e300, "1.5e+300"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {2.0 / 3.0, "0.6666666666666666"},
        {1234567890123456.7, "1234567890123456.8"},
        {(double)0.1f, "0.10000000149011612"},
        {(double)INFINITY, "inf"},
        {-(double)INFINITY, "-inf"},
        {(double)NAN, "nan"},
    };
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char text[32];
        assert_int_equal(tn_yaml_format_f64(cases[i].value, text, sizeof text),
                         strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

static void answers_print_as_service_call_does(void **state)
{
    struct fixture *f = *state;
    struct std_srvs_srv_Trigger_Response msg = {.success = true,
                                                .message = tn_str_from("it's \"x\"\n")};
    struct tn_yaml_sink sink = sink_of(f);
    tn_yaml_print_repr(&std_srvs_srv_Trigger_Response_type, &msg, &sink);
    assert_string_equal(f->text, "std_srvs.srv.Trigger_Response(success=True, "
                                 "message='it\\'s \"x\"\\n')");
    msg.message = tn_str_from("it's");
    sink = sink_of(f);
    tn_yaml_print_repr(&std_srvs_srv_Trigger_Response_type, &msg, &sink);
    assert_string_equal(f->text, "std_srvs.srv.Trigger_Response(success=True, message=\"it's\")");
    struct std_srvs_srv_Trigger_Request none = {0};
    sink = sink_of(f);
    tn_yaml_print_repr(&std_srvs_srv_Trigger_Request_type, &none, &sink);
    assert_string_equal(f->text, "std_srvs.srv.Trigger_Request()");
}

// ---- members by their path ----

static void members_are_found_by_their_path(void **state)
{
    struct fixture *f = *state;
    struct geometry_msgs_msg_Pose poses[2];
    struct geometry_msgs_msg_PoseArray msg;
    struct tn_yaml_view view;
    const struct tn_yaml_style style = {0};
    geometry_msgs_msg_PoseArray_init(&msg);
    geometry_msgs_msg_Pose_init(&poses[0]);
    geometry_msgs_msg_Pose_init(&poses[1]);
    poses[1].position.y = 2.5;
    msg.poses = (struct geometry_msgs_msg_Pose_seq){poses, 2};
    const struct tn_type *type = &geometry_msgs_msg_PoseArray_type;

    assert_int_equal(tn_yaml_find(type, &msg, "poses[1].position.y", &view, &f->err), TN_OK);
    struct tn_yaml_sink sink = sink_of(f);
    assert_int_equal(tn_yaml_print(view, &style, &sink), TN_OK);
    assert_string_equal(f->text, "2.5\n");
    assert_int_equal(tn_yaml_find(type, &msg, "poses[1].position", &view, &f->err), TN_OK);
    sink = sink_of(f);
    assert_int_equal(tn_yaml_print(view, &style, &sink), TN_OK);
    assert_string_equal(f->text, "x: 0.0\ny: 2.5\nz: 0.0\n");

    static const struct {
        const char *path;
        enum tn_result result;
    } bad[] = {
        {"poses[2]", TN_ERR_RANGE},
        {"poses[-1]", TN_ERR_SYNTAX},
        {"poses[]", TN_ERR_SYNTAX},
        {"poses[0", TN_ERR_SYNTAX},
        {"poses[0][0]", TN_ERR_SYNTAX},
        {"poses.position", TN_ERR_NOT_FOUND},
        {"header.stamp.", TN_ERR_SYNTAX},
        {"header..stamp", TN_ERR_NOT_FOUND},
        {"nothing", TN_ERR_NOT_FOUND},
        {"header[0]", TN_ERR_SYNTAX},
        {"header.frame_id.x", TN_ERR_NOT_FOUND},
        {"poses[99999999999]", TN_ERR_SYNTAX},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        if (tn_yaml_find(type, &msg, bad[i].path, &view, &f->err) != bad[i].result) {
            fail_msg("%s", bad[i].path);
        }
    }
    assert_int_equal(tn_yaml_find(type, &msg, "nothing", &view, &f->err), TN_ERR_NOT_FOUND);
    assert_string_equal(
        f->err.text, "geometry_msgs/msg/PoseArray has no member \"nothing\"; it has header, poses");
}

// ---- reading ----

static void what_is_not_named_keeps_its_default(void **state)
{
    struct fixture *f = *state;
    must_parse(f, &geometry_msgs_msg_Pose_type, "{position: {x: 1}}");
    const struct geometry_msgs_msg_Pose *pose = f->out;
    assert_true(pose->position.x > 0.99 && pose->position.x < 1.01);
    assert_true(pose->orientation.w > 0.99);
    static const char *const empty[] = {"", "{}", "~", "null", "---\n", "# nothing\n"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(empty); i++) {
        must_parse(f, &grammar_msgs_msg_Defaults_type, empty[i]);
        const struct grammar_msgs_msg_Defaults *msg = f->out;
        assert_int_equal(msg->i16, -16);
        assert_true(tn_str_is(msg->bare, "John Doe"));
    }
}

static void stamps_may_be_now_and_headers_auto(void **state)
{
    struct fixture *f = *state;
    must_parse(f, &std_msgs_msg_Header_type, "auto");
    const struct std_msgs_msg_Header *header = f->out;
    assert_int_equal(header->stamp.sec, 1700000000);
    assert_int_equal(header->stamp.nanosec, 123456789);
    must_parse(f, &sensor_msgs_msg_JointState_type, "{header: {stamp: now, frame_id: a}}");
    const struct sensor_msgs_msg_JointState *joints = f->out;
    assert_int_equal(joints->header.stamp.sec, 1700000000);
    assert_true(tn_str_is(joints->header.frame_id, "a"));
    must_parse(f, &sensor_msgs_msg_JointState_type, "header: auto");
    assert_int_equal(joints->header.stamp.nanosec, 123456789);
    assert_int_equal(parse(f, &std_msgs_msg_Header_type, "now"), TN_ERR_INVALID_ARGUMENT);
}

// the codes, and that the message leads to the place
static void errors_name_member_line_and_column(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const struct tn_type *type;
        const char *text;
        enum tn_result result;
        const char *part;
    } cases[] = {
        {&geometry_msgs_msg_Pose_type, "{position: {x: high}}", TN_ERR_INVALID_ARGUMENT,
         "line 1, column 16: position.x: \"high\""},
        {&geometry_msgs_msg_Pose_type, "position:\n  q: 1\n", TN_ERR_NOT_FOUND,
         "line 2, column 3: position: geometry_msgs/msg/Point has no member \"q\""},
        {&geometry_msgs_msg_PoseArray_type, "{poses: [{}, {position: [1]}]}",
         TN_ERR_INVALID_ARGUMENT, "poses[1].position: expected {member: value"},
        {&geometry_msgs_msg_PoseArray_type, "{poses: 3}", TN_ERR_INVALID_ARGUMENT,
         "poses: expected a list"},
        {&grammar_msgs_msg_Bounds_type, "{text: sixsix}", TN_ERR_RANGE, "text: the text has 6"},
        {&grammar_msgs_msg_Bounds_type, "{numbers: [1, 2, 3, 4]}", TN_ERR_RANGE,
         "numbers: more than 3 elements"},
        {&grammar_msgs_msg_Bounds_type, "{text_pair: [a]}", TN_ERR_RANGE, "exactly 2"},
        {&grammar_msgs_msg_Bounds_type, "{numbers: [65536]}", TN_ERR_RANGE, "0 to 65535"},
        {&grammar_msgs_msg_Bounds_type, "{numbers: [-1]}", TN_ERR_RANGE, "numbers[0]"},
        {&grammar_msgs_msg_Bounds_type, "{flags: [2]}", TN_ERR_INVALID_ARGUMENT, "no bool"},
        {&std_msgs_msg_Float32_type, "{data: 1e39}", TN_ERR_RANGE, "float32"},
        {&std_msgs_msg_Int8_type, "{data: 128}", TN_ERR_RANGE, "-128 to 127"},
        {&std_msgs_msg_String_type, "{data: [a]}", TN_ERR_INVALID_ARGUMENT, "single value"},
        {&std_msgs_msg_String_type, "{data: {a: b}}", TN_ERR_INVALID_ARGUMENT, "single value"},
        {&std_msgs_msg_String_type, "{data: a", TN_ERR_SYNTAX, "did not find expected"},
        {&std_msgs_msg_String_type, "{data: &x a}\n---\n{data: b}", TN_ERR_SYNTAX, "document"},
        {&std_msgs_msg_String_type, "{data: *x}", TN_ERR_SYNTAX, "aliases"},
        {&std_msgs_msg_String_type, "data", TN_ERR_INVALID_ARGUMENT, "expected {member: value"},
        {&std_msgs_msg_String_type, "{[a]: b}", TN_ERR_NOT_FOUND, "no member"},
        {&std_msgs_msg_String_type, "{data: \xff}", TN_ERR_SYNTAX, ""},
        {&std_msgs_msg_Empty_type, "{structure_needs_at_least_one_member: 1}", TN_ERR_NOT_FOUND,
         "no member"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        enum tn_result result = parse(f, cases[i].type, cases[i].text);
        if (result != cases[i].result || strstr(f->err.text, cases[i].part) == NULL) {
            fail_msg("%s: %s, \"%s\"", cases[i].text, tn_result_name(result), f->err.text);
        }
    }
}

static void numbers_have_the_forms_of_yaml(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        int32_t value;
    } whole[] = {{"{data: 7}", 7},
                 {"{data: -7}", -7},
                 {"{data: +7}", 7},
                 {"{data: 0x1f}", 31},
                 {"{data: '5'}", 5},
                 // YAML 1.1, as PyYAML has it
                 {"{data: 010}", 8},
                 {"{data: -017}", -15},
                 {"{data: 0}", 0},
                 {"{data: -0}", 0},
                 {"{data: 00}", 0},
                 {"{data: 0_}", 0},
                 {"{data: 0_17_}", 15},
                 {"{data: 1_000_000}", 1000000},
                 {"{data: 0x_1F}", 31},
                 {"{data: 0b1_01}", 5}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(whole); i++) {
        must_parse(f, &std_msgs_msg_Int32_type, whole[i].text);
        assert_int_equal(((const struct std_msgs_msg_Int32 *)f->out)->data, whole[i].value);
    }
    static const char *const none[] = {"08", "0o17", "_1", "0X1f", "0_8", "-", "_", "0x", "0b2"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(none); i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "{data: %s}", none[i]);
        f->err = (struct tn_error){0};
        if (tn_yaml_parse(&std_msgs_msg_Int32_type, text, strlen(text), 0, &f->arena, f->out,
                          &f->err) == TN_OK) {
            fail_msg("%s was read as %d", none[i],
                     ((const struct std_msgs_msg_Int32 *)f->out)->data);
        }
    }
    static const char *const infinite[] = {"{data: .inf}", "{data: inf}", "{data: +.inf}"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(infinite); i++) {
        must_parse(f, &std_msgs_msg_Float64_type, infinite[i]);
        assert_true(isinf(((const struct std_msgs_msg_Float64 *)f->out)->data));
    }
    must_parse(f, &std_msgs_msg_Float64_type, "{data: 1}");
    must_parse(f, &std_msgs_msg_Float64_type, "{data: 1.5e3}");
    assert_true(((const struct std_msgs_msg_Float64 *)f->out)->data > 1499);
}

static void every_small_arena_is_an_error(void **state)
{
    struct fixture *f = *state;
    const char *text =
        "{name: [a, b, c, d, e, f, g, h, i, j], position: [1, 2], header: {frame_id: w}}";
    must_parse(f, &sensor_msgs_msg_JointState_type, text);
    size_t need = f->arena.peak;
    for (size_t size = 0; size < need; size += 8) {
        struct tn_arena small;
        tn_arena_init(&small, f->arena.data, size);
        assert_int_equal(tn_yaml_parse(&sensor_msgs_msg_JointState_type, text, strlen(text), 0,
                                       &small, f->out, &f->err),
                         TN_ERR_NO_MEMORY);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_type_reads_back_as_it_was_printed),
        TEST(wide_text_reads_back_too),
        TEST(messages_print_as_topic_echo_does),
        TEST(arrays_and_strings_can_be_hidden_or_cut),
        TEST(text_of_any_kind_is_quoted_as_pyyaml_does),
        TEST(malformed_text_prints_replacement_characters),
        TEST(floats_print_as_in_python),
        TEST(answers_print_as_service_call_does),
        TEST(members_are_found_by_their_path),
        TEST(what_is_not_named_keeps_its_default),
        TEST(stamps_may_be_now_and_headers_auto),
        TEST(errors_name_member_line_and_column),
        TEST(numbers_have_the_forms_of_yaml),
        TEST(every_small_arena_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
