// SPDX-License-Identifier: Apache-2.0
#include "base/stats.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

// a rate slot, and how many make up the window
#define SLOT_NS (100 * TN_NS_PER_MS)
enum { WINDOW_SLOTS = 10, SLOTS = 11, SUB_BITS = 6 };

static unsigned highest_bit(uint64_t value)
{
    unsigned bit = 0;
    while (value >>= 1)
        bit++;
    return bit;
}

// below 64 ns one bucket per ns, above it 64 per power of two
static unsigned bucket_of(uint64_t value)
{
    if (value < TN_HISTOGRAM_SUB)
        return (unsigned)value;
    const unsigned shift = highest_bit(value) - SUB_BITS;
    const unsigned bucket =
        (shift + 1) * TN_HISTOGRAM_SUB + (unsigned)(value >> shift) - TN_HISTOGRAM_SUB;
    return bucket < TN_HISTOGRAM_BUCKETS ? bucket : TN_HISTOGRAM_BUCKETS - 1;
}

static int64_t upper_edge(unsigned bucket)
{
    if (bucket < TN_HISTOGRAM_SUB)
        return (int64_t)bucket;
    const unsigned shift = bucket / TN_HISTOGRAM_SUB - 1;
    const int64_t mantissa = (int64_t)(bucket % TN_HISTOGRAM_SUB) + TN_HISTOGRAM_SUB;
    return ((mantissa + 1) << shift) - 1;
}

void tn_histogram_add(struct tn_histogram *histogram, int64_t duration_ns)
{
    const int64_t duration = duration_ns > 0 ? duration_ns : 0;
    uint32_t *bucket = &histogram->buckets[bucket_of((uint64_t)duration)];
    if (*bucket < UINT32_MAX)
        ++*bucket;
    if (histogram->count == 0 || duration < histogram->min_ns)
        histogram->min_ns = duration;
    if (histogram->count == 0 || duration > histogram->max_ns)
        histogram->max_ns = duration;
    histogram->count++;
    histogram->sum_ns += (double)duration;
}

int64_t tn_histogram_quantile_ns(const struct tn_histogram *histogram, double quantile)
{
    if (histogram->count == 0)
        return 0;
    const double share = quantile > 0 ? fmin(quantile, 1) : 0;
    const double wanted = fmax(1, ceil(share * (double)histogram->count));
    double seen = 0;
    for (unsigned i = 0; i < TN_HISTOGRAM_BUCKETS - 1; i++) {
        seen += histogram->buckets[i];
        if (seen >= wanted) {
            const int64_t edge = upper_edge(i);
            return edge < histogram->max_ns ? edge : histogram->max_ns;
        }
    }
    // the last bucket is open above
    return histogram->max_ns;
}

void tn_histogram_reset(struct tn_histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
}

static int64_t slot_number(int64_t now_steady_ns)
{
    const int64_t quotient = now_steady_ns / SLOT_NS;
    return now_steady_ns % SLOT_NS < 0 ? quotient - 1 : quotient;
}

static uint32_t *slot_at(struct tn_rate *rate, int64_t number)
{
    const int64_t index = number % SLOTS;
    return &rate->slots[index < 0 ? index + SLOTS : index];
}

// empties the slots between the last use and now; a clock running back changes nothing
static void advance(struct tn_rate *rate, int64_t now_steady_ns)
{
    const int64_t now = slot_number(now_steady_ns);
    if (!rate->started || now - rate->slot_index >= SLOTS) {
        memset(rate->slots, 0, sizeof rate->slots);
        rate->slot_index = now;
        rate->started = true;
    }
    while (rate->slot_index < now)
        *slot_at(rate, ++rate->slot_index) = 0;
}

void tn_rate_add(struct tn_rate *rate, int64_t now_steady_ns)
{
    advance(rate, now_steady_ns);
    uint32_t *slot = slot_at(rate, rate->slot_index);
    if (*slot < UINT32_MAX)
        ++*slot;
}

double tn_rate_hz(struct tn_rate *rate, int64_t now_steady_ns)
{
    advance(rate, now_steady_ns);
    double sum = 0;
    for (int64_t i = 1; i <= WINDOW_SLOTS; i++)
        sum += *slot_at(rate, rate->slot_index - i);
    return sum;
}
