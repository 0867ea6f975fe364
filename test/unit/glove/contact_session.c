// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/compat.h"

#define MS(n) ((int64_t)(n)*TN_NS_PER_MS)
#define T0    MS(5000)

#define CONNECT    TN_CONTACT_DO_CONNECT
#define DISCONNECT TN_CONTACT_DO_DISCONNECT
#define TELL       TN_CONTACT_DO_TELL
#define LOSE       TN_CONTACT_DO_LOSE
#define REMIND     TN_CONTACT_DO_REMIND

static struct tn_contact_session session;

/// A fresh session brought into a state, all its times at T0.
static void bring(enum tn_contact_link_state link)
{
    const struct tn_contact_session_options options = tn_contact_session_options_default();
    tn_contact_session_init(&session, &options);
    if (link == TN_CONTACT_LINK_BIND)
        return;
    (void)tn_contact_session_start(&session, T0 - MS(1000));
    if (link == TN_CONTACT_LINK_CONNECTING) {
        tn_contact_session_init(&session, &options);
        (void)tn_contact_session_start(&session, T0);
        return;
    }
    int64_t data = link == TN_CONTACT_LINK_STREAMING ? T0 : T0 - MS(1000);
    (void)tn_contact_session_data(&session, data, data);
    if (link == TN_CONTACT_LINK_SILENT)
        assert_int_equal(tn_contact_session_tick(&session, T0), TELL | CONNECT);
    assert_int_equal(session.link, link);
}

enum event { START, DATA, OLD_DATA, TICK_SOON, TICK_1S, TICK_3S, TICK_10S, STOP, EVENTS };

static uint32_t fire(enum event event)
{
    switch (event) {
    case START:
        return tn_contact_session_start(&session, T0 + MS(10));
    case DATA:
        return tn_contact_session_data(&session, T0 + MS(10), T0 + MS(10));
    case OLD_DATA:
        return tn_contact_session_data(&session, T0 + MS(10), T0 + MS(1010));
    case TICK_SOON:
        return tn_contact_session_tick(&session, T0 + MS(999));
    case TICK_1S:
        return tn_contact_session_tick(&session, T0 + MS(1000));
    case TICK_3S:
        return tn_contact_session_tick(&session, T0 + MS(3000));
    case TICK_10S:
        return tn_contact_session_tick(&session, T0 + MS(10000));
    case STOP:
        return tn_contact_session_stop(&session);
    case EVENTS:
        break;
    }
    return 0;
}

static void each_state_and_each_event(void **state)
{
    (void)state;
    enum { B = TN_CONTACT_LINK_BIND, C = TN_CONTACT_LINK_CONNECTING };
    enum { S = TN_CONTACT_LINK_STREAMING, Q = TN_CONTACT_LINK_SILENT };
    static const struct {
        int next;
        uint32_t todo;
    } expected[TN_CONTACT_LINKS][EVENTS] = {
        // start, data, old data, 0.999 s, 1 s, 3 s, 10 s, stop
        [B] = {{C, TELL | CONNECT}, {B, 0}, {B, 0}, {B, 0}, {B, 0}, {B, 0}, {B, 0}, {B, 0}},
        [C] = {{C, 0},
               {S, TELL},
               {C, 0},
               {C, 0},
               {C, CONNECT},
               {C, CONNECT},
               {C, CONNECT | REMIND},
               {B, DISCONNECT | TELL}},
        [S] = {{S, 0},
               {S, 0},
               {S, 0},
               {S, 0},
               {Q, TELL | CONNECT},
               {Q, TELL | CONNECT | LOSE},
               {Q, TELL | CONNECT | LOSE},
               {B, DISCONNECT | TELL | LOSE}},
        // in SILENT the data is 1 s older
        [Q] = {{Q, 0},
               {S, TELL},
               {Q, 0},
               {Q, 0},
               {Q, CONNECT},
               {Q, CONNECT | LOSE},
               {Q, CONNECT | LOSE | REMIND},
               {B, DISCONNECT | TELL | LOSE}},
    };
    for (int link = 0; link < TN_CONTACT_LINKS; link++) {
        for (int event = 0; event < EVENTS; event++) {
            bring((enum tn_contact_link_state)link);
            uint32_t todo = fire((enum event)event);
            if (todo != expected[link][event].todo ||
                (int)session.link != expected[link][event].next)
                fail_msg(
                    "state %s, event %d: state %s, todo %u, expected state %s, todo %u",
                    tn_contact_link_name((enum tn_contact_link_state)link), event,
                    tn_contact_link_name(session.link), (unsigned)todo,
                    tn_contact_link_name((enum tn_contact_link_state)expected[link][event].next),
                    (unsigned)expected[link][event].todo);
        }
    }
}

static void connect_continues_while_streaming(void **state)
{
    (void)state;
    bring(TN_CONTACT_LINK_STREAMING);
    int64_t last = T0 - MS(1000), longest = 0;
    uint32_t connects = 0;
    for (int64_t now = T0; now < T0 + MS(300000); now += MS(10)) {
        (void)tn_contact_session_data(&session, now, now);
        if (tn_contact_session_tick(&session, now) & CONNECT) {
            longest = now - last > longest ? now - last : longest;
            last = now;
            connects++;
        }
    }
    assert_in_range(connects, 29, 31);
    // DivingStation forgets a client after 90 s
    assert_true(longest <= MS(20000));
}

/// DivingStation goes for an hour and comes back: one state change each way, one loss.
static void restart_of_divingstation(void **state)
{
    (void)state;
    bring(TN_CONTACT_LINK_STREAMING);
    uint32_t connects = 0, losses = 0, tells = 0, reminders = 0;
    int64_t now = T0;
    for (; now < T0 + MS(3600000); now += MS(100)) {
        uint32_t todo = tn_contact_session_tick(&session, now);
        connects += (todo & CONNECT) != 0;
        losses += (todo & LOSE) != 0;
        tells += (todo & TELL) != 0;
        reminders += (todo & REMIND) != 0;
    }
    assert_int_equal(losses, 1);
    assert_int_equal(tells, 1);
    assert_in_range(connects, 3595, 3600);
    assert_in_range(reminders, 358, 360);
    assert_int_equal(tn_contact_session_data(&session, now, now), TELL);
    assert_int_equal(session.link, TN_CONTACT_LINK_STREAMING);
    assert_int_equal(tn_contact_session_tick(&session, now + MS(100)), 0);
}

static void old_data_neither_connects_nor_saves(void **state)
{
    (void)state;
    bring(TN_CONTACT_LINK_STREAMING);
    // stopped for 4 s: what waited is from the first half second
    assert_int_equal(tn_contact_session_data(&session, T0 + MS(500), T0 + MS(4000)), 0);
    assert_int_equal(tn_contact_session_tick(&session, T0 + MS(4000)), TELL | CONNECT | LOSE);
    // data that waited to the end keeps the link up
    bring(TN_CONTACT_LINK_STREAMING);
    assert_int_equal(tn_contact_session_data(&session, T0 + MS(3990), T0 + MS(4000)), 0);
    assert_int_equal(tn_contact_session_tick(&session, T0 + MS(4000)), 0);
}

static void due_is_never_late(void **state)
{
    (void)state;
    for (int link = TN_CONTACT_LINK_CONNECTING; link < TN_CONTACT_LINKS; link++) {
        bring((enum tn_contact_link_state)link);
        int64_t now = T0;
        // driven by its own due times it acts at each of them and not before
        for (int i = 0; i < 50; i++) {
            int64_t due = tn_contact_session_due_ns(&session);
            assert_true(due > now);
            assert_int_equal(tn_contact_session_tick(&session, due - 1), 0);
            assert_int_not_equal(tn_contact_session_tick(&session, due), 0);
            now = due;
        }
    }
    bring(TN_CONTACT_LINK_BIND);
    assert_true(tn_contact_session_due_ns(&session) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_state_and_each_event),
        cmocka_unit_test(connect_continues_while_streaming),
        cmocka_unit_test(restart_of_divingstation),
        cmocka_unit_test(old_data_neither_connects_nor_saves),
        cmocka_unit_test(due_is_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
