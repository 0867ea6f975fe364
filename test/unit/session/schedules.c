// SPDX-License-Identifier: Apache-2.0
// random schedules of faults against an oracle that knows, from the truth and not from the session,
// when a hand may move
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "session/session.h"

#define MS        INT64_C(1000000)
#define SCHEDULES 10000
#define STEPS     600

static uint64_t next_random(uint64_t *state)
{
    // splitmix64
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static bool chance(uint64_t *state, unsigned per_mille)
{
    return next_random(state) % 1000 < per_mille;
}

// the truth: what really happened since the operator last armed
struct truth {
    int64_t now, last_fresh;
    bool armed, had_fresh;
    uint64_t stream, armed_stream, used_sequence;
};

static void oracle_time(struct truth *t)
{
    if (t->had_fresh && t->now - t->last_fresh > 1000 * MS) {
        t->armed = false;
    }
    if (t->stream != t->armed_stream) {
        t->armed = false;
    }
}

// a target is lawful only when armed, fresh, of the armed stream and never used before
static bool is_lawful(const struct truth *t, const struct tn_session_frame *frame)
{
    return t->armed && frame->side == TN_SIDE_LEFT && frame->age_ns <= 200 * MS &&
           !frame->is_late && frame->is_age_known && frame->is_plausible &&
           frame->stream_id == t->armed_stream && frame->sequence > t->used_sequence;
}

static void spoil(uint64_t *seed, struct tn_session_frame *frame)
{
    switch (next_random(seed) % 8) {
    case 0:
        frame->age_ns = (int64_t)(next_random(seed) % 2000) * MS;
        break;
    case 1:
        frame->is_late = true;
        break;
    case 2:
        frame->is_age_known = false;
        break;
    case 3:
        frame->side = TN_SIDE_RIGHT;
        break;
    case 4:
        frame->sequence -= next_random(seed) % 5;
        break;
    case 5:
        frame->is_plausible = false;
        break;
    case 6:
        frame->device_id = "intruder";
        break;
    default:
        frame->is_source_active = false;
        break;
    }
}

struct run {
    struct tn_session session;
    struct truth truth;
    uint64_t seed, sequence;
    unsigned flowed, violations;
};

static void operate(struct run *r)
{
    if (chance(&r->seed, 30)) {
        if (tn_session_arm(&r->session, r->truth.now, NULL) == TN_OK) {
            r->truth.armed = true;
            r->truth.armed_stream = r->session.stream_id;
        }
    }
    if (chance(&r->seed, 3)) {
        tn_session_estop(&r->session);
        r->truth.armed = false;
    }
    if (chance(&r->seed, 3)) {
        r->truth.stream++;
        r->sequence = 0;
    }
}

static void step(struct run *r)
{
    struct truth *t = &r->truth;
    t->now += chance(&r->seed, 10) ? (int64_t)(next_random(&r->seed) % 1500) * MS : 8 * MS;
    if (chance(&r->seed, 990)) {
        tn_session_robot(&r->session, true, t->now);
    }
    oracle_time(t);
    operate(r);
    r->sequence++;
    struct tn_session_frame frame = {
        .side = TN_SIDE_LEFT,
        .device_id = "glove",
        .stream_id = t->stream,
        .sequence = r->sequence,
        .stamp_ros_ns = t->now,
        .is_age_known = true,
        .age_ns = 3 * MS,
        .is_source_active = true,
        .is_plausible = true,
    };
    if (chance(&r->seed, 100)) {
        spoil(&r->seed, &frame);
    }
    if (tn_session_frame(&r->session, &frame, t->now) == TN_OK) {
        r->flowed++;
        if (!is_lawful(t, &frame)) {
            r->violations++;
        }
        t->used_sequence = frame.sequence;
        t->had_fresh = true;
    }
    // anything that the session may have taken for a sign of life keeps the truth's clock honest
    if (frame.stream_id == t->stream && frame.side == TN_SIDE_LEFT && frame.is_plausible &&
        frame.is_age_known && !frame.is_late && frame.age_ns <= 200 * MS &&
        strcmp(frame.device_id, "glove") == 0 && frame.is_source_active) {
        t->had_fresh = true;
        t->last_fresh = t->now - frame.age_ns;
    }
    if (t->stream != t->armed_stream) {
        t->used_sequence = 0;
    }
}

static void no_schedule_moves_a_hand_that_may_not_move(void **state)
{
    (void)state;
    uint64_t flowed = 0;
    for (uint64_t schedule = 1; schedule <= SCHEDULES; schedule++) {
        struct run r = {.seed = schedule * 7919, .truth = {.now = 1000 * MS, .stream = 1}};
        struct tn_session_options options = tn_session_options_default(TN_SIDE_LEFT);
        assert_int_equal(tn_session_init(&r.session, &options, NULL), TN_OK);
        for (unsigned i = 0; i < STEPS; i++) {
            step(&r);
        }
        if (r.violations != 0) {
            fail_msg("schedule %llu: %u unlawful targets", (unsigned long long)schedule,
                     r.violations);
        }
        flowed += r.flowed;
    }
    // the proof is worth something only if hands did move
    assert_true(flowed > (uint64_t)SCHEDULES * STEPS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_schedule_moves_a_hand_that_may_not_move)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
