// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_gloves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "glove/contact/contact_haptics.h"

#define LEFT  0
#define RIGHT 1

static struct tn_contact_gloves gloves;
static struct tn_contact_devices list;

static void add(const char *id, bool left, bool right)
{
    struct tn_contact_device *device = &list.devices[list.n++];
    *device = (struct tn_contact_device){.left = {left, 50, 1.0f}, .right = {right, 60, 2.0f}};
    (void)snprintf(device->id, sizeof device->id, "%s", id);
    (void)snprintf(device->name, sizeof device->name, "name of %s", id);
}

static int setup(void **state)
{
    (void)state;
    tn_contact_gloves_init(&gloves, tn_contact_dialect_v1(), 16);
    memset(&list, 0, sizeof list);
    return 0;
}

static void one_glove_per_hand(void **state)
{
    (void)state;
    add("A", true, true);
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    assert_int_equal(gloves.n[LEFT], 1);
    assert_int_equal(gloves.n[RIGHT], 1);
    assert_string_equal(gloves.gloves[LEFT][0].id, "A_left");
    assert_string_equal(gloves.gloves[RIGHT][0].id, "A_right");
    assert_int_equal(gloves.gloves[LEFT][0].battery, 50);
    assert_int_equal(gloves.gloves[RIGHT][0].battery, 60);
    // the same list again is no update
    assert_false(tn_contact_gloves_update(&gloves, &list, 2));
}

static void a_hand_never_seen_is_not_announced(void **state)
{
    (void)state;
    add("A", false, true);
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    assert_int_equal(gloves.n[LEFT], 0);
    list.devices[0].left.is_connected = true;
    assert_true(tn_contact_gloves_update(&gloves, &list, 2));
    assert_int_equal(gloves.n[LEFT], 1);
    // known from then on, also when switched off
    list.devices[0].left.is_connected = false;
    assert_true(tn_contact_gloves_update(&gloves, &list, 3));
    assert_int_equal(gloves.n[LEFT], 1);
    assert_false(gloves.gloves[LEFT][0].is_connected);
}

static void missing_in_the_list_is_disconnected(void **state)
{
    (void)state;
    add("A", true, true);
    add("B", true, true);
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    list.n = 1;
    assert_true(tn_contact_gloves_update(&gloves, &list, 2));
    assert_true(gloves.gloves[LEFT][0].is_connected);
    assert_false(gloves.gloves[LEFT][1].is_connected);
    list.n = 0;
    assert_true(tn_contact_gloves_update(&gloves, &list, 3));
    assert_false(gloves.gloves[RIGHT][0].is_connected);
    assert_int_equal(gloves.n[RIGHT], 2);
}

static void battery_numbers(void **state)
{
    (void)state;
    static const int32_t reported[] = {0, 100, 101, 255, -1, -2147483647};
    static const int32_t expected[] = {0, 100, -1, -1, -1, -1};
    add("A", true, false);
    for (size_t i = 0; i < 6; i++) {
        list.devices[0].left.battery = reported[i];
        (void)tn_contact_gloves_update(&gloves, &list, 1);
        assert_int_equal(gloves.gloves[LEFT][0].battery, expected[i]);
    }
}

static void each_field_is_an_update(void **state)
{
    (void)state;
    add("A", true, false);
    struct tn_contact_device *device = &list.devices[0];
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    device->color = 3;
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    device->device_type = 2;
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    device->is_main = true;
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    device->left.ping = 9.0f;
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    (void)snprintf(device->name, sizeof device->name, "renamed");
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    assert_string_equal(gloves.gloves[LEFT][0].name, "renamed");
    // the other hand's values are not this one's
    device->right.battery = 1;
    assert_false(tn_contact_gloves_update(&gloves, &list, 1));
}

static void silence_and_return(void **state)
{
    (void)state;
    const struct tn_contact_glove *glove = NULL;
    bool is_change = true;
    add("A", true, false);
    assert_true(tn_contact_gloves_update(&gloves, &list, 1));
    assert_true(tn_contact_gloves_lose(&gloves));
    assert_false(tn_contact_gloves_lose(&gloves));
    assert_false(gloves.gloves[LEFT][0].is_connected);
    assert_int_equal(tn_contact_gloves_seen(&gloves, "A", true, 5, &glove, &is_change), TN_OK);
    assert_true(is_change && glove->is_connected);
    // a reported disconnection is not undone by a straggler
    list.devices[0].left.is_connected = false;
    assert_true(tn_contact_gloves_update(&gloves, &list, 6));
    assert_int_equal(tn_contact_gloves_seen(&gloves, "A", true, 7, &glove, &is_change), TN_OK);
    assert_false(is_change || glove->is_connected);
}

static void data_before_the_list(void **state)
{
    (void)state;
    const struct tn_contact_glove *glove = NULL;
    bool is_change = true;
    assert_int_equal(tn_contact_gloves_seen(&gloves, "A", false, 1, &glove, &is_change), TN_OK);
    assert_string_equal(glove->id, "A_right");
    assert_false(is_change || glove->is_announced);
    assert_true(glove->is_connected);
    assert_false(tn_contact_gloves_lose(&gloves));
    add("A", false, true);
    assert_true(tn_contact_gloves_update(&gloves, &list, 2));
    assert_true(gloves.gloves[RIGHT][0].is_announced);
    assert_int_equal(gloves.n[RIGHT], 1);
}

static void a_full_table_forgets_the_longest_gone(void **state)
{
    (void)state;
    const struct tn_contact_glove *glove = NULL;
    bool is_change;
    tn_contact_gloves_init(&gloves, tn_contact_dialect_v1(), 2);
    add("A", true, false);
    (void)tn_contact_gloves_update(&gloves, &list, 1);
    add("B", true, false);
    (void)tn_contact_gloves_update(&gloves, &list, 2);
    assert_int_equal(tn_contact_gloves_seen(&gloves, "C", true, 3, &glove, &is_change),
                     TN_ERR_LIMIT);
    assert_int_equal(gloves.refused, 1);
    list.devices[0].left.is_connected = list.devices[1].left.is_connected = false;
    (void)tn_contact_gloves_update(&gloves, &list, 4);
    assert_int_equal(tn_contact_gloves_seen(&gloves, "C", true, 5, &glove, &is_change), TN_OK);
    assert_int_equal(gloves.n[LEFT], 2);
    assert_null(tn_contact_gloves_find(&gloves, TN_SIDE_LEFT, "A_left"));
    assert_non_null(tn_contact_gloves_find(&gloves, TN_SIDE_LEFT, "B_left"));
    // the other hand has its own room
    assert_int_equal(tn_contact_gloves_seen(&gloves, "C", false, 5, &glove, &is_change), TN_OK);
}

static void target_of_a_command(void **state)
{
    (void)state;
    const struct tn_contact_glove *glove = NULL;
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_LEFT, "", &glove), TN_ERR_NOT_FOUND);
    add("A", true, true);
    (void)tn_contact_gloves_update(&gloves, &list, 1);
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_LEFT, "", &glove), TN_OK);
    assert_string_equal(glove->id, "A_left");
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_RIGHT, "A_left", &glove),
                     TN_ERR_NOT_FOUND);
    add("B", true, false);
    (void)tn_contact_gloves_update(&gloves, &list, 1);
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_LEFT, "", &glove),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_LEFT, "B_left", &glove), TN_OK);
    assert_string_equal(glove->wire_id, "B");
    list.devices[1].left.is_connected = false;
    (void)tn_contact_gloves_update(&gloves, &list, 2);
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_LEFT, "B_left", &glove),
                     TN_ERR_STATE);
    assert_int_equal(tn_contact_gloves_target(&gloves, TN_SIDE_LEFT, "", &glove), TN_OK);
    char text[64], small[4];
    assert_string_equal(tn_contact_gloves_list(&gloves, TN_SIDE_LEFT, text, sizeof text),
                        "A_left, B_left");
    assert_string_equal(tn_contact_gloves_list(&gloves, TN_SIDE_LEFT, small, sizeof small), "A_l");
}

static void joint_states_choice(void **state)
{
    (void)state;
    struct tn_contact_choice choice = {0};
    add("A", true, false);
    add("B", true, false);
    (void)tn_contact_gloves_update(&gloves, &list, 1);
    const struct tn_contact_glove *a = &gloves.gloves[LEFT][0], *b = &gloves.gloves[LEFT][1];
    // the first one that sends, until it goes
    assert_true(tn_contact_choice_takes(&choice, &gloves, "", b));
    assert_false(tn_contact_choice_takes(&choice, &gloves, "", a));
    list.devices[1].left.is_connected = false;
    (void)tn_contact_gloves_update(&gloves, &list, 2);
    assert_true(tn_contact_choice_takes(&choice, &gloves, "", a));
    list.devices[1].left.is_connected = true;
    (void)tn_contact_gloves_update(&gloves, &list, 3);
    assert_false(tn_contact_choice_takes(&choice, &gloves, "", b));
    assert_true(tn_contact_choice_takes(&choice, &gloves, "", a));
    // a configured one only
    assert_true(tn_contact_choice_takes(&choice, &gloves, "B_left", b));
    assert_false(tn_contact_choice_takes(&choice, &gloves, "B_left", a));
    assert_false(tn_contact_choice_takes(&choice, &gloves, "nobody", a));
    // back to automatic: an id that never was gives way
    assert_true(tn_contact_choice_takes(&choice, &gloves, "", a));
}

// ---- haptics ----

static void vibration_is_clamped(void **state)
{
    (void)state;
    struct tn_contact_vibration v = {-1, 2, 1e9f};
    assert_int_equal(tn_contact_vibration_clamp(&v), TN_OK);
    assert_true(!(v.frequency_hz < 0) && !(v.frequency_hz > 0));
    assert_true(!(v.amplitude < 1) && !(v.amplitude > 1));
    assert_true(v.duration_s <= TN_CONTACT_DURATION_MAX_S);
    v.amplitude = NAN;
    assert_int_equal(tn_contact_vibration_clamp(&v), TN_ERR_NOT_FINITE);
    v = (struct tn_contact_vibration){1, 1, INFINITY};
    assert_int_equal(tn_contact_vibration_clamp(&v), TN_ERR_NOT_FINITE);
}

/// 1000 commands in a second through a limit of 50: the last one always gets out.
static void newest_replaces_waiting(void **state)
{
    (void)state;
    struct tn_contact_limiter limiter = {0};
    struct tn_contact_vibration out = {0}, last = {0};
    const int64_t period = 20000000;
    uint32_t sent = 0;
    int64_t now = 0, previous = -period;
    for (int i = 0; i < 1000; i++, now += 1000000) {
        last.duration_s = (float)i;
        if (tn_contact_limiter_take(&limiter, period, now, &out)) {
            assert_true(now - previous >= period);
            previous = now;
            sent++;
        }
        if (tn_contact_limiter_offer(&limiter, &last, period, now)) {
            assert_true(now - previous >= period);
            previous = now;
            out = last;
            sent++;
        }
    }
    assert_in_range(sent, 49, 51);
    int64_t due = tn_contact_limiter_due_ns(&limiter, period);
    assert_true(due < now + period);
    assert_false(tn_contact_limiter_take(&limiter, period, due - 1, &out));
    assert_true(tn_contact_limiter_take(&limiter, period, due, &out));
    assert_memory_equal(&out, &last, sizeof out);
    assert_int_equal(sent + 1 + limiter.merged, 1000);
    assert_false(tn_contact_limiter_take(&limiter, period, INT64_MAX, &out));
}

static void no_limit_sends_all(void **state)
{
    (void)state;
    struct tn_contact_limiter limiter = {0};
    const struct tn_contact_vibration v = {1, 1, 1};
    for (int i = 0; i < 10; i++)
        assert_true(tn_contact_limiter_offer(&limiter, &v, 0, 5));
    assert_int_equal(limiter.merged, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(one_glove_per_hand, setup),
        cmocka_unit_test_setup(a_hand_never_seen_is_not_announced, setup),
        cmocka_unit_test_setup(missing_in_the_list_is_disconnected, setup),
        cmocka_unit_test_setup(battery_numbers, setup),
        cmocka_unit_test_setup(each_field_is_an_update, setup),
        cmocka_unit_test_setup(silence_and_return, setup),
        cmocka_unit_test_setup(data_before_the_list, setup),
        cmocka_unit_test_setup(a_full_table_forgets_the_longest_gone, setup),
        cmocka_unit_test_setup(target_of_a_command, setup),
        cmocka_unit_test_setup(joint_states_choice, setup),
        cmocka_unit_test(vibration_is_clamped),
        cmocka_unit_test(newest_replaces_waiting),
        cmocka_unit_test(no_limit_sends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
