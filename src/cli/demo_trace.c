// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli/cli__demo.h"

// a frame's place among the open ones; a newer stamp takes the place of an old one
static struct tn_demo_open_frame *find_open(struct tn_demo_hand_trace *hand, int64_t stamp_ros_ns)
{
    uint64_t hash = (uint64_t)stamp_ros_ns / 1000000u * UINT64_C(0x9E3779B97F4A7C15);
    struct tn_demo_open_frame *frame = &hand->open[hash >> 54];
    if (frame->stamp_ros_ns != stamp_ros_ns) {
        memset(frame, 0, sizeof *frame);
        frame->stamp_ros_ns = stamp_ros_ns;
    }
    return frame;
}

static void count(struct tn_demo_hand_trace *hand, const struct tn_trace_record *record,
                  bool is_counting)
{
    switch ((enum tn_trace_stage)record->stage) {
    case TN_TRACE_SENT:
        hand->sent++;
        break;
    case TN_TRACE_RECEIVED:
        hand->received++;
        hand->frames += is_counting;
        break;
    case TN_TRACE_ACCEPTED:
        hand->commands += is_counting;
        tn_rate_add(&hand->command_rate, record->steady_ns);
        break;
    case TN_TRACE_EXECUTED:
        hand->executed += is_counting;
        break;
    case TN_TRACE_DRIVER:
    case TN_TRACE_ADAPTER:
    case TN_TRACE_COMMAND:
    case TN_TRACE_STAGES:
        break;
    }
}

// time since the latest stage that this frame is known to have passed
static void measure(struct tn_demo_hand_trace *hand, const struct tn_trace_record *record)
{
    struct tn_demo_open_frame *frame = find_open(hand, record->stamp_ros_ns);
    frame->at_steady_ns[record->stage] = record->steady_ns;
    for (unsigned before = record->stage; before-- > TN_TRACE_RECEIVED;) {
        if (frame->at_steady_ns[before] != 0) {
            tn_histogram_add(&hand->stages[record->stage],
                             record->steady_ns - frame->at_steady_ns[before]);
            break;
        }
    }
    if (record->stage == TN_TRACE_ACCEPTED && frame->at_steady_ns[TN_TRACE_RECEIVED] != 0) {
        tn_histogram_add(&hand->latency,
                         record->steady_ns - frame->at_steady_ns[TN_TRACE_RECEIVED]);
    }
}

static void take(struct tn_demo_trace *trace, const struct tn_trace_record *record)
{
    bool is_hand = record->side == TN_SIDE_LEFT || record->side == TN_SIDE_RIGHT;
    if (!is_hand || record->stage >= TN_TRACE_STAGES) {
        return;
    }
    struct tn_demo_hand_trace *hand = &trace->hands[tn_side_index((enum tn_side)record->side)];
    bool is_counting =
        trace->counting_from_steady_ns != 0 && record->steady_ns >= trace->counting_from_steady_ns;
    count(hand, record, is_counting);
    if (is_counting && record->stage != TN_TRACE_SENT) {
        measure(hand, record);
    }
}

void tn_demo__trace_read(struct tn_demo_trace *trace)
{
    struct tn_trace_record records[128];
    uint32_t n;
    do {
        n = tn_trace_read(trace->ring, &trace->cursor, records, TN_ARRAY_SIZE(records),
                          &trace->lost_records);
        for (uint32_t i = 0; i < n; i++) {
            take(trace, &records[i]);
        }
    } while (n == TN_ARRAY_SIZE(records));
}
