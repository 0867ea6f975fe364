// SPDX-License-Identifier: Apache-2.0
/// Who says what: names, silence, groups, and publishers that mean harm.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/diagnostics_view.h"

#define S   TN_NS_PER_S
#define MAX 16u

static struct tn_diag_view *view;
static const struct tn_diag_view_item *const *items;
static uint32_t n;
static struct tn_gid writers[100];

static int open_view(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TN_ARRAY_SIZE(writers); i++)
        memset(&writers[i], (int)i + 1, sizeof writers[i]);
    return tn_diag_view_create(&(struct tn_diag_view_options){.max_items = MAX}, &view, NULL);
}

static int close_view(void **state)
{
    (void)state;
    tn_diag_view_destroy(&view);
    tn_diag_view_destroy(&view);
    return 0;
}

static void say_bytes(uint32_t writer, struct tn_str name, uint8_t level, struct tn_str message,
                      const struct diagnostic_msgs_msg_KeyValue *values, uint32_t n_values,
                      int64_t now)
{
    struct diagnostic_msgs_msg_DiagnosticStatus status;
    struct diagnostic_msgs_msg_DiagnosticArray array;
    diagnostic_msgs_msg_DiagnosticStatus_init(&status);
    diagnostic_msgs_msg_DiagnosticArray_init(&array);
    status.name = name;
    status.message = message;
    status.level = level;
    status.values.data = values;
    status.values.size = n_values;
    array.status.data = &status;
    array.status.size = 1;
    tn_diag_view_take(view, &array, &writers[writer], now);
}

static void say(uint32_t writer, const char *name, uint8_t level, int64_t now)
{
    say_bytes(writer, tn_str_from(name), level, tn_str_from("m"), NULL, 0, now);
}

static void list(int64_t now)
{
    n = tn_diag_view_list(view, now, &items);
}

static void the_newest_status_of_a_name_counts(void **state)
{
    (void)state;
    list(0);
    assert_int_equal(n, 0);
    say(0, "a: one", 0, S);
    say(0, "a: one", 2, 2 * S);
    list(2 * S);
    assert_int_equal(n, 1);
    assert_int_equal(items[0]->level, 2);
    assert_int_equal(items[0]->n_updates, 2);
    assert_int_equal(items[0]->group_size, 1);
}

static void groups_and_names_are_in_order(void **state)
{
    (void)state;
    static const char *const said[] = {"z", "b: two", "a: b: c", "ab: one", "b: one", "a: one", ""};
    static const char *const sorted[] = {"a: b: c", "a: one", "ab: one", "b: one",
                                         "b: two",  "",       "z"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(said); i++)
        say(0, said[i], 0, S);
    list(S);
    assert_int_equal(n, TN_ARRAY_SIZE(sorted));
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(items[i]->name, sorted[i]);
}

static void silence_is_stale_and_strange_levels_are_errors(void **state)
{
    (void)state;
    for (unsigned level = 0; level < 256; level++) {
        say(0, "a: one", (uint8_t)level, 10 * S);
        list(10 * S);
        assert_int_equal(tn_diag_view_level(view, items[0], 10 * S), level <= 3 ? level : 2);
        assert_int_equal(tn_diag_view_level(view, items[0], 15 * S), level <= 3 ? level : 2);
        assert_int_equal(tn_diag_view_level(view, items[0], 15 * S + 1), TN_DIAG_STALE);
        assert_int_equal(items[0]->level, level);
    }
}

static void every_mix_of_levels_rolls_up_as_upstream_does(void **state)
{
    (void)state;
    // all sets of levels, as bits
    for (unsigned set = 0; set < 16; set++) {
        struct tn_diag_rollup rollup = {0};
        for (unsigned level = 0; level <= 3; level++)
            if ((set >> level & 1u) != 0)
                tn_diag_rollup_add(&rollup, (enum tn_diag_level)level);
        enum tn_diag_level expected = set == 0 || set == 8 ? TN_DIAG_STALE
                                      : (set & 8u) != 0    ? TN_DIAG_ERROR
                                      : (set & 4u) != 0    ? TN_DIAG_ERROR
                                      : (set & 2u) != 0    ? TN_DIAG_WARN
                                                           : TN_DIAG_OK;
        assert_int_equal(tn_diag_rollup_level(&rollup), expected);
    }
}

static void a_restarted_publisher_takes_its_items_over(void **state)
{
    (void)state;
    say(0, "a: one", 2, S);
    // while both speak, both are shown
    say(1, "a: one", 0, 2 * S);
    list(2 * S);
    assert_int_equal(n, 2);
    assert_int_equal(items[0]->level, 0);
    // the first one is gone
    say(1, "a: one", 0, 6 * S + 1);
    list(6 * S + 1);
    assert_int_equal(n, 1);
    // silent for a while, then another one under its name: the same item
    say(2, "a: one", 1, 10 * S);
    list(10 * S);
    assert_int_equal(n, 1);
    assert_int_equal(items[0]->level, 1);
    assert_int_equal(items[0]->n_updates, 1);
    // all silent: nothing is dropped
    say(3, "a: one", 1, 11 * S);
    list(60 * S);
    assert_int_equal(n, 2);
}

static void a_flood_of_names_drives_nobody_out(void **state)
{
    (void)state;
    char name[32];
    say(0, "good: one", 0, S);
    say(0, "good: two", 0, S);
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(name, sizeof name, "bad: %d", i);
        say(1, name, 0, 2 * S);
    }
    list(2 * S);
    assert_int_equal(n, MAX);
    assert_string_equal(items[n - 1]->name, "good: two");
    assert_string_equal(items[n - 2]->name, "good: one");
    assert_int_equal(tn_diag_view_left_out(view), 1000 - (MAX - 2));
    // one that comes late finds room
    say(2, "late: one", 0, 2 * S);
    list(2 * S);
    assert_string_equal(items[n - 1]->name, "late: one");
    assert_string_equal(items[n - 2]->name, "good: two");
    // what was known already is still taken in
    say(0, "good: one", 2, 3 * S);
    list(3 * S);
    assert_int_equal(items[n - 3]->level, 2);
    // and when the flood is over, its rows give way
    for (int i = 0; i < 8; i++) {
        (void)snprintf(name, sizeof name, "good: %d", i);
        say(0, name, 0, 60 * S);
    }
    list(60 * S);
    uint32_t n_good = 0;
    for (uint32_t i = 0; i < n; i++)
        n_good += strncmp(items[i]->name, "good: ", 6) == 0;
    assert_true(n_good >= 8);
}

static void more_publishers_than_places_are_left_out(void **state)
{
    (void)state;
    char name[32];
    tn_diag_view_destroy(&view);
    const struct tn_diag_view_options options = {.max_items = 200};
    assert_int_equal(tn_diag_view_create(&options, &view, NULL), TN_OK);
    for (uint32_t i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof name, "n%u: x", i);
        say(i, name, 0, S);
    }
    list(S);
    assert_int_equal(n, TN_DIAG_VIEW_WRITERS_MAX);
    assert_int_equal(tn_diag_view_left_out(view), 100 - TN_DIAG_VIEW_WRITERS_MAX);
    say(99, "n99: x", 0, 60 * S);
    list(60 * S);
    assert_int_equal(n, TN_DIAG_VIEW_WRITERS_MAX);
    assert_int_equal(tn_diag_view_level(view, items[n - 1], 60 * S), TN_DIAG_OK);
}

static void texts_of_any_size_and_content_fit(void **state)
{
    (void)state;
    enum { BIG = 100000 };
    static struct diagnostic_msgs_msg_KeyValue values[1000];
    char *bytes = malloc(BIG);
    assert_non_null(bytes);
    for (int fill = 0; fill < 256; fill += 5) {
        memset(bytes, fill, BIG);
        struct tn_str big = {.data = bytes, .size = BIG}, none = {0};
        for (uint32_t i = 0; i < 1000; i++)
            values[i] = (struct diagnostic_msgs_msg_KeyValue){
                i % 7 == 0 ? none : (struct tn_str){bytes, i % 50}, i % 3 == 0 ? big : none};
        say_bytes(0, big, 0, big, values, 1000, S);
        say_bytes(0, none, 0, none, values, 3, S);
    }
    list(S);
    assert_true(n >= 2);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(strlen(items[i]->name) < TN_DIAG_VIEW_NAME_MAX);
        assert_true(strlen(items[i]->message) < TN_DIAG_MESSAGE_MAX);
        for (uint32_t v = 0; v < items[i]->n_values; v++) {
            assert_true(items[i]->values[v].value > items[i]->values[v].key);
            assert_true(items[i]->values[v].value +
                            strlen(items[i]->text + items[i]->values[v].value) <
                        TN_DIAG_VIEW_TEXT_MAX);
        }
    }
    free(bytes);
    // bytes that are no text
    say_bytes(1, tn_str_from("ok: \xff"), 0, tn_str_from("\xed\xa0\x80"), NULL, 0, S);
    list(S);
    bool has_it = false;
    for (uint32_t i = 0; i < n; i++)
        has_it |= strcmp(items[i]->name, "ok: ?") == 0 && strcmp(items[i]->message, "???") == 0;
    assert_true(has_it);
}

static void a_message_without_end_is_looked_at_in_part(void **state)
{
    (void)state;
    static struct diagnostic_msgs_msg_DiagnosticStatus statuses[3 * TN_DIAG_VIEW_STATUSES_MAX];
    struct diagnostic_msgs_msg_DiagnosticArray array;
    diagnostic_msgs_msg_DiagnosticArray_init(&array);
    for (size_t i = 0; i < TN_ARRAY_SIZE(statuses); i++)
        statuses[i].name = tn_str_from("x: y");
    array.status.data = statuses;
    array.status.size = TN_ARRAY_SIZE(statuses);
    tn_diag_view_take(view, &array, &writers[0], S);
    list(S);
    assert_int_equal(n, 1);
    assert_int_equal(items[0]->n_updates, TN_DIAG_VIEW_STATUSES_MAX);
    assert_int_equal(tn_diag_view_left_out(view), 2 * TN_DIAG_VIEW_STATUSES_MAX);
}

static void what_is_not_looked_for_takes_no_place(void **state)
{
    char name[32];
    (void)state;
    tn_diag_view_destroy(&view);
    const struct tn_diag_view_options options = {.max_items = 2, .contains = "b: t"};
    assert_int_equal(tn_diag_view_create(&options, &view, NULL), TN_OK);
    for (int i = 0; i < 10; i++) {
        (void)snprintf(name, sizeof name, "a: %d", i);
        say(0, name, 0, S);
    }
    say(0, "b: two", 0, S);
    say(0, "ab: ten", 0, S);
    list(S);
    assert_int_equal(n, 2);
    assert_int_equal(tn_diag_view_left_out(view), 0);
}

static void paths_of_an_aggregator_are_groups(void **state)
{
    (void)state;
    tn_diag_view_destroy(&view);
    const struct tn_diag_view_options options = {.max_items = MAX, .is_tree = true};
    assert_int_equal(tn_diag_view_create(&options, &view, NULL), TN_OK);
    say(0, "/Robot/Power/fan: speed", 0, S);
    say(0, "/Robot", 0, S);
    say(0, "/Robot/Power", 0, S);
    list(S);
    assert_int_equal(items[0]->group_size, strlen("/Robot"));
    assert_int_equal(items[1]->group_size, strlen("/Robot/Power"));
    assert_string_equal(items[2]->name, "/Robot");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_view, close_view)
    const struct CMUnitTest tests[] = {
        TEST(the_newest_status_of_a_name_counts),
        TEST(groups_and_names_are_in_order),
        TEST(silence_is_stale_and_strange_levels_are_errors),
        TEST(every_mix_of_levels_rolls_up_as_upstream_does),
        TEST(a_restarted_publisher_takes_its_items_over),
        TEST(a_flood_of_names_drives_nobody_out),
        TEST(more_publishers_than_places_are_left_out),
        TEST(texts_of_any_size_and_content_fit),
        TEST(a_message_without_end_is_looked_at_in_part),
        TEST(what_is_not_looked_for_takes_no_place),
        TEST(paths_of_an_aggregator_are_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
