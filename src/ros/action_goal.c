// SPDX-License-Identifier: Apache-2.0
#include "ros/action_goal.h"

#include <string.h>

#include "base/clock.h"

// everything that is not named here is not allowed, and 0 is UNKNOWN
static const enum tn_ros_goal_state transitions[TN_ROS_GOAL_N_STATES][TN_ROS_GOAL_N_EVENTS] = {
    [TN_ROS_GOAL_ACCEPTED] =
        {
            [TN_ROS_GOAL_EVENT_EXECUTE] = TN_ROS_GOAL_EXECUTING,
            [TN_ROS_GOAL_EVENT_CANCEL_GOAL] = TN_ROS_GOAL_CANCELING,
        },
    [TN_ROS_GOAL_EXECUTING] =
        {
            [TN_ROS_GOAL_EVENT_CANCEL_GOAL] = TN_ROS_GOAL_CANCELING,
            [TN_ROS_GOAL_EVENT_SUCCEED] = TN_ROS_GOAL_SUCCEEDED,
            [TN_ROS_GOAL_EVENT_ABORT] = TN_ROS_GOAL_ABORTED,
        },
    [TN_ROS_GOAL_CANCELING] =
        {
            [TN_ROS_GOAL_EVENT_SUCCEED] = TN_ROS_GOAL_SUCCEEDED,
            [TN_ROS_GOAL_EVENT_ABORT] = TN_ROS_GOAL_ABORTED,
            [TN_ROS_GOAL_EVENT_CANCELED] = TN_ROS_GOAL_CANCELED,
        },
};

enum tn_ros_goal_state tn_ros_goal_transition(enum tn_ros_goal_state state,
                                              enum tn_ros_goal_event event)
{
    if ((unsigned)state >= TN_ROS_GOAL_N_STATES || (unsigned)event >= TN_ROS_GOAL_N_EVENTS)
        return TN_ROS_GOAL_UNKNOWN;
    return transitions[state][event];
}

bool tn_ros_goal_is_active(enum tn_ros_goal_state state)
{
    return state == TN_ROS_GOAL_ACCEPTED || state == TN_ROS_GOAL_EXECUTING ||
           state == TN_ROS_GOAL_CANCELING;
}

bool tn_ros_goal_is_cancelable(enum tn_ros_goal_state state)
{
    return tn_ros_goal_transition(state, TN_ROS_GOAL_EVENT_CANCEL_GOAL) != TN_ROS_GOAL_UNKNOWN;
}

const char *tn_ros_goal_state_name(enum tn_ros_goal_state state)
{
    static const char *const names[TN_ROS_GOAL_N_STATES] = {
        "UNKNOWN", "ACCEPTED", "EXECUTING", "CANCELING", "SUCCEEDED", "CANCELED", "ABORTED"};
    return (unsigned)state < TN_ROS_GOAL_N_STATES ? names[state] : names[0];
}

bool tn_ros_goal_id_equal(const struct tn_ros_goal_id *a, const struct tn_ros_goal_id *b)
{
    return memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

bool tn_ros_goal_id_is_zero(const struct tn_ros_goal_id *id)
{
    static const struct tn_ros_goal_id zero;
    return tn_ros_goal_id_equal(id, &zero);
}

const char *tn_ros_goal_id_text(const struct tn_ros_goal_id *id, char out[TN_ROS_GOAL_ID_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    for (uint32_t i = 0; i < TN_ROS_GOAL_ID_SIZE; i++) {
        out[2 * i] = digits[id->uuid[i] >> 4];
        out[2 * i + 1] = digits[id->uuid[i] & 15];
    }
    out[TN_ROS_GOAL_ID_TEXT - 1] = '\0';
    return out;
}

// ---- the table ----

enum tn_result tn_ros_goal_table_init(struct tn_ros_goal_table *table, struct tn_ros_goal *goals,
                                      uint32_t *order, uint32_t capacity, int64_t result_timeout_ns)
{
    if (capacity == 0 || capacity == TN_ROS_GOAL_NONE || result_timeout_ns <= 0)
        return TN_ERR_INVALID_ARGUMENT;
    memset(goals, 0, capacity * sizeof *goals);
    *table = (struct tn_ros_goal_table){.goals = goals,
                                        .order = order,
                                        .capacity = capacity,
                                        .result_timeout_ns = result_timeout_ns};
    return TN_OK;
}

uint32_t tn_ros_goal_find(const struct tn_ros_goal_table *table, const struct tn_ros_goal_id *id)
{
    for (uint32_t i = 0; i < table->n; i++)
        if (tn_ros_goal_id_equal(&table->goals[table->order[i]].id, id))
            return table->order[i];
    return TN_ROS_GOAL_NONE;
}

/// Takes the goal at a place of the order out of the table. @return its slot.
static uint32_t take_out(struct tn_ros_goal_table *table, uint32_t place)
{
    uint32_t slot = table->order[place];
    table->n--;
    memmove(&table->order[place], &table->order[place + 1],
            (table->n - place) * sizeof *table->order);
    memset(&table->goals[slot], 0, sizeof table->goals[slot]);
    return slot;
}

/// @return whether `a` makes room before `b`; both have ended.
static bool goes_first(const struct tn_ros_goal *a, const struct tn_ros_goal *b)
{
    if (a->is_fetched != b->is_fetched)
        return a->is_fetched;
    return a->ended_steady_ns < b->ended_steady_ns;
}

/// @return the place of the ended goal that makes room; TN_ROS_GOAL_NONE: none has ended.
static uint32_t find_victim(const struct tn_ros_goal_table *table)
{
    uint32_t victim = TN_ROS_GOAL_NONE;
    for (uint32_t i = 0; i < table->n; i++) {
        const struct tn_ros_goal *goal = &table->goals[table->order[i]];
        if (!tn_ros_goal_is_active(goal->state) &&
            (victim == TN_ROS_GOAL_NONE || goes_first(goal, &table->goals[table->order[victim]])))
            victim = i;
    }
    return victim;
}

static uint32_t find_free(const struct tn_ros_goal_table *table)
{
    uint32_t slot = 0;
    while (table->goals[slot].state != TN_ROS_GOAL_UNKNOWN)
        slot++;
    return slot;
}

uint32_t tn_ros_goal_next_out(const struct tn_ros_goal_table *table)
{
    uint32_t victim = table->n == table->capacity ? find_victim(table) : TN_ROS_GOAL_NONE;
    return victim == TN_ROS_GOAL_NONE ? TN_ROS_GOAL_NONE : table->order[victim];
}

enum tn_result tn_ros_goal_accept(struct tn_ros_goal_table *table, const struct tn_ros_goal_id *id,
                                  int64_t now_ros_ns, uint32_t *out_slot,
                                  enum tn_ros_goal_room *out_room)
{
    bool is_full = table->n == table->capacity;
    uint32_t victim = TN_ROS_GOAL_NONE;
    if (tn_ros_goal_find(table, id) != TN_ROS_GOAL_NONE)
        return TN_ERR_EXISTS;
    if (is_full)
        victim = find_victim(table);
    if (is_full && victim == TN_ROS_GOAL_NONE)
        return TN_ERR_LIMIT;
    if (out_room != NULL)
        *out_room = !is_full                                        ? TN_ROS_GOAL_ROOM_FREE
                    : table->goals[table->order[victim]].is_fetched ? TN_ROS_GOAL_ROOM_FETCHED
                                                                    : TN_ROS_GOAL_ROOM_UNFETCHED;
    uint32_t slot = is_full ? take_out(table, victim) : find_free(table);
    table->goals[slot] =
        (struct tn_ros_goal){.id = *id, .state = TN_ROS_GOAL_ACCEPTED, .stamp_ros_ns = now_ros_ns};
    table->order[table->n++] = slot;
    *out_slot = slot;
    return TN_OK;
}

enum tn_result tn_ros_goal_apply(struct tn_ros_goal_table *table, uint32_t slot,
                                 enum tn_ros_goal_event event, int64_t now_steady_ns)
{
    struct tn_ros_goal *goal = &table->goals[slot];
    enum tn_ros_goal_state next = tn_ros_goal_transition(goal->state, event);
    if (next == TN_ROS_GOAL_UNKNOWN)
        return TN_ERR_STATE;
    goal->state = next;
    if (!tn_ros_goal_is_active(next))
        goal->ended_steady_ns = now_steady_ns;
    return TN_OK;
}

/// @return when a goal's result goes; INT64_MAX: it has not ended.
static int64_t expiry_ns(const struct tn_ros_goal_table *table, uint32_t place)
{
    const struct tn_ros_goal *goal = &table->goals[table->order[place]];
    return tn_ros_goal_is_active(goal->state)
               ? INT64_MAX
               : tn_ns_add(goal->ended_steady_ns, table->result_timeout_ns);
}

uint32_t tn_ros_goal_expire(struct tn_ros_goal_table *table, int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < table->n; i++) {
        int64_t expires_ns = expiry_ns(table, i);
        if (expires_ns != INT64_MAX && expires_ns <= now_steady_ns)
            return take_out(table, i);
    }
    return TN_ROS_GOAL_NONE;
}

int64_t tn_ros_goal_next_expiry(const struct tn_ros_goal_table *table)
{
    int64_t first_ns = INT64_MAX;
    for (uint32_t i = 0; i < table->n; i++) {
        int64_t expires_ns = expiry_ns(table, i);
        if (expires_ns < first_ns)
            first_ns = expires_ns;
    }
    return first_ns;
}

// ---- cancel requests ----

static enum tn_ros_cancel_code select_one(const struct tn_ros_goal_table *table,
                                          const struct tn_ros_goal_id *id, uint32_t *out_slots,
                                          uint32_t *out_n)
{
    uint32_t slot = tn_ros_goal_find(table, id);
    if (slot == TN_ROS_GOAL_NONE)
        return TN_ROS_CANCEL_UNKNOWN_GOAL_ID;
    if (!tn_ros_goal_is_cancelable(table->goals[slot].state))
        return TN_ROS_CANCEL_GOAL_TERMINATED;
    out_slots[(*out_n)++] = slot;
    return TN_ROS_CANCEL_NONE;
}

enum tn_ros_cancel_code tn_ros_goal_select(const struct tn_ros_goal_table *table,
                                           const struct tn_ros_goal_id *id, int64_t stamp_ros_ns,
                                           uint32_t *out_slots, uint32_t *out_n)
{
    bool is_any = tn_ros_goal_id_is_zero(id);
    *out_n = 0;
    if (!is_any && stamp_ros_ns == 0)
        return select_one(table, id, out_slots, out_n);
    int64_t before_ns = stamp_ros_ns == 0 ? INT64_MAX : stamp_ros_ns;
    for (uint32_t i = 0; i < table->n; i++) {
        const struct tn_ros_goal *goal = &table->goals[table->order[i]];
        bool is_meant = goal->stamp_ros_ns <= before_ns || tn_ros_goal_id_equal(&goal->id, id);
        if (is_meant && tn_ros_goal_is_cancelable(goal->state))
            out_slots[(*out_n)++] = table->order[i];
    }
    return TN_ROS_CANCEL_NONE;
}
