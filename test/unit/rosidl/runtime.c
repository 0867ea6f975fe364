// SPDX-License-Identifier: Apache-2.0
// types made at run time are those of the generated code, and hostile files make none
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "rosidl/compiler/runtime.h"
#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"
#include "unit/rosidl/values.h"

#define ARENA_SIZE  ((size_t)4 << 20)
#define MESSAGE_MAX ((size_t)1 << 18)
#define SCHEMA_MAX  ((size_t)1 << 16)
#define N_SEEDS     3u

struct fixture {
    struct tn_idl_types *types; // knows the interfaces of the tree
    struct tn_arena values_arena, arena;
    struct values values;
    uint8_t *bytes, *others;
    void *msg, *out;
    struct tn_error err;
};

static int set_up(void **state)
{
    static const char *const roots[] = {"interfaces/own", "interfaces/standard",
                                        "test/unit/rosidl/interfaces"};
    const char *source = getenv("TN_SOURCE_DIR");
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_non_null(source);
    assert_int_equal(tn_idl_types_create(&f->types, &f->err), TN_OK);
    for (size_t i = 0; i < TN_ARRAY_SIZE(roots); i++) {
        char root[1024];
        snprintf(root, sizeof root, "%s/%s", source, roots[i]);
        assert_int_equal(tn_idl_types_add_root(f->types, root, &f->err), TN_OK);
    }
    assert_int_equal(tn_arena_create(&f->values_arena, ARENA_SIZE), TN_OK);
    assert_int_equal(tn_arena_create(&f->arena, ARENA_SIZE), TN_OK);
    f->bytes = malloc(MESSAGE_MAX);
    f->others = malloc(MESSAGE_MAX);
    f->msg = calloc(1, MESSAGE_MAX);
    f->out = calloc(1, MESSAGE_MAX);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_idl_types_destroy(&f->types);
    assert_null(f->types);
    tn_arena_destroy(&f->values_arena);
    tn_arena_destroy(&f->arena);
    free(f->bytes);
    free(f->others);
    free(f->msg);
    free(f->out);
    free(f);
    return 0;
}

static const struct tn_type *load(struct fixture *f, const char *name)
{
    const struct tn_type *type = NULL;
    if (tn_idl_types_message(f->types, name, &type, &f->err) != TN_OK) {
        fail_msg("%s: %s", name, f->err.text);
    }
    return type;
}

// ---- the same as generated ----

static void expect_same_tables(const struct tn_type *a, const struct tn_type *b)
{
    assert_string_equal(a->ros_name, b->ros_name);
    assert_string_equal(a->dds_name, b->dds_name);
    assert_string_equal(a->hash, b->hash);
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->align, b->align);
    assert_int_equal(a->min_cdr_size, b->min_cdr_size);
    assert_int_equal(a->is_flat, b->is_flat);
    assert_int_equal(a->n_fields, b->n_fields);
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const struct tn_field *x = &a->fields[i], *y = &b->fields[i];
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->default_text, y->default_text);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->array, y->array);
        assert_int_equal(x->capacity, y->capacity);
        assert_int_equal(x->string_capacity, y->string_capacity);
        assert_int_equal(x->offset, y->offset);
        assert_int_equal(x->nested != NULL, y->nested != NULL);
        assert_true(x->nested == NULL || strcmp(x->nested->ros_name, y->nested->ros_name) == 0);
    }
}

static enum tn_result decode(struct fixture *f, const struct tn_type *type, size_t size)
{
    struct tn_cdr_reader reader;
    tn_arena_reset(&f->arena);
    memset(f->out, 0, type->size);
    (void)tn_cdr_reader_begin(&reader, f->others, size);
    return tn_type_decode(type, f->out, &reader, &f->arena);
}

// same bytes; same verdict on damaged ones
static void expect_same_codec(struct fixture *f, const struct tn_type *made,
                              const struct tn_type *generated, uint32_t seed)
{
    tn_arena_reset(&f->values_arena);
    f->values = (struct values){
        .state = seed * 7919u + 11, .max_elements = seed * 3, .arena = &f->values_arena};
    values_fill(&f->values, generated, f->msg);
    struct tn_cdr_writer writer;
    size_t size = values_encode(generated, f->msg, false, f->bytes, MESSAGE_MAX);
    tn_cdr_writer_begin(&writer, f->others, MESSAGE_MAX);
    assert_int_equal(tn_type_encode(made, f->msg, &writer), TN_OK);
    assert_int_equal(writer.size, size);
    assert_memory_equal(f->others, f->bytes, size);
    assert_int_equal(decode(f, made, size), TN_OK);
    assert_true(tn_type_equal(generated, f->msg, f->out));
    for (int i = 0; i < 16; i++) {
        memcpy(f->others, f->bytes, size);
        size_t at = TN_CDR_HEADER_SIZE + values_random(&f->values) % (size - TN_CDR_HEADER_SIZE);
        f->others[at] = (uint8_t)values_random(&f->values);
        size_t cut = size - values_random(&f->values) % 3;
        enum tn_result expected = decode(f, generated, cut);
        assert_int_equal(decode(f, made, cut), expected);
    }
}

static void check_type(struct fixture *f, const struct tn_type *generated)
{
    const struct tn_type *made = load(f, generated->ros_name);
    expect_same_tables(made, generated);
    memset(f->msg, 0x5a, generated->size);
    memset(f->out, 0xa5, generated->size);
    tn_type_init(made, f->msg);
    tn_type_init(generated, f->out);
    assert_true(tn_type_equal(generated, f->msg, f->out));
    for (uint32_t seed = 0; seed < N_SEEDS; seed++) {
        expect_same_codec(f, made, generated, seed);
    }
}

static void every_type_is_as_the_generated_one(void **state)
{
    for (uint32_t i = 0; i < tn_all_msgs_n; i++) {
        check_type(*state, tn_all_msgs[i]);
    }
    for (uint32_t i = 0; i < tn_all_grammar_n; i++) {
        check_type(*state, tn_all_grammar[i]);
    }
}

static void expect_same_service(const struct tn_service_type *a, const struct tn_service_type *b)
{
    assert_string_equal(a->ros_name, b->ros_name);
    assert_string_equal(a->hash, b->hash);
    expect_same_tables(a->request, b->request);
    expect_same_tables(a->response, b->response);
    expect_same_tables(a->event, b->event);
}

static void services_and_actions_are_too(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < tn_registry_msgs.n_services; i++) {
        const struct tn_service_type *made = NULL, *generated = tn_registry_msgs.services[i];
        assert_int_equal(tn_idl_types_service(f->types, generated->ros_name, &made, &f->err),
                         TN_OK);
        expect_same_service(made, generated);
    }
    assert_true(tn_registry_msgs.n_actions > 0);
    for (uint32_t i = 0; i < tn_registry_msgs.n_actions; i++) {
        const struct tn_action_type *made = NULL, *generated = tn_registry_msgs.actions[i];
        assert_int_equal(tn_idl_types_action(f->types, generated->ros_name, &made, &f->err), TN_OK);
        assert_string_equal(made->hash, generated->hash);
        expect_same_tables(made->goal, generated->goal);
        expect_same_tables(made->result, generated->result);
        expect_same_tables(made->feedback, generated->feedback);
        expect_same_tables(made->feedback_message, generated->feedback_message);
        expect_same_service(made->send_goal, generated->send_goal);
        expect_same_service(made->get_result, generated->get_result);
    }
}

static void a_type_is_made_from_the_schema_alone(void **state)
{
    struct fixture *f = *state;
    struct tn_idl_types *types = NULL;
    const struct tn_type *type = NULL;
    char *schema = malloc(SCHEMA_MAX);
    const struct tn_type *generated =
        tn_registry_message(&tn_registry_msgs, "visualization_msgs/msg/MarkerArray");
    assert_non_null(schema);
    size_t size = tn_type_schema(generated, schema, SCHEMA_MAX);
    assert_in_range(size, 1, SCHEMA_MAX - 1);
    assert_int_equal(tn_idl_types_create(&types, &f->err), TN_OK);
    assert_int_equal(tn_idl_types_parse(types, generated->ros_name, schema, size, &type, &f->err),
                     TN_OK);
    expect_same_tables(type, generated);
    expect_same_codec(f, type, generated, 2);
    tn_idl_types_destroy(&types);
    free(schema);
}

static void asking_again_gives_the_same_type(void **state)
{
    struct fixture *f = *state;
    const struct tn_type *first = load(f, "sensor_msgs/msg/JointState");
    (void)load(f, "tf2_msgs/msg/TFMessage");
    assert_ptr_equal(load(f, "sensor_msgs/msg/JointState"), first);
    assert_string_equal(first->fields[0].nested->ros_name, "std_msgs/msg/Header");
    assert_ptr_equal(load(f, "std_msgs/msg/Header"), first->fields[0].nested);
}

// ---- what is refused ----

static void names_that_are_none_open_no_file(void **state)
{
    struct fixture *f = *state;
    const struct tn_type *type = NULL;
    static const char *const names[] = {
        "",
        "std_msgs",
        "std_msgs/String",
        "std_msgs/msg/",
        "std_msgs/msg/string",
        "std_msgs/msg/../msg/String",
        "../std_msgs/msg/String",
        "/std_msgs/msg/String",
        "std_msgs/msg/String/x",
        "std_msgs/msg/String_Request",
        "std_srvs/srv/Trigger_../x",
        "std_srvs/srv/_Request",
        "std_msgs/idl/String",
        "Std_msgs/msg/String",
        "std_msgs/msg/Str\xc3\xa4ng",
        "a/msg/"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAA",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        enum tn_result result = tn_idl_types_message(f->types, names[i], &type, &f->err);
        if (result != TN_ERR_INVALID_ARGUMENT) {
            fail_msg("\"%s\": %s", names[i], tn_result_name(result));
        }
    }
    assert_null(type);
}

static void kinds_are_not_mixed_up(void **state)
{
    struct fixture *f = *state;
    const struct tn_type *type = NULL;
    const struct tn_service_type *service = NULL;
    const struct tn_action_type *action = NULL;
    assert_int_equal(tn_idl_types_message(f->types, "std_srvs/srv/Trigger", &type, &f->err),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_idl_types_message(f->types, "std_srvs/srv/Trigger_Answer", &type, &f->err),
                     TN_ERR_NOT_FOUND);
    assert_int_equal(
        tn_idl_types_service(f->types, "std_srvs/srv/Trigger_Request", &service, &f->err),
        TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_idl_types_action(f->types, "std_srvs/srv/Trigger", &action, &f->err),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_idl_types_service(f->types, "std_srvs/srv/Nothing", &service, &f->err),
                     TN_ERR_NOT_FOUND);
}

static enum tn_result parse(struct fixture *f, const char *name, const char *text)
{
    const struct tn_type *type = NULL;
    return tn_idl_types_parse(f->types, name, text, strlen(text), &type, &f->err);
}

// each failure leaves the set as it was: the same name is free, and other types still load
static void failures_leave_no_trace(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        enum tn_result result;
    } bad[] = {
        {"int32 a b c d", TN_ERR_SYNTAX},
        {"int32 fine\nint8 high 300", TN_ERR_RANGE},
        {"nowhere_msgs/Thing thing", TN_ERR_NOT_FOUND},
        {"std_msgs/Header header\nnowhere_msgs/Thing thing", TN_ERR_NOT_FOUND},
        {"Self again", TN_ERR_MALFORMED},
        {"float64[131073] many", TN_ERR_LIMIT},
        {"float64[2147483647] many", TN_ERR_LIMIT},
        {"geometry_msgs/PoseWithCovariance[2147483647] many", TN_ERR_LIMIT},
    };
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
            enum tn_result result = parse(f, "x_msgs/msg/Self", bad[i].text);
            if (result != bad[i].result) {
                fail_msg("%s: %s, \"%s\"", bad[i].text, tn_result_name(result), f->err.text);
            }
        }
        (void)load(f, round == 0 ? "geometry_msgs/msg/Pose" : "sensor_msgs/msg/Imu");
    }
    assert_int_equal(parse(f, "x_msgs/msg/Self", "int32 a"), TN_OK);
    assert_int_equal(parse(f, "x_msgs/msg/Self", "int32 a"), TN_ERR_EXISTS);
    assert_string_equal(load(f, "x_msgs/msg/Self")->text, "int32 a\n");
}

// arrays of arrays of arrays: sizes beyond what a size_t holds
static void sizes_do_not_wrap(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {
        "uint8[2147483647] a", "B[2147483647] b\n", "C[2147483647] c\n",
        "D[2147483647] d\n",   "E[2147483647] e\n",
    };
    char schema[2048];
    int n = snprintf(schema, sizeof schema, "%s", texts[4]);
    for (int i = 3; i >= 0; i--) {
        n += snprintf(
            schema + n, sizeof schema - (size_t)n, "\n%.80s\nMSG: x_msgs/%c\n%s",
            "================================================================================",
            'B' + i, texts[i]);
    }
    assert_int_equal(parse(f, "x_msgs/msg/F", schema), TN_ERR_LIMIT);
}

static void nesting_is_bounded(void **state)
{
    struct fixture *f = *state;
    char name[64], text[64];
    assert_int_equal(parse(f, "x_msgs/msg/N0", "uint8 a"), TN_OK);
    for (unsigned i = 1; i < TN_IDL_TYPES_MAX_DEPTH; i++) {
        snprintf(name, sizeof name, "x_msgs/msg/N%u", i);
        snprintf(text, sizeof text, "N%u inner", i - 1);
        assert_int_equal(parse(f, name, text), TN_OK);
    }
    snprintf(text, sizeof text, "N%u inner", TN_IDL_TYPES_MAX_DEPTH - 1);
    assert_int_equal(parse(f, "x_msgs/msg/TooDeep", text), TN_ERR_LIMIT);
}

static void memory_is_bounded_and_given_back(void **state)
{
    struct fixture *f = *state;
    char name[64];
    enum tn_result result = TN_OK;
    unsigned n = 0;
    for (; n < 100 && result == TN_OK; n++) {
        snprintf(name, sizeof name, "x_msgs/msg/M%u", n);
        result = parse(f, name, "uint8[1000000] many");
    }
    assert_int_equal(result, TN_ERR_NO_MEMORY);
    assert_in_range(n, 10, 20);
    (void)load(f, "std_msgs/msg/String");
    assert_int_equal(parse(f, name, "uint8 one"), TN_OK);
}

// ---- where files are found ----

static void write_file(const char *directory, const char *name, const char *text)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void make_directory(char *path, size_t capacity, const char *parent, const char *name)
{
    snprintf(path, capacity, "%s/%s", parent, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void types_are_found_as_ament_lays_them_out(void **state)
{
    struct fixture *f = *state;
    struct tn_idl_types *types = NULL;
    const struct tn_type *type = NULL;
    char top[] = "/tmp/tendon-test-XXXXXX";
    char share[256], package[300], msg[400], path[1024];
    assert_non_null(mkdtemp(top));
    make_directory(share, sizeof share, top, "share");
    make_directory(package, sizeof package, share, "foreign_msgs");
    make_directory(msg, sizeof msg, package, "msg");
    write_file(msg, "Thing.msg", "# a comment\nPart[] parts\nstring name \"x\"\n");
    write_file(msg, "Part.msg", "float32 value 1.5 # with a default\n");

    assert_int_equal(tn_idl_types_create(&types, &f->err), TN_OK);
    assert_int_equal(tn_idl_types_add_ament_path(types, NULL, &f->err), TN_OK);
    assert_int_equal(tn_idl_types_add_ament_path(types, "", &f->err), TN_OK);
    snprintf(path, sizeof path, "/nowhere::%s:", top);
    assert_int_equal(tn_idl_types_add_ament_path(types, path, &f->err), TN_OK);
    assert_int_equal(tn_idl_types_message(types, "foreign_msgs/msg/Thing", &type, &f->err), TN_OK);
    assert_string_equal(type->text, "foreign_msgs/Part[] parts\nstring name \"x\"\n");
    tn_type_init(type, f->msg);
    struct tn_str text;
    memcpy(&text, (const char *)f->msg + type->fields[1].offset, sizeof text);
    assert_true(tn_str_is(text, "x"));
    assert_int_equal(tn_idl_types_message(types, "foreign_msgs/msg/Other", &type, &f->err),
                     TN_ERR_NOT_FOUND);

    // what no root has comes from the program itself, when it may
    write_file(msg, "Headed.msg", "std_msgs/Header header\n");
    assert_int_equal(tn_idl_types_message(types, "foreign_msgs/msg/Headed", &type, &f->err),
                     TN_ERR_NOT_FOUND);
    tn_idl_types_know(types, &tn_registry_msgs);
    assert_int_equal(tn_idl_types_message(types, "foreign_msgs/msg/Headed", &type, &f->err), TN_OK);
    expect_same_tables(type->fields[0].nested,
                       tn_registry_message(&tn_registry_msgs, "std_msgs/msg/Header"));
    assert_int_equal(tn_idl_types_message(types, "std_msgs/msg/Nothing", &type, &f->err),
                     TN_ERR_NOT_FOUND);
    snprintf(path, sizeof path, "%s/Headed.msg", msg);
    assert_int_equal(unlink(path), 0);
    tn_idl_types_destroy(&types);
    tn_idl_types_destroy(&types);

    snprintf(path, sizeof path, "%s/Thing.msg", msg);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/Part.msg", msg);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(msg) | rmdir(package) | rmdir(share) | rmdir(top), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_type_is_as_the_generated_one),
        TEST(services_and_actions_are_too),
        TEST(a_type_is_made_from_the_schema_alone),
        TEST(asking_again_gives_the_same_type),
        TEST(names_that_are_none_open_no_file),
        TEST(kinds_are_not_mixed_up),
        TEST(failures_leave_no_trace),
        TEST(sizes_do_not_wrap),
        TEST(nesting_is_bounded),
        TEST(memory_is_bounded_and_given_back),
        TEST(types_are_found_as_ament_lays_them_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
