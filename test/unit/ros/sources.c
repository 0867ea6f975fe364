// SPDX-License-Identifier: Apache-2.0
// Which writers a subscription remembers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ros/ros__node.h"

#define START_NS (1000 * TN_NS_PER_S)

struct rig {
    struct tn_ros__source sources[TN_ROS__WRITERS_MAX];
    uint64_t use;
    int64_t now_ns;
};

/// A sample of writer `number`, as a subscription takes it.
static struct tn_ros__source *hear(struct rig *rig, uint32_t number)
{
    struct tn_gid gid = {{0}};
    int64_t sample_ns = 0;
    memcpy(gid.data, &number, sizeof number);
    struct tn_ros__source *source = tn_ros__source_find(rig->sources, gid, ++rig->use, rig->now_ns);
    enum tn_result result = tn_time_map_update(&source->map, rig->now_ns, rig->now_ns, &sample_ns);
    assert_true(result != TN_ERR_CLOCK_STEP);
    return source;
}

static void settle(struct rig *rig, uint32_t number)
{
    for (int i = 0; i < 60; i++) {
        rig->now_ns += 10 * TN_NS_PER_MS;
        (void)hear(rig, number);
    }
    assert_true(tn_ros__source_is_live(hear(rig, number), rig->now_ns));
}

static void a_crowd_does_not_push_out_the_known(void **state)
{
    struct rig rig = {.now_ns = START_NS};
    (void)state;
    settle(&rig, 1);
    for (uint32_t i = 0; i < 10000; i++) {
        rig.now_ns += TN_NS_PER_MS;
        (void)hear(&rig, 1000 + i);
        if (i % 50 == 0)
            assert_true(hear(&rig, 1)->map.is_valid);
    }
}

// restarts over a day leave no dead writers that keep new ones from being known
static void the_dead_make_room(void **state)
{
    struct rig rig = {.now_ns = START_NS};
    (void)state;
    for (uint32_t i = 1; i <= TN_ROS__WRITERS_MAX; i++)
        settle(&rig, i);
    rig.now_ns += 11 * TN_NS_PER_S;
    for (int i = 0; i < 60; i++) {
        rig.now_ns += 10 * TN_NS_PER_MS;
        (void)hear(&rig, 101);
        (void)hear(&rig, 102);
    }
    assert_true(hear(&rig, 101)->map.is_valid);
    assert_true(hear(&rig, 102)->map.is_valid);
}

static void with_all_alive_the_longest_unused_gives_way(void **state)
{
    struct rig rig = {.now_ns = START_NS};
    (void)state;
    for (int i = 0; i < 60; i++) {
        rig.now_ns += 10 * TN_NS_PER_MS;
        for (uint32_t k = 1; k <= TN_ROS__WRITERS_MAX; k++)
            (void)hear(&rig, k);
    }
    (void)hear(&rig, 1);
    (void)hear(&rig, 100);
    for (uint32_t k = 1; k <= TN_ROS__WRITERS_MAX; k++) {
        bool is_kept = false;
        for (uint32_t i = 0; i < TN_ROS__WRITERS_MAX; i++)
            is_kept = is_kept || memcmp(rig.sources[i].gid.data, &k, sizeof k) == 0;
        assert_int_equal(is_kept, k != 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_does_not_push_out_the_known),
        cmocka_unit_test(the_dead_make_room),
        cmocka_unit_test(with_all_alive_the_longest_unused_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
