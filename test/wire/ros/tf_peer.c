// SPDX-License-Identifier: Apache-2.0
// /tf and /tf_static with a stranger, in both directions, with late joiners of /tf_static on both
// sides. argv[1]: the peer program.
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

struct both {
    struct harness h;
    struct peer peer;
    struct tn_tf_broadcaster *broadcaster;
    struct tn_tf_listener *listener;
    struct tn_tf_result found;
    int64_t stamp_ros_ns;
};

static struct tn_tf make(const char *parent, const char *child, int64_t stamp_ros_ns, double x)
{
    return (struct tn_tf){.stamp_ros_ns = stamp_ros_ns,
                          .parent = parent,
                          .child = child,
                          .T_parent_child = {.p = {x, 0, 0}, .q = tn_quat_identity()}};
}

static bool hears_all(void *context)
{
    struct both *b = context;
    // what is moving reaches volatile readers only when they are matched
    struct tn_tf tf = make("map", "our_base", 2000 * TN_NS_PER_S, 7);
    (void)tn_tf_send(b->broadcaster, &tf, 1);
    return tn_tf_buffer_lookup(tn_tf_listener_buffer(b->listener), "map", "glass", 0, &b->found,
                               NULL) == TN_OK &&
           tn_tf_buffer_can_transform(tn_tf_listener_buffer(b->listener), "map", "glass",
                                      b->found.stamp_ns - 5 * TN_NS_PER_MS) &&
           peer_count(&b->peer, "tf our_base") > 0 && peer_count(&b->peer, "static our_tip") > 0;
}

static double x_at(struct both *b, int64_t time_ns)
{
    struct tn_tf_result out;
    struct tn_error err = {0};
    if (tn_tf_buffer_lookup(tn_tf_listener_buffer(b->listener), "map", "glass", time_ns, &out,
                            &err) != TN_OK)
        fail_msg("%s", err.text);
    return out.T_target_source.p.x;
}

static void listen(struct both *b)
{
    struct tn_error err = {0};
    if (tn_tf_listener_create(b->h.node, NULL, &b->listener, &err) != TN_OK)
        fail_msg("%s", err.text);
    harness_wait(&b->h, hears_all, b, "transforms in both directions");
}

static void transforms_go_both_ways(void **state)
{
    struct both b = {0};
    struct tn_error err = {0};
    harness_open(&b.h);
    assert_int_equal(tn_tf_broadcaster_create(b.h.node, &b.broadcaster, &err), TN_OK);
    struct tn_tf lens = make("our_base", "our_lens", 0, 1), tip = make("our_lens", "our_tip", 0, 2);
    assert_int_equal(tn_tf_send_static(b.broadcaster, &lens), TN_OK);
    assert_int_equal(tn_tf_send_static(b.broadcaster, &tip), TN_OK);
    peer_start(&b.h, &b.peer, (const char *const[]){*state, "0", "tf", NULL});

    // twice: what was static before the listener came reaches it all the same
    for (int i = 0; i < 2; i++) {
        listen(&b);
        double k = b.found.T_target_source.p.x - 0.75;
        assert_true(fabs(k - round(k)) < 1e-9);
        // the stamp is that of the transform which was found
        assert_true(b.found.stamp_ns == 1000 * TN_NS_PER_S + (int64_t)k * 10 * TN_NS_PER_MS);
        assert_true(fabs(x_at(&b, b.found.stamp_ns - 5 * TN_NS_PER_MS) - (k - 0.5 + 0.75)) < 1e-9);
        tn_tf_listener_destroy(&b.listener);
    }

    // a late joiner gets all static frames in one message
    assert_non_null(peer_find(&b.peer, 0, "tf our_base map 2000.000000000 7"));
    assert_non_null(peer_find(&b.peer, 0, "static our_lens our_base 0.000000000 1 0 of 2"));
    assert_non_null(peer_find(&b.peer, 0, "static our_tip our_lens 0.000000000 2 1 of 2"));
    assert_null(peer_find(&b.peer, 0, "bad"));
    tn_tf_broadcaster_destroy(&b.broadcaster);
    peer_stop(&b.peer);
    harness_close(&b.h);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(transforms_go_both_ways, argc > 1 ? argv[1] : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
