// SPDX-License-Identifier: Apache-2.0
// A broadcaster that sends 10^5 names, arrays larger than anyone reads, loops, NaN, empty and
// endless names and far stamps beside one that behaves. argv[1]: the peer program.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/tf.h"
#include "ros/tf_listener.h"
#include "wire/ros/harness.h"

struct flood {
    struct harness h;
    struct peer peer;
    struct tn_tf_broadcaster *broadcaster;
    struct tn_tf_listener *listener;
    struct tn_loop_timer timer;
    int64_t n_sent;
    uint32_t n_looked_up, n_missing;
};

static void on_timer(void *context)
{
    struct flood *f = context;
    struct tn_tf tf = {.stamp_ros_ns = 5000 * TN_NS_PER_S + f->n_sent * 10 * TN_NS_PER_MS,
                       .parent = "world",
                       .child = "good",
                       .T_parent_child = {.p = {(double)f->n_sent, 0, 0}, .q = tn_quat_identity()}};
    f->n_sent++;
    assert_int_equal(tn_tf_send(f->broadcaster, &tf, 1), TN_OK);
    struct tn_tf_result out;
    if (f->n_sent < 100)
        return;
    // what behaves is served meanwhile
    enum tn_result result =
        tn_tf_buffer_lookup(tn_tf_listener_buffer(f->listener), "world", "good", 0, &out, NULL);
    f->n_looked_up++;
    f->n_missing += result != TN_OK;
}

static bool saw_all_of_it(void *context)
{
    struct flood *f = context;
    const struct tn_tf_buffer_counters *c =
        tn_tf_buffer_counters(tn_tf_listener_buffer(f->listener));
    // and one that behaves was served meanwhile
    return f->n_looked_up > 20 && peer_count(&f->peer, "done") > 0 && c->no_room > 10000 &&
           c->not_finite > 0 && c->bad_quaternion > 0 && c->self > 0 && c->no_name > 0 &&
           c->bad_name > 0 && c->bad_stamp > 0;
}

static void a_flood_harms_nobody_else(void **state)
{
    struct flood f = {0};
    struct tn_error err = {0};
    struct tn_tf_frame_info info;
    struct tn_tf_result out;
    harness_open(&f.h);
    assert_int_equal(tn_tf_broadcaster_create(f.h.node, &f.broadcaster, &err), TN_OK);
    assert_int_equal(tn_tf_listener_create(f.h.node, NULL, &f.listener, &err), TN_OK);
    tn_loop_timer_start(f.h.loop, &f.timer, 0, 10 * TN_NS_PER_MS, on_timer, &f);
    harness_run(&f.h, TN_NS_PER_S);
    peer_start(&f.h, &f.peer, (const char *const[]){*state, "0", "hostile", NULL});
    harness_wait(&f.h, saw_all_of_it, &f, "everything a broadcaster can do wrong");
    tn_loop_timer_stop(&f.timer);

    const struct tn_tf_buffer *buffer = tn_tf_listener_buffer(f.listener);
    assert_int_equal(f.n_missing, 0);
    assert_int_equal(tn_tf_buffer_frame(buffer, tn_tf_buffer_options_default().max_frames, &info),
                     TN_ERR_NOT_FOUND);
    // a loop is an answer like another
    enum tn_result result = tn_tf_buffer_lookup(buffer, "world", "ring1", 0, &out, &err);
    assert_true(result == TN_ERR_MALFORMED || result == TN_ERR_NOT_FOUND);
    assert_true(tn_tf_buffer_lookup(buffer, "world", "good", 1, &out, &err) == TN_ERR_STALE);
    peer_stop(&f.peer);
    tn_tf_listener_destroy(&f.listener);
    tn_tf_broadcaster_destroy(&f.broadcaster);
    harness_close(&f.h);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_flood_harms_nobody_else, argc > 1 ? argv[1] : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
