// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices/oracle/oracle__internal.h"

// a stamp is its receive time rounded down to this
#define STAMP_STEP_NS  TN_NS_PER_MS
#define FIRST_CAPACITY 1024

struct tn_oracle_options tn_oracle_options_default(void)
{
    return (struct tn_oracle_options){.max_age_ns = TN_ORACLE_MAX_AGE_NS,
                                      .tolerance_ns = TN_ORACLE_TOLERANCE_NS};
}

enum tn_result tn_oracle_create(const struct tn_oracle_options *options,
                                struct tn_oracle **out_oracle, struct tn_error *err)
{
    struct tn_oracle_options chosen = options != NULL ? *options : tn_oracle_options_default();
    if (chosen.max_age_ns <= 0 || chosen.tolerance_ns < 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "max age %" PRId64 " ns, tolerance %" PRId64
                            " ns: expected more than 0 and at least 0",
                            chosen.max_age_ns, chosen.tolerance_ns);
    struct tn_oracle *oracle = calloc(1, sizeof *oracle);
    if (oracle == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for an oracle");
    oracle->options = chosen;
    *out_oracle = oracle;
    return TN_OK;
}

void tn_oracle_destroy(struct tn_oracle **oracle)
{
    if (oracle == NULL || *oracle == NULL)
        return;
    for (unsigned side = 0; side < TN_SIDES; side++) {
        free((*oracle)->sent[side].entries);
        free((*oracle)->executed[side].entries);
    }
    free(*oracle);
    *oracle = NULL;
}

enum tn_result tn_oracle__append(struct tn_oracle__list *list, const struct tn_oracle__entry *entry)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity == 0 ? FIRST_CAPACITY : 2 * list->capacity;
        struct tn_oracle__entry *entries = realloc(list->entries, capacity * sizeof *entries);
        if (entries == NULL)
            return TN_ERR_NO_MEMORY;
        list->entries = entries;
        list->capacity = capacity;
    }
    list->entries[list->n++] = *entry;
    return TN_OK;
}

// ---- judging ----

static int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_wall_time(const void *a, const void *b)
{
    const struct tn_oracle__entry *left = a, *right = b;
    int order = compare_i64(left->wall_ns, right->wall_ns);
    return order != 0 ? order : (left->order > right->order) - (left->order < right->order);
}

static int by_value(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return compare_i64(*left, *right);
}

static void sort_entries(struct tn_oracle__list *list)
{
    if (list->n > 1)
        qsort(list->entries, list->n, sizeof *list->entries, by_wall_time);
}

// the newest datagram that can have been received at a stamp and had been sent when its command was
// executed; NULL: none
static const struct tn_oracle__entry *find_sent(const struct tn_oracle__list *sent,
                                                int64_t stamp_ns, int64_t executed_steady_ns)
{
    int64_t before_ns = tn_ns_add(stamp_ns, STAMP_STEP_NS);
    size_t low = 0, high = sent->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sent->entries[middle].wall_ns < before_ns)
            low = middle + 1;
        else
            high = middle;
    }
    // within the millisecond that the stamp hides, one that was not sent yet is not the cause
    while (low > 1 && sent->entries[low - 1].wall_ns >= stamp_ns &&
           sent->entries[low - 1].steady_ns > executed_steady_ns)
        low--;
    return low > 0 ? &sent->entries[low - 1] : NULL;
}

// adds the ages of matched commands to `ages` and counts the rest
static size_t judge_commands(const struct tn_oracle *oracle, unsigned side, int64_t *ages,
                             struct tn_oracle_side_verdict *verdict)
{
    const struct tn_oracle__list *executed = &oracle->executed[side];
    int64_t limit_ns = tn_ns_add(oracle->options.max_age_ns, oracle->options.tolerance_ns);
    size_t n_ages = 0;
    for (size_t i = 0; i < executed->n; i++) {
        const struct tn_oracle__entry *command = &executed->entries[i];
        // sorted by stamp: equal ones are neighbours
        if (i > 0 && command->wall_ns == command[-1].wall_ns)
            verdict->repeated++;
        const struct tn_oracle__entry *sent =
            find_sent(&oracle->sent[side], command->wall_ns, command->steady_ns);
        int64_t age_ns = sent != NULL ? tn_ns_sub(command->steady_ns, sent->steady_ns) : -1;
        if (age_ns < 0) {
            verdict->unmatched++;
            continue;
        }
        if (age_ns > limit_ns)
            verdict->stale++;
        ages[n_ages++] = age_ns;
    }
    return n_ages;
}

static void judge_side(struct tn_oracle *oracle, unsigned side, int64_t *ages,
                       struct tn_oracle_side_verdict *verdict)
{
    *verdict = (struct tn_oracle_side_verdict){.sent = oracle->sent[side].n,
                                               .executed = oracle->executed[side].n};
    for (unsigned event = 0; event < TN_ORACLE_EVENTS; event++)
        verdict->events[event] = oracle->events[side][event];
    sort_entries(&oracle->sent[side]);
    sort_entries(&oracle->executed[side]);
    size_t n = judge_commands(oracle, side, ages, verdict);
    verdict->has_ages = n > 0;
    if (n == 0)
        return;
    // nearest rank: the smallest age that at least this share does not exceed
    qsort(ages, n, sizeof *ages, by_value);
    verdict->p50_age_ns = ages[(n - 1) / 2];
    verdict->p99_age_ns = ages[(n * 99 + 99) / 100 - 1];
    verdict->max_age_ns = ages[n - 1];
}

enum tn_result tn_oracle_judge(struct tn_oracle *oracle, struct tn_oracle_verdict *out_verdict,
                               struct tn_error *err)
{
    size_t n = oracle->executed[0].n > oracle->executed[1].n ? oracle->executed[0].n
                                                             : oracle->executed[1].n;
    int64_t *ages = calloc(n + 1, sizeof *ages);
    if (ages == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %zu ages", n);
    struct tn_oracle_verdict verdict = {.is_clean = true};
    for (unsigned side = 0; side < TN_SIDES; side++) {
        judge_side(oracle, side, ages, &verdict.sides[side]);
        if (verdict.sides[side].stale + verdict.sides[side].repeated +
                verdict.sides[side].unmatched >
            0)
            verdict.is_clean = false;
    }
    free(ages);
    *out_verdict = verdict;
    return TN_OK;
}
