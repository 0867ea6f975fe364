// SPDX-License-Identifier: Apache-2.0
// input: a send log, a NUL, an execution log
#include <stdlib.h>
#include <string.h>

#include "devices/oracle/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool claim)
{
    if (!claim)
        abort();
}

static void check_side(const struct tn_oracle_side_verdict *side, int64_t limit_ns)
{
    check(side->stale + side->unmatched <= side->executed);
    check(side->repeated <= side->executed);
    check(side->has_ages == (side->unmatched < side->executed));
    check(side->p50_age_ns <= side->p99_age_ns && side->p99_age_ns <= side->max_age_ns);
    check((side->max_age_ns > limit_ns) == (side->stale > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *nul = size > 0 ? memchr(text, 0, size) : NULL;
    size_t sent_size = nul != NULL ? (size_t)(nul - text) : size;
    const char *executed = nul != NULL ? nul + 1 : text + size;
    size_t executed_size = (size_t)(text + size - executed);
    struct tn_oracle *oracle = NULL;
    struct tn_error err = {0};
    struct tn_oracle_verdict verdict;
    if (tn_oracle_create(NULL, &oracle, &err) != TN_OK)
        return 0;
    if (tn_oracle_read_sent(oracle, text, sent_size, "sent", &err) == TN_OK &&
        tn_oracle_read_executed(oracle, executed, executed_size, "executed", &err) == TN_OK &&
        tn_oracle_judge(oracle, &verdict, &err) == TN_OK) {
        char json[4096];
        check(tn_oracle_verdict_json(&verdict, json, sizeof json) == TN_OK);
        for (unsigned side = 0; side < TN_SIDES; side++)
            check_side(&verdict.sides[side], TN_ORACLE_MAX_AGE_NS + TN_ORACLE_TOLERANCE_NS);
    } else {
        // every refusal says why
        check(err.code != TN_OK && err.text[0] != '\0');
    }
    tn_oracle_destroy(&oracle);
    return 0;
}
