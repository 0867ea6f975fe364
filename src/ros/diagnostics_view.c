// SPDX-License-Identifier: Apache-2.0
#include "ros/diagnostics_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ros/ros__diagnostics.h"

// one key or value; longer ones are cut
#define VALUE_MAX 1024u
// a publisher that was silent for so long is gone when another one uses its name
#define GONE_NS (2 * TN_NS_PER_S)

struct writer {
    struct tn_gid gid;
    uint32_t n_items; ///< 0: a free place
};

struct tn_diag_view {
    struct tn_diag_view_options options;
    uint32_t n_items;
    uint64_t n_left_out;
    struct tn_diag_view_item *items;         ///< (max_items), the first n_items in use
    const struct tn_diag_view_item **listed; ///< (max_items)
    struct writer writers[TN_DIAG_VIEW_WRITERS_MAX];
};

const char *tn_diag_level_name(enum tn_diag_level level)
{
    static const char *const names[] = {"OK", "WARN", "ERROR", "STALE"};
    return (size_t)level < TN_ARRAY_SIZE(names) ? names[level] : "ERROR";
}

// ---- roll-up ----

void tn_diag_rollup_add(struct tn_diag_rollup *rollup, enum tn_diag_level level)
{
    rollup->n++;
    rollup->n_stale += level == TN_DIAG_STALE;
    if (level > rollup->highest)
        rollup->highest = level;
}

enum tn_diag_level tn_diag_rollup_level(const struct tn_diag_rollup *rollup)
{
    if (rollup->n == rollup->n_stale)
        return TN_DIAG_STALE;
    return rollup->n_stale > 0 ? TN_DIAG_ERROR : rollup->highest;
}

// ---- life ----

enum tn_result tn_diag_view_create(const struct tn_diag_view_options *options,
                                   struct tn_diag_view **out_view, struct tn_error *err)
{
    struct tn_diag_view *view = calloc(1, sizeof *view);
    if (view != NULL) {
        view->options = *options;
        if (options->timeout_ns <= 0)
            view->options.timeout_ns = TN_DIAG_VIEW_TIMEOUT_NS;
        view->items = calloc(options->max_items, sizeof *view->items);
        view->listed = calloc(options->max_items, sizeof *view->listed);
    }
    if (view == NULL || view->items == NULL || view->listed == NULL) {
        tn_diag_view_destroy(&view);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %u diagnostics",
                            options->max_items);
    }
    *out_view = view;
    return TN_OK;
}

void tn_diag_view_destroy(struct tn_diag_view **view)
{
    struct tn_diag_view *v = *view;
    *view = NULL;
    if (v == NULL)
        return;
    free(v->items);
    free(v->listed);
    free(v);
}

// ---- places ----

static void remove_item(struct tn_diag_view *view, uint32_t i)
{
    view->writers[view->items[i].writer].n_items--;
    view->n_items--;
    if (i != view->n_items)
        memcpy(&view->items[i], &view->items[view->n_items], sizeof view->items[i]);
}

static uint32_t find_writer(const struct tn_diag_view *view, const struct tn_gid *gid)
{
    uint32_t free_place = TN_DIAG_VIEW_WRITERS_MAX;
    for (uint32_t i = 0; i < TN_DIAG_VIEW_WRITERS_MAX; i++) {
        const struct writer *writer = &view->writers[i];
        if (writer->n_items == 0)
            free_place = i;
        else if (memcmp(&writer->gid, gid, sizeof *gid) == 0)
            return i;
    }
    return free_place;
}

/// The item heard longest ago, of one writer or (TN_DIAG_VIEW_WRITERS_MAX) of all.
static uint32_t oldest_item(const struct tn_diag_view *view, uint32_t writer)
{
    uint32_t oldest = view->n_items;
    for (uint32_t i = 0; i < view->n_items; i++) {
        const struct tn_diag_view_item *item = &view->items[i];
        bool is_of = writer == TN_DIAG_VIEW_WRITERS_MAX || item->writer == writer;
        if (is_of && (oldest == view->n_items ||
                      item->updated_steady_ns < view->items[oldest].updated_steady_ns))
            oldest = i;
    }
    return oldest;
}

static bool is_stale(const struct tn_diag_view *view, const struct tn_diag_view_item *item,
                     int64_t now_steady_ns)
{
    return tn_ns_sub(now_steady_ns, item->updated_steady_ns) > view->options.timeout_ns;
}

/// Makes a place for one more item of a writer that has `n_items`. @return false: all others have a
/// better right.
static bool make_place(struct tn_diag_view *view, uint32_t n_items, int64_t now_steady_ns)
{
    if (view->n_items < view->options.max_items)
        return true;
    uint32_t oldest = oldest_item(view, TN_DIAG_VIEW_WRITERS_MAX);
    if (is_stale(view, &view->items[oldest], now_steady_ns)) {
        remove_item(view, oldest);
        return true;
    }
    uint32_t most = 0;
    for (uint32_t i = 1; i < TN_DIAG_VIEW_WRITERS_MAX; i++)
        if (view->writers[i].n_items > view->writers[most].n_items)
            most = i;
    if (view->writers[most].n_items <= n_items)
        return false;
    remove_item(view, oldest_item(view, most));
    return true;
}

/// A writer's place, made from a silent one's when all are taken.
static uint32_t writer_place(struct tn_diag_view *view, const struct tn_gid *gid,
                             int64_t now_steady_ns)
{
    uint32_t writer = find_writer(view, gid);
    while (writer == TN_DIAG_VIEW_WRITERS_MAX) {
        uint32_t oldest = oldest_item(view, writer);
        if (!is_stale(view, &view->items[oldest], now_steady_ns))
            return writer;
        remove_item(view, oldest);
        writer = find_writer(view, gid);
    }
    return writer;
}

static struct tn_diag_view_item *find_item(struct tn_diag_view *view, const char *name,
                                           const struct tn_gid *gid, int64_t now_steady_ns)
{
    struct tn_diag_view_item *gone = NULL;
    for (uint32_t i = 0; i < view->n_items; i++) {
        struct tn_diag_view_item *item = &view->items[i];
        if (strcmp(item->name, name) != 0)
            continue;
        if (memcmp(&view->writers[item->writer].gid, gid, sizeof *gid) == 0)
            return item;
        if (tn_ns_sub(now_steady_ns, item->updated_steady_ns) > GONE_NS)
            gone = item;
    }
    return gone;
}

/// The place of a status. @return NULL: there is none.
static struct tn_diag_view_item *place_item(struct tn_diag_view *view, const char *name,
                                            const struct tn_gid *gid, int64_t now_steady_ns)
{
    struct tn_diag_view_item *item = find_item(view, name, gid, now_steady_ns);
    if (item != NULL && memcmp(&view->writers[item->writer].gid, gid, sizeof *gid) == 0)
        return item;
    // another publisher's: it gives way to the one that is there now
    if (item != NULL)
        remove_item(view, (uint32_t)(item - view->items));
    uint32_t writer = writer_place(view, gid, now_steady_ns);
    if (writer == TN_DIAG_VIEW_WRITERS_MAX ||
        !make_place(view, view->writers[writer].n_items, now_steady_ns))
        return NULL;
    view->writers[writer].gid = *gid;
    view->writers[writer].n_items++;
    item = &view->items[view->n_items++];
    item->writer = writer;
    item->n_updates = 0;
    return item;
}

// ---- texts ----

static void copy_text(char *out, size_t capacity, struct tn_str text)
{
    size_t size = text.size;
    bool is_cut = size >= capacity;
    if (is_cut)
        size = capacity - 1;
    if (size > 0)
        memcpy(out, text.data, size);
    out[size] = '\0';
    // no half characters at the end
    while (is_cut && size > 0 && ((unsigned char)text.data[size] & 0xc0) == 0x80)
        out[--size] = '\0';
    tn_diag__make_utf8(out);
}

static size_t place_text(struct tn_diag_view_item *item, size_t at, struct tn_str text)
{
    size_t room = TN_DIAG_VIEW_TEXT_MAX - at;
    size_t capacity = text.size < VALUE_MAX ? text.size + 1u : (size_t)VALUE_MAX;
    if (capacity > room)
        return 0;
    copy_text(item->text + at, capacity, text);
    return capacity;
}

static void take_values(struct tn_diag_view_item *item,
                        const struct diagnostic_msgs_msg_KeyValue_seq *values)
{
    size_t at = 0;
    item->n_values = 0;
    item->n_left_out = 0;
    for (uint32_t i = 0; i < values->size; i++) {
        size_t key = 0, value = 0;
        if (item->n_values < TN_DIAG_VIEW_VALUES_MAX)
            key = place_text(item, at, values->data[i].key);
        if (key > 0)
            value = place_text(item, at + key, values->data[i].value);
        if (value == 0) {
            item->n_left_out = values->size - i;
            return;
        }
        item->values[item->n_values].key = (uint16_t)at;
        item->values[item->n_values++].value = (uint16_t)(at + key);
        at += key + value;
    }
}

static uint32_t group_size(const struct tn_diag_view *view, const char *name)
{
    const char *end = view->options.is_tree ? strrchr(name, '/') : strstr(name, ": ");
    return end == NULL ? 0 : (uint32_t)(end - name);
}

static void take_status(struct tn_diag_view *view,
                        const struct diagnostic_msgs_msg_DiagnosticStatus *status,
                        const struct tn_gid *gid, int64_t now_steady_ns)
{
    char name[TN_DIAG_VIEW_NAME_MAX];
    copy_text(name, sizeof name, status->name);
    if (view->options.contains != NULL && strstr(name, view->options.contains) == NULL)
        return;
    struct tn_diag_view_item *item = place_item(view, name, gid, now_steady_ns);
    if (item == NULL) {
        view->n_left_out++;
        return;
    }
    memcpy(item->name, name, sizeof item->name);
    copy_text(item->message, sizeof item->message, status->message);
    copy_text(item->hardware_id, sizeof item->hardware_id, status->hardware_id);
    item->group_size = group_size(view, name);
    item->level = status->level;
    item->updated_steady_ns = now_steady_ns;
    item->n_updates++;
    take_values(item, &status->values);
}

void tn_diag_view_take(struct tn_diag_view *view,
                       const struct diagnostic_msgs_msg_DiagnosticArray *message,
                       const struct tn_gid *writer, int64_t now_steady_ns)
{
    uint32_t n = message->status.size;
    if (n > TN_DIAG_VIEW_STATUSES_MAX) {
        view->n_left_out += n - TN_DIAG_VIEW_STATUSES_MAX;
        n = TN_DIAG_VIEW_STATUSES_MAX;
    }
    for (uint32_t i = 0; i < n; i++)
        take_status(view, &message->status.data[i], writer, now_steady_ns);
}

// ---- looking ----

enum tn_diag_level tn_diag_view_level(const struct tn_diag_view *view,
                                      const struct tn_diag_view_item *item, int64_t now_steady_ns)
{
    if (is_stale(view, item, now_steady_ns))
        return TN_DIAG_STALE;
    return item->level <= TN_DIAG_STALE ? (enum tn_diag_level)item->level : TN_DIAG_ERROR;
}

uint64_t tn_diag_view_left_out(const struct tn_diag_view *view)
{
    return view->n_left_out;
}

// items without a group come last
static int compare_groups(const struct tn_diag_view_item *a, const struct tn_diag_view_item *b)
{
    size_t n = a->group_size < b->group_size ? a->group_size : b->group_size;
    if ((a->group_size == 0) != (b->group_size == 0))
        return a->group_size == 0 ? 1 : -1;
    int order = memcmp(a->name, b->name, n);
    if (order != 0 || a->group_size == b->group_size)
        return order;
    return a->group_size < b->group_size ? -1 : 1;
}

static int compare(const void *left, const void *right)
{
    const struct tn_diag_view_item *a = *(const struct tn_diag_view_item *const *)left;
    const struct tn_diag_view_item *b = *(const struct tn_diag_view_item *const *)right;
    int order = compare_groups(a, b);
    if (order == 0)
        order = strcmp(a->name, b->name);
    // of one name the newest first
    if (order == 0 && a->updated_steady_ns != b->updated_steady_ns)
        order = a->updated_steady_ns > b->updated_steady_ns ? -1 : 1;
    return order != 0 ? order : a->writer < b->writer ? -1 : a->writer > b->writer;
}

static void sort(struct tn_diag_view *view)
{
    for (uint32_t i = 0; i < view->n_items; i++)
        view->listed[i] = &view->items[i];
    qsort(view->listed, view->n_items, sizeof *view->listed, compare);
}

/// A silent item behind a living one of its name is the same publisher before a restart.
static bool drop_replaced(struct tn_diag_view *view, int64_t now_steady_ns)
{
    for (uint32_t i = 1; i < view->n_items; i++) {
        const struct tn_diag_view_item *item = view->listed[i], *before = view->listed[i - 1];
        if (strcmp(item->name, before->name) == 0 && is_stale(view, item, now_steady_ns) &&
            !is_stale(view, before, now_steady_ns)) {
            remove_item(view, (uint32_t)(item - view->items));
            return true;
        }
    }
    return false;
}

uint32_t tn_diag_view_list(struct tn_diag_view *view, int64_t now_steady_ns,
                           const struct tn_diag_view_item *const **out_items)
{
    do
        sort(view);
    while (drop_replaced(view, now_steady_ns));
    *out_items = view->listed;
    return view->n_items;
}
