// SPDX-License-Identifier: Apache-2.0
#include "ros/clock.h"

#include <string.h>

#include "ros/ros__node.h"
#include "tn_msgs/rosgraph_msgs.h"

/// Wall time is looked at this often, since it may be set back under a timer.
#define LOOK_NS TN_NS_PER_S

// ---- what time it is ----

static int64_t now_ros_ns(const struct tn_ros__clock *clock)
{
    if (clock->is_sim)
        return clock->sim.now_ns;
    struct tn_clock system = tn_loop_clock(clock->loop);
    return system.wall_ns(system.context);
}

int64_t tn_ros_node_now_ros_ns(const struct tn_ros_node *node)
{
    return now_ros_ns(&node->clock);
}

int64_t tn_ros_node_ros_at(const struct tn_ros_node *node, int64_t steady_ns)
{
    const struct tn_ros__clock *clock = &node->clock;
    if (clock->is_sim)
        return tn_ros__sim_time_at(&clock->sim, steady_ns);
    struct tn_clock system = tn_loop_clock(clock->loop);
    int64_t elapsed_ns = tn_ns_sub(system.steady_ns(system.context), steady_ns);
    return tn_ns_sub(system.wall_ns(system.context), elapsed_ns);
}

bool tn_ros_node_is_sim_time(const struct tn_ros_node *node)
{
    return node->clock.is_sim;
}

enum tn_result tn_ros_stamp_age(const struct tn_ros_message_info *info, int64_t stamp_ros_ns,
                                int64_t now_steady_ns, int64_t *out_age_ns)
{
    if (info->clock == NULL || !info->clock->is_sim)
        return tn_ros_wall_age(info, stamp_ros_ns, now_steady_ns, out_age_ns);
    if (info->is_late || !info->is_age_known)
        return TN_ERR_STALE;
    int64_t age_ns = 0;
    enum tn_result result =
        tn_ros__sim_time_age(&info->clock->sim, stamp_ros_ns, now_steady_ns, &age_ns);
    if (result != TN_OK)
        return result;
    // whatever a stamp says, nothing is younger than the message that brought it
    int64_t message_ns =
        tn_ns_add(info->age_ns, tn_ns_sub(now_steady_ns, info->delivered_steady_ns));
    *out_age_ns = age_ns >= 0 && age_ns < message_ns ? message_ns : age_ns;
    return TN_OK;
}

// ---- jumps ----

enum tn_result tn_ros_jump_start(struct tn_ros_node *node, struct tn_ros_jump_handle *handle,
                                 struct tn_ros_jump_threshold threshold, tn_ros_jump_fn callback,
                                 void *context)
{
    if (threshold.min_forward_ns < 0 || threshold.min_backward_ns > 0)
        return TN_ERR_INVALID_ARGUMENT;
    if (handle->node != NULL)
        return TN_ERR_EXISTS;
    *handle = (struct tn_ros_jump_handle){.node = node,
                                          .next = node->clock.handles,
                                          .threshold = threshold,
                                          .callback = callback,
                                          .context = context};
    if (handle->next != NULL)
        handle->next->prev = handle;
    node->clock.handles = handle;
    return TN_OK;
}

void tn_ros_jump_stop(struct tn_ros_jump_handle *handle)
{
    if (handle->node == NULL)
        return;
    struct tn_ros__clock *clock = &handle->node->clock;
    if (clock->next_handle == handle)
        clock->next_handle = handle->next;
    if (handle->prev != NULL)
        handle->prev->next = handle->next;
    else
        clock->handles = handle->next;
    if (handle->next != NULL)
        handle->next->prev = handle->prev;
    memset(handle, 0, sizeof *handle);
}

static bool concerns(const struct tn_ros_jump_threshold *threshold, const struct tn_ros_jump *jump)
{
    if (jump->change != TN_ROS_TIME_NO_CHANGE)
        return threshold->on_clock_change;
    return (threshold->min_forward_ns > 0 && jump->delta_ns >= threshold->min_forward_ns) ||
           (threshold->min_backward_ns < 0 && jump->delta_ns <= threshold->min_backward_ns);
}

static void tell_jump(struct tn_ros__clock *clock, const struct tn_ros_jump *jump, bool is_before)
{
    clock->next_handle = clock->handles;
    while (clock->next_handle != NULL) {
        struct tn_ros_jump_handle *handle = clock->next_handle;
        clock->next_handle = handle->next;
        // last: the callback may stop or free the handle
        if (concerns(&handle->threshold, jump))
            handle->callback(handle->context, jump, is_before);
    }
}

// ---- timers ----

static void on_wake(void *context);

/// Wakes the loop when the next timer may be due.
static void schedule(struct tn_ros__clock *clock)
{
    int64_t now_ns = now_ros_ns(clock), left_ns = INT64_MAX;
    for (const struct tn_ros_timer *timer = clock->timers; timer != NULL; timer = timer->next) {
        int64_t ns = tn_ns_sub(timer->next_ros_ns, now_ns);
        left_ns = ns < left_ns ? ns : left_ns;
    }
    bool is_for_later = clock->is_sim && left_ns > 0;
    if (clock->timers == NULL || is_for_later)
        tn_loop_timer_stop(&clock->wake);
    else
        tn_loop_timer_start(clock->loop, &clock->wake, left_ns < LOOK_NS ? left_ns : LOOK_NS, 0,
                            on_wake, clock);
}

/// After a step back the last call may be in the future: one period from now, then.
static void follow_steps_back(struct tn_ros__clock *clock)
{
    int64_t now_ns = now_ros_ns(clock);
    for (struct tn_ros_timer *timer = clock->timers; timer != NULL; timer = timer->next) {
        if (now_ns >= timer->last_ros_ns)
            continue;
        timer->last_ros_ns = now_ns;
        timer->next_ros_ns = tn_ns_add(now_ns, timer->period_ns);
    }
}

static void fire(struct tn_ros_timer *timer, int64_t now_ns)
{
    int64_t since_ns = tn_ns_sub(now_ns, timer->last_ros_ns);
    timer->is_due = false;
    timer->last_ros_ns = now_ns;
    // periods that were missed are skipped; the phase is kept
    int64_t behind_ns = tn_ns_sub(now_ns, timer->next_ros_ns);
    timer->next_ros_ns =
        tn_ns_add(tn_ns_sub(now_ns, behind_ns % timer->period_ns), timer->period_ns);
    timer->callback(timer->context, since_ns);
}

/// Started before the first tick: its start is that tick, not time 0.
static void begin_with_the_clock(struct tn_ros_timer *timer, int64_t now_ns)
{
    if (timer->last_ros_ns == 0 && now_ns != 0) {
        timer->last_ros_ns = now_ns;
        timer->next_ros_ns = tn_ns_add(now_ns, timer->period_ns);
    }
}

static void on_wake(void *context)
{
    struct tn_ros__clock *clock = context;
    follow_steps_back(clock);
    int64_t now_ns = now_ros_ns(clock);
    // set aside first, so that one started in a callback waits for the next pass
    for (struct tn_ros_timer *timer = clock->timers; timer != NULL; timer = timer->next) {
        begin_with_the_clock(timer, now_ns);
        timer->is_due = timer->next_ros_ns <= now_ns;
    }
    clock->next_timer = clock->timers;
    while (clock->next_timer != NULL) {
        struct tn_ros_timer *timer = clock->next_timer;
        clock->next_timer = timer->next;
        // last: the callback may stop or free the timer
        if (timer->is_due)
            fire(timer, now_ns);
    }
    schedule(clock);
}

enum tn_result tn_ros_timer_start(struct tn_ros_node *node, struct tn_ros_timer *timer,
                                  int64_t period_ns, tn_ros_timer_fn callback, void *context)
{
    if (period_ns <= 0)
        return TN_ERR_INVALID_ARGUMENT;
    tn_ros_timer_stop(timer);
    struct tn_ros__clock *clock = &node->clock;
    int64_t now_ns = now_ros_ns(clock);
    *timer = (struct tn_ros_timer){.node = node,
                                   .next = clock->timers,
                                   .callback = callback,
                                   .context = context,
                                   .period_ns = period_ns,
                                   .last_ros_ns = now_ns,
                                   .next_ros_ns = tn_ns_add(now_ns, period_ns)};
    if (timer->next != NULL)
        timer->next->prev = timer;
    clock->timers = timer;
    schedule(clock);
    return TN_OK;
}

void tn_ros_timer_stop(struct tn_ros_timer *timer)
{
    if (timer->node == NULL)
        return;
    struct tn_ros__clock *clock = &timer->node->clock;
    if (clock->next_timer == timer)
        clock->next_timer = timer->next;
    if (timer->prev != NULL)
        timer->prev->next = timer->next;
    else
        clock->timers = timer->next;
    if (timer->next != NULL)
        timer->next->prev = timer->prev;
    memset(timer, 0, sizeof *timer);
    if (clock->timers == NULL)
        tn_loop_timer_stop(&clock->wake);
}

/// The clocks change: what is left of each period is taken along; not from or to a clock that has
/// no time yet.
static void save_credit(struct tn_ros__clock *clock)
{
    int64_t now_ns = now_ros_ns(clock);
    for (struct tn_ros_timer *timer = clock->timers; timer != NULL; timer = timer->next) {
        timer->has_credit = now_ns != 0;
        timer->credit_ns = tn_ns_sub(timer->next_ros_ns, now_ns);
    }
}

static void spend_credit(struct tn_ros__clock *clock)
{
    int64_t now_ns = now_ros_ns(clock);
    for (struct tn_ros_timer *timer = clock->timers; timer != NULL; timer = timer->next) {
        if (now_ns != 0 && timer->has_credit) {
            timer->next_ros_ns = tn_ns_add(now_ns, timer->credit_ns);
            timer->last_ros_ns = tn_ns_sub(timer->next_ros_ns, timer->period_ns);
        }
        timer->has_credit = false;
    }
}

// ---- /clock ----

void tn_ros__clock_tick(struct tn_ros__clock *clock, const struct tn_ros__heard *heard)
{
    const struct tn_ros_jump jump = {TN_ROS_TIME_NO_CHANGE,
                                     tn_ns_sub(heard->sim_ns, clock->sim.now_ns)};
    tell_jump(clock, &jump, true);
    tn_ros__sim_time_tick(&clock->sim, heard);
    tell_jump(clock, &jump, false);
    follow_steps_back(clock);
    schedule(clock);
}

static void tell_two_writers(struct tn_ros__clock *clock, int64_t now_steady_ns)
{
    if (tn_log_throttle_pass(&clock->writers_log, now_steady_ns, 10 * TN_NS_PER_S, NULL))
        TN_WARN(&clock->node->logger,
                "/clock goes back when another publisher sends it: there are at least two; stop "
                "one (ros2 topic info -v /clock names them)");
}

static void on_clock(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_ros__clock *clock = context;
    const struct builtin_interfaces_msg_Time *time =
        &((const struct rosgraph_msgs_msg_Clock *)message)->clock;
    if (time->sec < 0 || time->nanosec >= TN_NS_PER_S) {
        clock->n_bad++;
        if (tn_log_throttle_pass(&clock->bad_log, info->delivered_steady_ns, TN_NS_PER_S, NULL))
            TN_WARN(&clock->node->logger, "/clock: %d s %u ns is no time, ignored", time->sec,
                    time->nanosec);
        return;
    }
    int64_t sim_ns = time->sec * TN_NS_PER_S + time->nanosec;
    bool is_same_writer = memcmp(&clock->writer, &info->writer, sizeof clock->writer) == 0;
    if (sim_ns < clock->sim.now_ns && !is_same_writer)
        tell_two_writers(clock, info->delivered_steady_ns);
    struct tn_ros__heard heard = {
        .sim_ns = sim_ns,
        .published_steady_ns =
            info->is_age_known ? tn_ns_sub(info->delivered_steady_ns, info->age_ns) : 0,
        .is_moment_known = info->is_age_known,
        .is_next = is_same_writer && info->sequence > 1 && info->sequence == clock->sequence + 1,
    };
    clock->writer = info->writer;
    clock->sequence = info->sequence;
    tn_ros__clock_tick(clock, &heard);
}

static enum tn_result subscribe(struct tn_ros__clock *clock, struct tn_error *err)
{
    struct tn_ros_qos qos = tn_ros_qos_sensor_data();
    qos.depth = 1;
    return tn_ros_subscription_create(clock->node, &rosgraph_msgs_msg_Clock_type, "/clock", qos,
                                      on_clock, clock, &clock->subscription, err);
}

enum tn_result tn_ros__clock_set_sim(struct tn_ros__clock *clock, bool is_sim, struct tn_error *err)
{
    if (is_sim == clock->is_sim)
        return TN_OK;
    if (is_sim) {
        enum tn_result result = subscribe(clock, err);
        if (result != TN_OK)
            return result;
    }
    const struct tn_ros_jump jump = {is_sim ? TN_ROS_TIME_ACTIVATED : TN_ROS_TIME_DEACTIVATED, 0};
    tell_jump(clock, &jump, true);
    save_credit(clock);
    // what /clock said before it was switched off is no time of now
    tn_ros__sim_time_reset(&clock->sim);
    clock->is_sim = is_sim;
    if (!is_sim)
        tn_ros_subscription_destroy(&clock->subscription);
    spend_credit(clock);
    tell_jump(clock, &jump, false);
    schedule(clock);
    return TN_OK;
}

static void on_parameter(void *context, bool use_sim_time)
{
    struct tn_ros__clock *clock = context;
    struct tn_error err = {0};
    if (tn_ros__clock_set_sim(clock, use_sim_time, &err) != TN_OK)
        TN_ERROR(&clock->node->logger, "use_sim_time: %s; the node stays on wall time", err.text);
}

enum tn_result tn_ros__clock_open(struct tn_ros_node *node, struct tn_error *err)
{
    struct tn_ros__clock *clock = &node->clock;
    clock->node = node;
    clock->loop = node->context->loop;
    tn_ros__params_on_sim_time(node, on_parameter, clock);
    return tn_ros__clock_set_sim(clock, node->builtin.use_sim_time, err);
}

void tn_ros__clock_close(struct tn_ros_node *node)
{
    struct tn_ros__clock *clock = &node->clock;
    tn_ros__params_on_sim_time(node, NULL, NULL);
    while (clock->timers != NULL)
        tn_ros_timer_stop(clock->timers);
    while (clock->handles != NULL)
        tn_ros_jump_stop(clock->handles);
    tn_loop_timer_stop(&clock->wake);
    tn_ros_subscription_destroy(&clock->subscription);
}
