// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "cli/cli__demo.h"

#define BAR_WIDTH 40

static const char *joint_state_name(uint8_t state)
{
    static const char *const names[] = {"idle", "running", "STALL", "unknown"};
    return state < TN_ARRAY_SIZE(names) ? names[state] : "?";
}

static const char *status_word(const struct tn_demo_hand *hand)
{
    if (!hand->has_state) {
        return "waiting for the retargeter";
    }
    if (hand->latched) {
        return "latched: `tendon arm` lets it go on";
    }
    if (hand->resuming) {
        return "approaching slowly";
    }
    return hand->action == 0 ? "following" : "holding";
}

static double p50_ms(const struct tn_demo_hand_trace *hand, double quantile)
{
    return (double)tn_histogram_quantile_ns(&hand->latency, quantile) * 1e-6;
}

static void draw_bar(const char *name, double percent, uint8_t state)
{
    char bar[BAR_WIDTH + 1];
    int filled = (int)lround(fmin(fmax(percent, 0.0), 100.0) / 100.0 * BAR_WIDTH);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    (void)printf("    %-10s [%s] %5.1f %%  %-8s\033[K\n", name, bar, percent,
                 joint_state_name(state));
}

static void draw_hand(const struct tn_demo_hand *hand, struct tn_demo_hand_trace *trace,
                      int64_t now)
{
    (void)printf("  %-5s hand  %-12s %-36s\033[K\n", tn_side_name(hand->side),
                 hand->has_state ? tn_demo__state_name(hand->state) : "-", status_word(hand));
    (void)printf(
        "    %5.1f Hz   age %6.1f ms   glove to command p50 %.2f ms, p99 %.2f ms   %s\033[K\n",
        tn_rate_hz(&trace->command_rate, now), hand->age_ms, p50_ms(trace, 0.5),
        p50_ms(trace, 0.99), hand->reason);
    for (unsigned j = 0; j < TN_DEMO_JOINTS; j++) {
        draw_bar(tn_demo__joint_name(j), hand->position[j], hand->joint_state[j]);
    }
    (void)printf("\033[K\n");
}

static void draw_screen(struct tn_demo_graph *graph, struct tn_demo_trace *trace,
                        const struct tn_demo_children *children, int64_t now)
{
    // no line wraps in a narrow terminal, or the next picture would not lie upon this one
    (void)printf(
        "\033[?7l\033[H  tendon demo: glove -> driver -> adapter -> retargeter -> robot hand      "
        "(Ctrl-C ends it)\033[K\n\033[K\n");
    for (unsigned i = 0; i < TN_SIDES; i++) {
        draw_hand(&graph->hands[i], &trace->hands[i], now);
    }
    (void)printf("  topics: ros2 topic echo /feedback_sim/hand/left   "
                 "(ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST)\033[K\n");
    (void)printf("  %.150s\033[K\n\033[J\033[?7h", children->last_line);
    (void)fflush(stdout);
}

static void print_line(FILE *to, struct tn_demo_graph *graph, struct tn_demo_trace *trace,
                       int64_t now)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct tn_demo_hand *hand = &graph->hands[i];
        (void)fprintf(to, "%s%s %s, %s, %.0f Hz, age %.1f ms, p50 %.2f ms, joints",
                      i == 0 ? "" : " | ", tn_side_name(hand->side),
                      hand->has_state ? tn_demo__state_name(hand->state) : "-", status_word(hand),
                      tn_rate_hz(&trace->hands[i].command_rate, now), hand->age_ms,
                      p50_ms(&trace->hands[i], 0.5));
        for (unsigned j = 0; j < TN_DEMO_JOINTS; j++) {
            (void)fprintf(to, " %.0f", hand->position[j]);
        }
    }
    (void)fprintf(to, "\n");
    (void)fflush(to);
}

void tn_demo__view(const struct tn_demo_options *options, struct tn_demo_graph *graph,
                   struct tn_demo_trace *trace, const struct tn_demo_children *children,
                   int64_t now_steady_ns)
{
    if (options->is_plain) {
        print_line(options->lines, graph, trace, now_steady_ns);
    } else {
        draw_screen(graph, trace, children, now_steady_ns);
    }
}
