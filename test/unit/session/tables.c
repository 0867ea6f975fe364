// SPDX-License-Identifier: Apache-2.0
// every state × every event of the two tables, against the rules written down a second time as text
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/session.h"

// I C A S D = next state; lower case: the same, and the right to move is lost; '>' before it: the
// event applies again
static const char *const link_rules[TN_SESSION_STATES][TN_SESSION_EVENTS] = {
    // SOURCE CHECKED GAP BACK_SAME BACK_OTHER GONE LOST REOPENED CHECK_FAILED SHUTDOWN
    {"C", "I", "I", "I", "I", "I", "I", "I", "i", "d"},
    {"C", "A", "C", "C", "c", "d", ">s", "C", "c", "d"},
    {"A", "A", "S", "A", "c", ">s", ">s", "A", "c", "d"},
    {"S", "S", "S", "A", "c", "d", "d", "S", "c", "d"},
    {"D", "D", "D", "D", "D", "D", "D", "I", "d", "d"},
};

static void link_table_follows_the_rules(void **state)
{
    (void)state;
    static const char states[] = "ICASD";
    for (int s = 0; s < TN_SESSION_STATES; s++) {
        for (int e = 0; e < TN_SESSION_EVENTS; e++) {
            const char *rule = link_rules[s][e];
            bool again = rule[0] == '>';
            char letter = rule[again ? 1 : 0];
            bool loses = letter >= 'a';
            struct tn_session_cell cell =
                tn_session_link_cell((enum tn_session_state)s, (enum tn_session_event)e);
            assert_int_equal(states[cell.next], loses ? letter - 'a' + 'A' : letter);
            assert_int_equal(cell.again, again);
            assert_int_equal(cell.loses_arm, loses);
        }
    }
}

static void only_an_operator_arms(void **state)
{
    (void)state;
    for (int a = 0; a < TN_SESSION_ARMINGS; a++) {
        for (int e = 0; e < TN_SESSION_ARM_EVENTS; e++) {
            enum tn_session_arming next =
                tn_session_arming_next((enum tn_session_arming)a, (enum tn_session_arm_event)e);
            if (e == TN_SESSION_ARM_REQUESTED) {
                assert_int_equal(next, TN_SESSION_ARMED);
            } else if (e == TN_SESSION_ARM_ESTOPPED) {
                assert_int_equal(next, TN_SESSION_ESTOP);
            } else if (e == TN_SESSION_ARM_DISARMED) {
                assert_int_equal(next,
                                 a == TN_SESSION_ESTOP ? TN_SESSION_ESTOP : TN_SESSION_DISARMED);
            } else {
                assert_int_equal(next, a == TN_SESSION_ARMED ? TN_SESSION_LATCHED : a);
            }
        }
    }
}

static void no_event_makes_an_unchecked_link_active(void **state)
{
    (void)state;
    for (int s = 0; s < TN_SESSION_STATES; s++) {
        for (int e = 0; e < TN_SESSION_EVENTS; e++) {
            struct tn_session_cell cell =
                tn_session_link_cell((enum tn_session_state)s, (enum tn_session_event)e);
            if (cell.next == TN_SESSION_ACTIVE && s != TN_SESSION_ACTIVE) {
                assert_true((s == TN_SESSION_CALIBRATING && e == TN_SESSION_EV_CHECKED) ||
                            (s == TN_SESSION_STALE && e == TN_SESSION_EV_BACK_SAME));
            }
        }
    }
}

static void every_reason_and_state_has_a_word(void **state)
{
    (void)state;
    for (int r = 1; r < TN_SESSION_REASONS; r++) {
        assert_true(tn_session_reason_word((enum tn_session_reason)r)[0] != '\0');
    }
    assert_string_equal(tn_session_reason_word(TN_SESSION_REASON_NONE), "");
    assert_string_equal(tn_session_state_name(TN_SESSION_DISCONNECTED), "DISCONNECTED");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(link_table_follows_the_rules),
        cmocka_unit_test(only_an_operator_arms),
        cmocka_unit_test(no_event_makes_an_unchecked_link_active),
        cmocka_unit_test(every_reason_and_state_has_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
