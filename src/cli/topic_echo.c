// SPDX-License-Identifier: Apache-2.0
// tendon topic echo|hz: what comes on a topic
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "cli/cli__command.h"
#include "cli/cli__graph.h"
#include "cli/cli__message.h"
#include "cli/cli__topic.h"

// what ros2 topic echo shows of long arrays and strings
#define TRUNCATE_LENGTH 128

// ---- what is there ----

// a topic that is listened to; its type may be one that this program does not know
struct listening {
    struct tn_cli_session session;
    char topic[TN_ROS_NAME_MAX], type_name[TN_ROS_NAME_MAX], dds_name[TN_ROS_NAME_MAX];
    char hash[TN_ROS_NAME_MAX];
    struct tn_type type; // names only
    struct tn_ros_qos qos;
    struct tn_ros_subscription *subscription;
};

// as ros2 chooses: what all publishers offer
static void adapt_qos(const struct tn_ros_graph *graph, struct listening *l)
{
    uint32_t n = 0, n_reliable = 0, n_latched = 0;
    for (uint32_t i = 0; i < graph->n_endpoints; i++) {
        const struct tn_ros_graph_endpoint *e = &graph->endpoints[i];
        if (e->kind == TN_ROS_GRAPH_TOPIC && e->is_publisher && strcmp(e->name, l->topic) == 0) {
            n++;
            n_reliable += e->qos.reliability == TN_ROS_RELIABLE;
            n_latched += e->qos.durability == TN_ROS_TRANSIENT_LOCAL;
        }
    }
    if (n > 0) {
        l->qos.reliability = n_reliable == n ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT;
        l->qos.durability = n_latched == n ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE;
    }
}

static const struct tn_ros_graph_endpoint *first_endpoint(const struct tn_ros_graph *graph,
                                                          const char *topic)
{
    for (uint32_t i = 0; i < graph->n_endpoints; i++) {
        const struct tn_ros_graph_endpoint *e = &graph->endpoints[i];
        if (e->kind == TN_ROS_GRAPH_TOPIC && strcmp(e->name, topic) == 0) {
            return e;
        }
    }
    return NULL;
}

// "pkg/msg/T" → "pkg::msg::dds_::T_"
static void make_dds_name(const char *type, char *out, size_t capacity)
{
    const char *kind = strchr(type, '/');
    const char *name = kind == NULL ? NULL : strchr(kind + 1, '/');
    if (name == NULL) {
        (void)snprintf(out, capacity, "%s", type);
        return;
    }
    (void)snprintf(out, capacity, "%.*s::%.*s::dds_::%s_", (int)(kind - type), type,
                   (int)(name - kind - 1), kind + 1, name + 1);
}

// finds type and QoS in the graph; false: told why not
static bool look_up(struct listening *l, const char *type_name)
{
    const struct tn_cli_call *call = l->session.call;
    struct tn_ros_graph *graph = tn_cli__graph_look(&l->session);
    if (graph == NULL) {
        return false;
    }
    const struct tn_ros_graph_endpoint *found = first_endpoint(graph, l->topic);
    if (found == NULL && type_name == NULL) {
        tn_cli__complain(call,
                         "topic %s is not there yet, so its type is not known; give it: tendon "
                         "topic %s %s TYPE",
                         l->topic, call->verb->name, l->topic);
        tn_ros_graph_free(&graph);
        return false;
    }
    (void)snprintf(l->type_name, sizeof l->type_name, "%s",
                   type_name != NULL ? type_name : found->type);
    bool is_same = found != NULL && strcmp(found->type, l->type_name) == 0;
    (void)snprintf(l->hash, sizeof l->hash, "%s", is_same ? found->hash : "");
    make_dds_name(l->type_name, l->dds_name, sizeof l->dds_name);
    adapt_qos(graph, l);
    tn_ros_graph_free(&graph);
    return true;
}

static bool listen(struct listening *l, tn_ros_message_fn on_message, void *context)
{
    struct tn_error err = {0};
    l->type = (struct tn_type){
        .ros_name = l->type_name, .dds_name = l->dds_name, .hash = l->hash, .text = ""};
    if (tn_ros_subscription_create_raw(l->session.node, &l->type, l->topic, l->qos, on_message,
                                       context, &l->subscription, &err) == TN_OK) {
        return true;
    }
    tn_cli__complain(l->session.call, "%s", err.text);
    return false;
}

static bool open_listening(const struct tn_cli_call *call, struct listening *l)
{
    memset(l, 0, sizeof *l);
    if (!tn_cli__session_open(call, &l->session)) {
        return false;
    }
    l->qos = tn_ros_qos_default(10);
    tn_cli__absolute(call->args[0], l->topic);
    return look_up(l, call->n_args > 1 ? call->args[1] : NULL);
}

// ---- echo ----

struct echo {
    struct listening listening;
    struct tn_cli_message message;
    struct tn_yaml_style style;
    int64_t timeout_ns, last_steady_ns;
    bool is_done;
    int code;
};

static void print_raw(const struct tn_ros_message_info *info)
{
    for (size_t i = 0; i < info->cdr_size; i++) {
        (void)printf("%s%02x", i == 0 ? "" : " ", info->cdr[i]);
    }
    (void)printf("\n");
}

static void print_decoded(struct echo *echo)
{
    const struct tn_cli_call *call = echo->listening.session.call;
    const struct tn_type *type = echo->message.type;
    const char *path = tn_cli__option(call, "field");
    struct tn_yaml_view view = tn_yaml_view_of(type, echo->message.data);
    struct tn_error err = {0};
    if (path != NULL && tn_yaml_find(type, echo->message.data, path, &view, &err) != TN_OK) {
        tn_cli__complain(call, "%s", err.text);
        // an element that is not there now may be there in the next message
        echo->is_done = err.code != TN_ERR_RANGE;
        echo->code = echo->is_done ? TN_CLI_FAILURE : echo->code;
        return;
    }
    if (tn_cli__has(call, "csv")) {
        tn_yaml_print_csv(view, &echo->style, &tn_cli__stdout);
    } else if (tn_yaml_print(view, &echo->style, &tn_cli__stdout) != TN_OK) {
        tn_cli__complain(call, "not enough memory to print a message");
    }
}

static void on_message(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct echo *echo = context;
    const struct tn_cli_call *call = echo->listening.session.call;
    (void)message;
    if (echo->is_done) {
        return;
    }
    echo->last_steady_ns = info->arrival_steady_ns;
    if (tn_cli__has(call, "raw")) {
        print_raw(info);
    } else {
        struct tn_cdr_reader reader;
        tn_arena_reset(&echo->message.arena);
        (void)tn_cdr_reader_begin(&reader, info->cdr, info->cdr_size);
        enum tn_result result =
            tn_type_decode(echo->message.type, echo->message.data, &reader, &echo->message.arena);
        if (result != TN_OK) {
            tn_cli__complain(call, "dropped a message of %zu bytes that is no %s: %s at byte %zu",
                             info->cdr_size, echo->message.type->ros_name, tn_result_text(result),
                             reader.error_offset);
            return;
        }
        print_decoded(echo);
    }
    if (!tn_cli__has(call, "csv") && !echo->is_done) {
        (void)printf("---\n");
    }
    echo->is_done |= tn_cli__has(call, "once") || fflush(stdout) != 0;
}

static bool is_echo_done(void *context)
{
    struct echo *echo = context;
    bool is_late = echo->timeout_ns > 0 &&
                   tn_ns_sub(tn_clock_steady_now_ns(), echo->last_steady_ns) > echo->timeout_ns;
    if (is_late && !echo->is_done) {
        tn_cli__complain(echo->listening.session.call, "nothing came for %.1f s",
                         tn_ns_to_seconds(echo->timeout_ns));
        echo->code = TN_CLI_FAILURE;
    }
    return is_late || echo->is_done;
}

static bool read_style(const struct tn_cli_call *call, struct echo *echo)
{
    uint64_t length = TRUNCATE_LENGTH;
    double timeout_s = 0.0;
    if (!tn_cli__option_u64(call, "truncate-length", 1, UINT32_MAX, &length) ||
        !tn_cli__option_f64(call, "timeout", 0.001, 1e6, &timeout_s)) {
        return false;
    }
    echo->timeout_ns = (int64_t)(timeout_s * (double)TN_NS_PER_S);
    echo->style = (struct tn_yaml_style){
        .is_flow = tn_cli__has(call, "flow-style"),
        .hides_arrays = tn_cli__has(call, "no-arr"),
        .hides_strings = tn_cli__has(call, "no-str"),
        .max_length = tn_cli__has(call, "full-length") ? 0 : (uint32_t)length,
    };
    return true;
}

// no message will ever have what the type does not; an element may come with a later one
static bool is_path(const struct tn_cli_call *call, const struct tn_cli_message *empty)
{
    const char *path = tn_cli__option(call, "field");
    struct tn_yaml_view view;
    struct tn_error err = {0};
    if (path == NULL || tn_yaml_find(empty->type, empty->data, path, &view, &err) == TN_OK ||
        err.code == TN_ERR_RANGE) {
        return true;
    }
    tn_cli__misused(call, "--field: %s", err.text);
    return false;
}

// false: told why not
static bool start_echo(const struct tn_cli_call *call, struct echo *echo)
{
    bool is_given = false;
    if (!open_listening(call, &echo->listening) ||
        !tn_cli__topic_qos(call, &echo->listening.qos, &is_given)) {
        return false;
    }
    if (!tn_cli__has(call, "raw")) {
        const struct tn_type *type = tn_cli__find_message(call, echo->listening.type_name);
        if (type == NULL || !tn_cli__message_create(call, type, &echo->message)) {
            return false;
        }
        if (!is_path(call, &echo->message)) {
            return false;
        }
        // a topic nobody has yet is asked for with our hash
        if (echo->listening.hash[0] == '\0') {
            (void)snprintf(echo->listening.hash, sizeof echo->listening.hash, "%s", type->hash);
        }
    }
    return listen(&echo->listening, on_message, echo);
}

int tn_cli__topic_echo(const struct tn_cli_call *call)
{
    struct echo echo = {.code = TN_CLI_OK};
    if (!read_style(call, &echo)) {
        return TN_CLI_USAGE;
    }
    if (start_echo(call, &echo)) {
        echo.last_steady_ns = tn_clock_steady_now_ns();
        (void)tn_cli__session_until(&echo.listening.session, is_echo_done, &echo, 0);
    } else {
        echo.code = TN_CLI_FAILURE;
    }
    tn_cli__session_close(&echo.listening.session);
    tn_cli__message_destroy(&echo.message);
    return echo.code;
}

// ---- hz ----

struct hz {
    struct listening listening;
    uint64_t window;
    int64_t *intervals_ns; // (window) ring
    uint64_t n_intervals;  // so far
    uint64_t n_printed;    // intervals when last printed
    int64_t last_ns, next_print_ns;
};

static void count_message(void *context, const void *message,
                          const struct tn_ros_message_info *info)
{
    struct hz *hz = context;
    (void)message;
    if (hz->last_ns != 0) {
        hz->intervals_ns[hz->n_intervals++ % hz->window] =
            tn_ns_sub(info->arrival_steady_ns, hz->last_ns);
    }
    hz->last_ns = info->arrival_steady_ns;
}

static void print_rate(const struct hz *hz)
{
    uint64_t n = hz->n_intervals < hz->window ? hz->n_intervals : hz->window;
    double sum = 0, squares = 0, min = (double)INFINITY, max = 0;
    for (uint64_t i = 0; i < n; i++) {
        double s = tn_ns_to_seconds(hz->intervals_ns[i]);
        sum += s;
        min = s < min ? s : min;
        max = s > max ? s : max;
    }
    double mean = sum / (double)n;
    for (uint64_t i = 0; i < n; i++) {
        double off = tn_ns_to_seconds(hz->intervals_ns[i]) - mean;
        squares += off * off;
    }
    (void)printf("average rate: %.3f\n\tmin: %.3fs max: %.3fs std dev: %.5fs window: %" PRIu64 "\n",
                 sum > 0 ? (double)n / sum : 0.0, min, max, sqrt(squares / (double)n), n + 1);
}

static bool hz_tick(void *context)
{
    struct hz *hz = context;
    int64_t now_ns = tn_clock_steady_now_ns();
    if (now_ns < hz->next_print_ns) {
        return false;
    }
    hz->next_print_ns = tn_ns_add(now_ns, TN_NS_PER_S);
    if (hz->n_intervals > hz->n_printed) {
        print_rate(hz);
    } else if (hz->n_printed > 0) {
        (void)printf("no new messages\n");
    }
    hz->n_printed = hz->n_intervals;
    return fflush(stdout) != 0;
}

int tn_cli__topic_hz(const struct tn_cli_call *call)
{
    struct hz hz = {.window = 10000};
    int code = TN_CLI_FAILURE;
    if (!tn_cli__option_u64(call, "window", 1, 1000000, &hz.window)) {
        return TN_CLI_USAGE;
    }
    hz.intervals_ns = calloc(hz.window, sizeof *hz.intervals_ns);
    if (hz.intervals_ns == NULL) {
        tn_cli__complain(call, "not enough memory for the window");
    } else if (open_listening(call, &hz.listening) && listen(&hz.listening, count_message, &hz)) {
        hz.next_print_ns = tn_ns_add(tn_clock_steady_now_ns(), TN_NS_PER_S);
        (void)tn_cli__session_until(&hz.listening.session, hz_tick, &hz, 0);
        code = TN_CLI_OK;
    }
    tn_cli__session_close(&hz.listening.session);
    free(hz.intervals_ns);
    return code;
}
