// SPDX-License-Identifier: Apache-2.0
#include "effector/command.h"

#include <math.h>
#include <string.h>

#include "effector/joints.h"

const char *tn_effector_verdict_key(enum tn_effector_verdict verdict)
{
#define KEY(name, key, text) key,
    static const char *const keys[] = {TN_EFFECTOR_VERDICT_LIST(KEY)};
#undef KEY
    return (unsigned)verdict < TN_EFFECTOR_VERDICTS ? keys[verdict] : "?";
}

const char *tn_effector_verdict_text(enum tn_effector_verdict verdict)
{
#define TEXT(name, key, text) text,
    static const char *const texts[] = {TN_EFFECTOR_VERDICT_LIST(TEXT)};
#undef TEXT
    return (unsigned)verdict < TN_EFFECTOR_VERDICTS ? texts[verdict] : "?";
}

static enum tn_effector_verdict judge_mode(const struct tn_effector_command_rules *rules,
                                           uint8_t mode)
{
    if (mode >= TN_EFFECTOR_MODES)
        return TN_EFFECTOR_CMD_UNKNOWN_MODE;
    return (rules->modes >> mode & 1u) != 0 ? TN_EFFECTOR_CMD_ACCEPTED
                                            : TN_EFFECTOR_CMD_UNSUPPORTED_MODE;
}

static enum tn_effector_verdict judge_value(uint8_t mode, double value)
{
    if (!isfinite(value))
        return TN_EFFECTOR_CMD_NOT_FINITE;
    double min = mode == TN_EFFECTOR_POSITION ? 0.0 : -100.0;
    return value >= min && value <= 100.0 ? TN_EFFECTOR_CMD_ACCEPTED : TN_EFFECTOR_CMD_RANGE;
}

// the joint that entry i of the command is about
static enum tn_effector_verdict resolve(const struct tn_effector_command_rules *rules,
                                        const struct tn_effector_command *command, uint32_t i,
                                        uint32_t *out_joint)
{
    if (command->n_names == 0) {
        *out_joint = i;
        return TN_EFFECTOR_CMD_ACCEPTED;
    }
    switch ((int)tn_effector_joint_find(rules->kind, rules->side, command->names[i], out_joint)) {
    case TN_OK:
        return TN_EFFECTOR_CMD_ACCEPTED;
    case TN_ERR_WRONG_SIDE:
        return TN_EFFECTOR_CMD_WRONG_SIDE;
    default:
        return TN_EFFECTOR_CMD_UNKNOWN_NAME;
    }
}

static enum tn_effector_verdict judge_entry(const struct tn_effector_command_rules *rules,
                                            const struct tn_effector_command *command, uint32_t i,
                                            struct tn_effector_targets *targets)
{
    uint32_t joint = 0;
    enum tn_effector_verdict verdict = resolve(rules, command, i, &joint);
    if (verdict != TN_EFFECTOR_CMD_ACCEPTED)
        return verdict;
    if ((targets->joints >> joint & 1u) != 0)
        return TN_EFFECTOR_CMD_DUPLICATE_NAME;
    verdict = judge_value(command->mode, command->values[i]);
    if (verdict != TN_EFFECTOR_CMD_ACCEPTED)
        return verdict;
    targets->joints |= 1u << joint;
    targets->value[joint] = command->values[i];
    return TN_EFFECTOR_CMD_ACCEPTED;
}

static enum tn_effector_verdict judge_entries(const struct tn_effector_command_rules *rules,
                                              const struct tn_effector_command *command,
                                              struct tn_effector_targets *targets,
                                              uint32_t *culprit)
{
    uint32_t n_joints = tn_effector_joint_count(rules->kind);
    if (command->n_names != 0 && command->n_names != command->n_values)
        return TN_EFFECTOR_CMD_LENGTH;
    if (command->n_names == 0 && command->n_values != n_joints)
        return TN_EFFECTOR_CMD_COUNT;
    for (uint32_t i = 0; i < command->n_values && i < TN_EFFECTOR_MAX_JOINTS; i++) {
        enum tn_effector_verdict verdict = judge_entry(rules, command, i, targets);
        if (verdict != TN_EFFECTOR_CMD_ACCEPTED) {
            *culprit = i;
            return verdict;
        }
    }
    // more names than joints: one of those not looked at must be a repetition or unknown
    if (command->n_values > TN_EFFECTOR_MAX_JOINTS)
        return TN_EFFECTOR_CMD_DUPLICATE_NAME;
    return TN_EFFECTOR_CMD_ACCEPTED;
}

static bool is_other_active(const struct tn_effector_acceptor *acceptor,
                            const struct tn_effector_command_rules *rules,
                            const struct tn_effector_command *command, int64_t now_steady_ns)
{
    return acceptor->has_owner && command->has_writer &&
           memcmp(acceptor->owner, command->writer, TN_EFFECTOR_WRITER_SIZE) != 0 &&
           tn_ns_sub(now_steady_ns, acceptor->owner_steady_ns) < rules->command_timeout_ns;
}

// how far back a fresh stamp may lie behind the last one while clocks run steadily
static int64_t order_window_ns(const struct tn_effector_command_rules *rules)
{
    return tn_ns_add(rules->max_age_ns, TN_EFFECTOR_FUTURE_NS);
}

// believed only after a silence in which every stamp accepted before has grown stale: what the
// order no longer refuses then, the age does, and no stamp is executed twice
static bool is_clock_step(const struct tn_effector_acceptor *acceptor,
                          const struct tn_effector_command_rules *rules, int64_t stamp_ros_ns,
                          int64_t now_steady_ns)
{
    int64_t window_ns = order_window_ns(rules);
    return acceptor->has_last_stamp &&
           tn_ns_sub(acceptor->last_stamp_ros_ns, stamp_ros_ns) > window_ns &&
           tn_ns_sub(now_steady_ns, acceptor->last_stamp_steady_ns) > window_ns;
}

static enum tn_effector_verdict judge_stamp(const struct tn_effector_acceptor *acceptor,
                                            const struct tn_effector_command_rules *rules,
                                            const struct tn_effector_command *command,
                                            int64_t now_steady_ns)
{
    if (!command->has_stamp)
        return TN_EFFECTOR_CMD_NO_STAMP;
    if (!command->is_age_known)
        return TN_EFFECTOR_CMD_AGE_UNKNOWN;
    if (command->age_ns > rules->max_age_ns)
        return TN_EFFECTOR_CMD_STALE;
    if (command->age_ns < -TN_EFFECTOR_FUTURE_NS)
        return TN_EFFECTOR_CMD_FUTURE;
    if (!acceptor->has_last_stamp || command->stamp_ros_ns > acceptor->last_stamp_ros_ns ||
        is_clock_step(acceptor, rules, command->stamp_ros_ns, now_steady_ns))
        return TN_EFFECTOR_CMD_ACCEPTED;
    return command->stamp_ros_ns == acceptor->last_stamp_ros_ns ? TN_EFFECTOR_CMD_REPEATED
                                                                : TN_EFFECTOR_CMD_REORDERED;
}

static void set_expiry(const struct tn_effector_command_rules *rules,
                       const struct tn_effector_command *command, int64_t now_steady_ns,
                       struct tn_effector_targets *targets)
{
    targets->has_stamp = command->has_stamp;
    targets->stamp_ros_ns = command->stamp_ros_ns;
    targets->has_expiry = rules->has_max_age;
    if (rules->has_max_age)
        targets->expires_steady_ns =
            tn_ns_add(now_steady_ns, tn_ns_sub(rules->max_age_ns, command->age_ns));
}

enum tn_effector_verdict tn_effector_command_judge(const struct tn_effector_acceptor *acceptor,
                                                   const struct tn_effector_command_rules *rules,
                                                   const struct tn_effector_command *command,
                                                   int64_t now_steady_ns,
                                                   struct tn_effector_targets *out_targets,
                                                   uint32_t *out_culprit)
{
    uint32_t culprit = 0;
    *out_targets = (struct tn_effector_targets){.joints = 0};
    enum tn_effector_verdict verdict = judge_mode(rules, command->mode);
    if (verdict == TN_EFFECTOR_CMD_ACCEPTED)
        verdict = judge_entries(rules, command, out_targets, &culprit);
    if (verdict == TN_EFFECTOR_CMD_ACCEPTED && rules->is_exclusive &&
        is_other_active(acceptor, rules, command, now_steady_ns))
        verdict = TN_EFFECTOR_CMD_OTHER_WRITER;
    if (verdict == TN_EFFECTOR_CMD_ACCEPTED && rules->has_max_age)
        verdict = judge_stamp(acceptor, rules, command, now_steady_ns);
    if (out_culprit != NULL)
        *out_culprit = culprit;
    if (verdict == TN_EFFECTOR_CMD_ACCEPTED) {
        out_targets->mode = (enum tn_effector_mode)command->mode;
        set_expiry(rules, command, now_steady_ns, out_targets);
    }
    return verdict;
}

void tn_effector_command_record(struct tn_effector_acceptor *acceptor,
                                const struct tn_effector_command_rules *rules,
                                const struct tn_effector_command *command,
                                enum tn_effector_verdict verdict, int64_t now_steady_ns)
{
    acceptor->counts[verdict]++;
    if (verdict != TN_EFFECTOR_CMD_ACCEPTED)
        return;
    if (rules->has_max_age) {
        if (is_clock_step(acceptor, rules, command->stamp_ros_ns, now_steady_ns))
            acceptor->clock_steps++;
        acceptor->has_last_stamp = true;
        acceptor->last_stamp_ros_ns = command->stamp_ros_ns;
        acceptor->last_stamp_steady_ns = now_steady_ns;
    }
    if (!command->has_writer)
        return;
    if (is_other_active(acceptor, rules, command, now_steady_ns)) {
        acceptor->writer_changes++;
        memcpy(acceptor->other, acceptor->owner, sizeof acceptor->other);
    }
    acceptor->has_owner = true;
    acceptor->owner_steady_ns = now_steady_ns;
    memcpy(acceptor->owner, command->writer, sizeof acceptor->owner);
}
