// SPDX-License-Identifier: Apache-2.0
// Goals of an action server: every state with every event, the bounded table, what a cancel
// request means.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "ros/action_goal.h"

#define CAPACITY  4
#define TIMEOUT_S 10
#define S(n)      ((n)*TN_NS_PER_S)

struct fixture {
    struct tn_ros_goal goals[CAPACITY];
    uint32_t order[CAPACITY];
    struct tn_ros_goal_table table;
};

static void open(struct fixture *f)
{
    memset(f, 0xa5, sizeof *f);
    assert_int_equal(tn_ros_goal_table_init(&f->table, f->goals, f->order, CAPACITY, S(TIMEOUT_S)),
                     TN_OK);
}

static struct tn_ros_goal_id id_of(uint8_t n)
{
    struct tn_ros_goal_id id = {{0}};
    id.uuid[15] = n;
    return id;
}

/// Accepts goal `n` at `n` seconds.
static uint32_t accept_goal(struct fixture *f, uint8_t n)
{
    struct tn_ros_goal_id id = id_of(n);
    uint32_t slot = TN_ROS_GOAL_NONE;
    assert_int_equal(tn_ros_goal_accept(&f->table, &id, S(n), &slot, NULL), TN_OK);
    return slot;
}

/// Leads a goal to a state by the shortest way.
static void lead(struct fixture *f, uint32_t slot, enum tn_ros_goal_state state, int64_t now_ns)
{
    static const enum tn_ros_goal_event ways[TN_ROS_GOAL_N_STATES][3] = {
        [TN_ROS_GOAL_EXECUTING] = {TN_ROS_GOAL_EVENT_EXECUTE},
        [TN_ROS_GOAL_CANCELING] = {TN_ROS_GOAL_EVENT_CANCEL_GOAL},
        [TN_ROS_GOAL_SUCCEEDED] = {TN_ROS_GOAL_EVENT_EXECUTE, TN_ROS_GOAL_EVENT_SUCCEED},
        [TN_ROS_GOAL_CANCELED] = {TN_ROS_GOAL_EVENT_CANCEL_GOAL, TN_ROS_GOAL_EVENT_CANCELED},
        [TN_ROS_GOAL_ABORTED] = {TN_ROS_GOAL_EVENT_EXECUTE, TN_ROS_GOAL_EVENT_ABORT},
    };
    static const int lengths[TN_ROS_GOAL_N_STATES] = {0, 0, 1, 1, 2, 2, 2};
    for (int i = 0; i < lengths[state]; i++)
        assert_int_equal(tn_ros_goal_apply(&f->table, slot, ways[state][i], now_ns), TN_OK);
    assert_int_equal(f->table.goals[slot].state, state);
}

/// The whole table, written a second time and in another form.
static void each_state_with_each_event(void **state)
{
    (void)state;
    static const char *const expected[TN_ROS_GOAL_N_STATES] = {
        //         execute, cancel goal, succeed, abort, canceled
        ".....", // UNKNOWN
        "EC...", // ACCEPTED
        ".CSA.", // EXECUTING
        "..SAX", // CANCELING
        ".....", ".....", ".....",
    };
    static const char letters[] = ".aECSXA";
    for (int s = -1; s <= TN_ROS_GOAL_N_STATES; s++)
        for (int e = -1; e <= TN_ROS_GOAL_N_EVENTS; e++) {
            bool is_inside =
                s >= 0 && s < TN_ROS_GOAL_N_STATES && e >= 0 && e < TN_ROS_GOAL_N_EVENTS;
            char want = is_inside ? expected[s][e] : '.';
            enum tn_ros_goal_state next =
                tn_ros_goal_transition((enum tn_ros_goal_state)s, (enum tn_ros_goal_event)e);
            assert_int_equal(letters[next], want);
        }
}

static void numbers_are_those_of_the_wire(void **state)
{
    (void)state;
    static const char *const names[] = {"UNKNOWN",   "ACCEPTED", "EXECUTING", "CANCELING",
                                        "SUCCEEDED", "CANCELED", "ABORTED"};
    for (int i = 0; i < TN_ROS_GOAL_N_STATES; i++) {
        enum tn_ros_goal_state s = (enum tn_ros_goal_state)i;
        assert_string_equal(tn_ros_goal_state_name(s), names[i]);
        assert_int_equal(tn_ros_goal_is_active(s), i >= 1 && i <= 3);
        assert_int_equal(tn_ros_goal_is_cancelable(s), i == 1 || i == 2);
    }
    assert_string_equal(tn_ros_goal_state_name((enum tn_ros_goal_state)99), "UNKNOWN");
}

/// The same through the table: a refused event changes nothing, an end is stamped.
static void each_state_with_each_event_in_the_table(void **state)
{
    (void)state;
    for (int s = TN_ROS_GOAL_ACCEPTED; s < TN_ROS_GOAL_N_STATES; s++)
        for (int e = 0; e < TN_ROS_GOAL_N_EVENTS; e++) {
            struct fixture f;
            open(&f);
            uint32_t slot = accept_goal(&f, 1);
            lead(&f, slot, (enum tn_ros_goal_state)s, S(3));
            struct tn_ros_goal before = f.table.goals[slot];
            enum tn_ros_goal_event event = (enum tn_ros_goal_event)e;
            enum tn_ros_goal_state next = tn_ros_goal_transition(before.state, event);
            enum tn_result result = tn_ros_goal_apply(&f.table, slot, event, S(7));
            if (next == TN_ROS_GOAL_UNKNOWN) {
                assert_int_equal(result, TN_ERR_STATE);
                assert_int_equal(f.table.goals[slot].state, before.state);
                assert_int_equal(f.table.goals[slot].ended_steady_ns, before.ended_steady_ns);
            } else {
                assert_int_equal(result, TN_OK);
                assert_int_equal(f.table.goals[slot].state, next);
                assert_int_equal(f.table.goals[slot].ended_steady_ns,
                                 tn_ros_goal_is_active(next) ? 0 : S(7));
            }
        }
}

static void an_id_is_taken_once(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros_goal_id id = id_of(1);
    uint32_t slot = 77;
    open(&f);
    uint32_t first = accept_goal(&f, 1);
    assert_int_equal(tn_ros_goal_accept(&f.table, &id, S(9), &slot, NULL), TN_ERR_EXISTS);
    assert_int_equal(slot, 77);
    assert_int_equal(f.table.goals[first].stamp_ros_ns, S(1));
    // also after its end, as long as its result is kept
    lead(&f, first, TN_ROS_GOAL_SUCCEEDED, S(2));
    assert_int_equal(tn_ros_goal_accept(&f.table, &id, S(9), &slot, NULL), TN_ERR_EXISTS);
    assert_int_equal(tn_ros_goal_expire(&f.table, S(2 + TIMEOUT_S)), first);
    assert_int_equal(tn_ros_goal_accept(&f.table, &id, S(9), &slot, NULL), TN_OK);
    assert_int_equal(f.table.n, 1);
}

static void goals_that_have_not_ended_never_make_room(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros_goal_id id = id_of(9);
    uint32_t slot = 77;
    open(&f);
    for (uint8_t i = 1; i <= CAPACITY; i++)
        (void)accept_goal(&f, i);
    assert_int_equal(tn_ros_goal_accept(&f.table, &id, 0, &slot, NULL), TN_ERR_LIMIT);
    assert_int_equal(f.table.n, CAPACITY);
    assert_int_equal(slot, 77);
}

static void what_ended_makes_room_fetched_ones_first(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros_goal_id id;
    uint32_t slots[CAPACITY], slot = 0;
    enum tn_ros_goal_room room = TN_ROS_GOAL_ROOM_FREE;
    open(&f);
    for (uint8_t i = 0; i < CAPACITY; i++) {
        assert_int_equal(tn_ros_goal_next_out(&f.table), TN_ROS_GOAL_NONE);
        slots[i] = accept_goal(&f, (uint8_t)(i + 1));
    }
    assert_int_equal(tn_ros_goal_next_out(&f.table), TN_ROS_GOAL_NONE);
    lead(&f, slots[1], TN_ROS_GOAL_ABORTED, S(20));
    lead(&f, slots[2], TN_ROS_GOAL_SUCCEEDED, S(30));
    lead(&f, slots[3], TN_ROS_GOAL_CANCELED, S(10));
    f.table.goals[slots[2]].is_fetched = true;
    // the fetched one although it ended last, then the one that ended first
    static const uint8_t victims[] = {2, 3, 1};
    for (uint8_t i = 0; i < 3; i++) {
        id = id_of((uint8_t)(50 + i));
        // who goes is known before
        assert_int_equal(tn_ros_goal_next_out(&f.table), slots[victims[i]]);
        assert_int_equal(tn_ros_goal_accept(&f.table, &id, S(40), &slot, &room), TN_OK);
        assert_int_equal(room, i == 0 ? TN_ROS_GOAL_ROOM_FETCHED : TN_ROS_GOAL_ROOM_UNFETCHED);
        assert_int_equal(slot, slots[victims[i]]);
        id = id_of((uint8_t)(victims[i] + 1));
        assert_int_equal(tn_ros_goal_find(&f.table, &id), TN_ROS_GOAL_NONE);
    }
    id = id_of(60);
    assert_int_equal(tn_ros_goal_accept(&f.table, &id, 0, &slot, &room), TN_ERR_LIMIT);
    // order of acceptance stands, whatever the slots are
    static const uint8_t order[] = {1, 50, 51, 52};
    for (int i = 0; i < CAPACITY; i++)
        assert_int_equal(f.table.goals[f.table.order[i]].id.uuid[15], order[i]);
}

static void results_expire_after_the_end_not_after_the_beginning(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
    uint32_t a = accept_goal(&f, 1), b = accept_goal(&f, 2);
    assert_true(tn_ros_goal_next_expiry(&f.table) == INT64_MAX);
    assert_int_equal(tn_ros_goal_expire(&f.table, INT64_MAX), TN_ROS_GOAL_NONE);
    lead(&f, b, TN_ROS_GOAL_SUCCEEDED, S(100));
    lead(&f, a, TN_ROS_GOAL_ABORTED, S(105));
    assert_true(tn_ros_goal_next_expiry(&f.table) == S(100 + TIMEOUT_S));
    assert_int_equal(tn_ros_goal_expire(&f.table, S(100 + TIMEOUT_S) - 1), TN_ROS_GOAL_NONE);
    assert_int_equal(tn_ros_goal_expire(&f.table, S(100 + TIMEOUT_S)), b);
    assert_int_equal(tn_ros_goal_expire(&f.table, S(100 + TIMEOUT_S)), TN_ROS_GOAL_NONE);
    assert_int_equal(tn_ros_goal_expire(&f.table, INT64_MAX), a);
    assert_int_equal(f.table.n, 0);
}

static void table_wants_room_and_a_time_out(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros_goal_table t;
    assert_int_equal(tn_ros_goal_table_init(&t, f.goals, f.order, 0, 1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_goal_table_init(&t, f.goals, f.order, UINT32_MAX, 1),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_goal_table_init(&t, f.goals, f.order, 1, 0), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_goal_table_init(&t, f.goals, f.order, 1, -1), TN_ERR_INVALID_ARGUMENT);
}

// ---- cancel requests ----

static void expect_selection(const struct fixture *f, uint8_t id, int64_t stamp_ns,
                             enum tn_ros_cancel_code code, const char *numbers)
{
    struct tn_ros_goal_id goal_id = id_of(id);
    uint32_t slots[CAPACITY], n = 99;
    assert_int_equal(tn_ros_goal_select(&f->table, &goal_id, stamp_ns, slots, &n), code);
    assert_int_equal(n, strlen(numbers));
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(f->table.goals[slots[i]].id.uuid[15], numbers[i] - '0');
}

/// One goal alone in each state: id, stamp or both, and what comes of it.
static void cancel_matrix_for_each_state(void **state)
{
    (void)state;
    for (int s = TN_ROS_GOAL_ACCEPTED; s < TN_ROS_GOAL_N_STATES; s++) {
        struct fixture f;
        open(&f);
        lead(&f, accept_goal(&f, 5), (enum tn_ros_goal_state)s, S(6));
        bool can = s == TN_ROS_GOAL_ACCEPTED || s == TN_ROS_GOAL_EXECUTING;
        const char *it = can ? "5" : "";
        // the one goal
        expect_selection(&f, 5, 0, can ? TN_ROS_CANCEL_NONE : TN_ROS_CANCEL_GOAL_TERMINATED, it);
        expect_selection(&f, 6, 0, TN_ROS_CANCEL_UNKNOWN_GOAL_ID, "");
        // all
        expect_selection(&f, 0, 0, TN_ROS_CANCEL_NONE, it);
        // before a stamp: at the stamp itself counts
        expect_selection(&f, 0, S(5) - 1, TN_ROS_CANCEL_NONE, "");
        expect_selection(&f, 0, S(5), TN_ROS_CANCEL_NONE, it);
        expect_selection(&f, 0, -S(5), TN_ROS_CANCEL_NONE, "");
        // both: the id, whatever the stamp says; an unknown id is no error then
        expect_selection(&f, 5, S(1), TN_ROS_CANCEL_NONE, it);
        expect_selection(&f, 6, S(1), TN_ROS_CANCEL_NONE, "");
        expect_selection(&f, 6, S(9), TN_ROS_CANCEL_NONE, it);
    }
}

static void cancel_selects_in_order_of_acceptance(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
    (void)accept_goal(&f, 1);
    uint32_t two = accept_goal(&f, 2);
    (void)accept_goal(&f, 3);
    lead(&f, two, TN_ROS_GOAL_SUCCEEDED, S(3));
    (void)tn_ros_goal_expire(&f.table, INT64_MAX);
    // takes the slot that became free in the middle
    assert_int_equal(accept_goal(&f, 4), two);
    uint32_t five = accept_goal(&f, 5);
    expect_selection(&f, 0, 0, TN_ROS_CANCEL_NONE, "1345");
    expect_selection(&f, 0, S(3), TN_ROS_CANCEL_NONE, "13");
    expect_selection(&f, 5, S(3), TN_ROS_CANCEL_NONE, "135");
    lead(&f, five, TN_ROS_GOAL_CANCELING, S(6));
    expect_selection(&f, 5, S(3), TN_ROS_CANCEL_NONE, "13");
}

static void an_empty_table_has_nothing_to_cancel(void **state)
{
    (void)state;
    struct fixture f;
    open(&f);
    expect_selection(&f, 0, 0, TN_ROS_CANCEL_NONE, "");
    expect_selection(&f, 0, S(1), TN_ROS_CANCEL_NONE, "");
    expect_selection(&f, 1, S(1), TN_ROS_CANCEL_NONE, "");
    expect_selection(&f, 1, 0, TN_ROS_CANCEL_UNKNOWN_GOAL_ID, "");
}

/// A million random steps against what must always hold.
static void random_steps_keep_the_table_whole(void **state)
{
    (void)state;
    struct fixture f;
    uint64_t random = 1;
    int64_t now_ns = 0;
    open(&f);
    for (int i = 0; i < 1000000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t draw = (uint32_t)(random >> 33);
        struct tn_ros_goal_id id = id_of((uint8_t)(draw % 11));
        uint32_t slot = tn_ros_goal_find(&f.table, &id), taken = 0;
        now_ns += (draw >> 8) % 3 * TN_NS_PER_S;
        if (slot == TN_ROS_GOAL_NONE)
            assert_int_not_equal(tn_ros_goal_accept(&f.table, &id, now_ns, &taken, NULL),
                                 TN_ERR_EXISTS);
        else
            assert_int_not_equal(tn_ros_goal_apply(&f.table, slot,
                                                   (enum tn_ros_goal_event)((draw >> 4) % 5),
                                                   now_ns),
                                 TN_ERR_NOT_FOUND);
        if (draw % 7 == 0)
            (void)tn_ros_goal_expire(&f.table, now_ns);
        uint32_t n_used = 0;
        for (uint32_t k = 0; k < CAPACITY; k++)
            n_used += f.goals[k].state != TN_ROS_GOAL_UNKNOWN;
        assert_int_equal(n_used, f.table.n);
        for (uint32_t k = 0; k < f.table.n; k++) {
            assert_true(f.goals[f.order[k]].state != TN_ROS_GOAL_UNKNOWN);
            assert_true(k == 0 ||
                        f.goals[f.order[k]].stamp_ros_ns >= f.goals[f.order[k - 1]].stamp_ros_ns);
        }
    }
}

static void ids_are_written_as_ros2cli_does(void **state)
{
    (void)state;
    struct tn_ros_goal_id id = {{0x00, 0x9f, 0xab, 0x10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xff}};
    char text[TN_ROS_GOAL_ID_TEXT];
    assert_string_equal(tn_ros_goal_id_text(&id, text), "009fab100102030405060708090a0bff");
    assert_false(tn_ros_goal_id_is_zero(&id));
    id = id_of(0);
    assert_true(tn_ros_goal_id_is_zero(&id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_state_with_each_event),
        cmocka_unit_test(numbers_are_those_of_the_wire),
        cmocka_unit_test(each_state_with_each_event_in_the_table),
        cmocka_unit_test(an_id_is_taken_once),
        cmocka_unit_test(goals_that_have_not_ended_never_make_room),
        cmocka_unit_test(what_ended_makes_room_fetched_ones_first),
        cmocka_unit_test(results_expire_after_the_end_not_after_the_beginning),
        cmocka_unit_test(table_wants_room_and_a_time_out),
        cmocka_unit_test(cancel_matrix_for_each_state),
        cmocka_unit_test(cancel_selects_in_order_of_acceptance),
        cmocka_unit_test(an_empty_table_has_nothing_to_cancel),
        cmocka_unit_test(random_steps_keep_the_table_whole),
        cmocka_unit_test(ids_are_written_as_ros2cli_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
