// SPDX-License-Identifier: Apache-2.0
// tendon diag: as a table, as details, as lines, as JSON
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cli/cli__diag.h"

#define NAME_COLUMNS 36

bool tn_cli__diag_is_watched(const struct tn_cli_diag_page *page,
                             const struct tn_diag_view_item *item)
{
    return page->watched == NULL || strstr(item->name, page->watched) != NULL;
}

static enum tn_diag_level level_of(const struct tn_cli_diag_page *page,
                                   const struct tn_diag_view_item *item)
{
    return tn_diag_view_level(page->view, item, page->now_steady_ns);
}

enum tn_diag_level tn_cli__diag_level(const struct tn_cli_diag_page *page, uint32_t *out_n)
{
    const struct tn_diag_view_item *const *items = NULL;
    struct tn_diag_rollup rollup = {0};
    uint32_t n = tn_diag_view_list(page->view, page->now_steady_ns, &items);
    for (uint32_t i = 0; i < n; i++) {
        if (tn_cli__diag_is_watched(page, items[i])) {
            tn_diag_rollup_add(&rollup, level_of(page, items[i]));
        }
    }
    *out_n = rollup.n;
    enum tn_diag_level level = tn_diag_rollup_level(&rollup);
    // what was not kept may be worse
    bool is_partial = page->n_undecodable > 0 || tn_diag_view_left_out(page->view) > 0;
    return level == TN_DIAG_OK && is_partial ? TN_DIAG_WARN : level;
}

// ---- text for a terminal ----

// what steers a terminal must not come from a publisher: C0, DEL and the C1 characters
static size_t copy_safe(char *out, size_t capacity, const char *text, size_t size, size_t columns)
{
    size_t used = 0, width = 0;
    for (size_t i = 0; i < size && width < columns && used + 5 < capacity;) {
        unsigned char c = (unsigned char)text[i];
        size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        bool is_control = c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)text[i + 1] < 0xa0);
        if (is_control) {
            out[used++] = '?';
        } else {
            memcpy(out + used, text + i, n);
            used += n;
        }
        i += n;
        width++;
    }
    out[used] = '\0';
    return width;
}

static void put(const struct tn_cli_diag_page *page, const char *text, size_t size, size_t columns)
{
    char safe[4 * 1024 + 8];
    (void)copy_safe(safe, sizeof safe, text, size, columns < 1024 ? columns : 1024);
    (void)fputs(safe, page->to);
}

// pads to the column, or cuts
static void put_padded(const struct tn_cli_diag_page *page, const char *text, size_t size,
                       size_t columns)
{
    char safe[4 * NAME_COLUMNS + 64];
    size_t width = copy_safe(safe, sizeof safe, text, size, columns);
    (void)fprintf(page->to, "%s%*s", safe, (int)(columns - width), "");
}

static void put_level(const struct tn_cli_diag_page *page, enum tn_diag_level level)
{
    static const char *const colours[] = {"\033[32m", "\033[33m", "\033[31m", "\033[35m"};
    const char *end = page->has_colours ? "\033[0m" : "";
    (void)fprintf(page->to, "%s%-5s%s", page->has_colours ? colours[level] : "",
                  tn_diag_level_name(level), end);
}

static const char *end_of_line(const struct tn_cli_diag_page *page)
{
    return page->height > 0 ? "\033[K\n" : "\n";
}

static size_t room(const struct tn_cli_diag_page *page, size_t used)
{
    if (page->width == 0) {
        return SIZE_MAX;
    }
    return page->width > used ? page->width - used : 0;
}

// what a publisher says, or that it says nothing any more
static void put_message(const struct tn_cli_diag_page *page, const struct tn_diag_view_item *item,
                        size_t columns)
{
    char text[TN_DIAG_MESSAGE_MAX + 64];
    int64_t age_ns = tn_ns_sub(page->now_steady_ns, item->updated_steady_ns);
    bool is_silent = level_of(page, item) == TN_DIAG_STALE && item->level != TN_DIAG_STALE;
    if (is_silent) {
        (void)snprintf(text, sizeof text, "silent for %.0f s; was %s: %s", tn_ns_to_seconds(age_ns),
                       tn_diag_level_name((enum tn_diag_level)item->level), item->message);
    } else if (item->level > TN_DIAG_STALE) {
        (void)snprintf(text, sizeof text, "level %u: %s", (unsigned)item->level, item->message);
    } else {
        (void)snprintf(text, sizeof text, "%s", item->message);
    }
    put(page, text, strlen(text), columns);
}

// ---- the table ----

static bool is_same_group(const struct tn_diag_view_item *a, const struct tn_diag_view_item *b)
{
    return a->group_size == b->group_size && memcmp(a->name, b->name, a->group_size) == 0;
}

static const char *task_of(const struct tn_diag_view_item *item)
{
    const char *rest = item->name + item->group_size;
    // behind "node: " or "path/"
    rest += item->group_size == 0 ? 0 : rest[0] == ':' ? 2 : 1;
    return rest[0] != '\0' ? rest : "(no name)";
}

static void print_group(const struct tn_cli_diag_page *page,
                        const struct tn_diag_view_item *const *items, uint32_t n)
{
    struct tn_diag_rollup rollup = {0};
    for (uint32_t i = 0; i < n; i++) {
        tn_diag_rollup_add(&rollup, level_of(page, items[i]));
    }
    put_level(page, tn_diag_rollup_level(&rollup));
    (void)fputc(' ', page->to);
    if (items[0]->group_size > 0) {
        put(page, items[0]->name, items[0]->group_size, room(page, 6));
    } else {
        (void)fputs("Other", page->to);
    }
    (void)fputs(end_of_line(page), page->to);
}

static void print_item(const struct tn_cli_diag_page *page, const struct tn_diag_view_item *item)
{
    const char *task = task_of(item);
    (void)fputs("  ", page->to);
    put_level(page, level_of(page, item));
    (void)fputc(' ', page->to);
    put_padded(page, task, strlen(task), NAME_COLUMNS);
    (void)fputc(' ', page->to);
    put_message(page, item, room(page, 9 + NAME_COLUMNS));
    (void)fputs(end_of_line(page), page->to);
}

// how many items from the first on are of its group
static uint32_t group_of(const struct tn_diag_view_item *const *items, uint32_t n)
{
    uint32_t k = 1;
    while (k < n && is_same_group(items[0], items[k])) {
        k++;
    }
    return k;
}

static void print_table(const struct tn_cli_diag_page *page,
                        const struct tn_diag_view_item *const *items, uint32_t n)
{
    // the last two lines are the total and the cursor's
    uint32_t lines = 0, limit = page->height > 3 ? page->height - 3 : UINT32_MAX, shown = 0;
    for (uint32_t i = 0; i < n && lines + 2 <= limit; lines++) {
        uint32_t k = group_of(items + i, n - i);
        print_group(page, items + i, k);
        for (uint32_t j = 0; j < k && lines + 1 < limit; j++, lines++) {
            print_item(page, items[i + j]);
            shown++;
        }
        i += k;
    }
    if (shown < n) {
        (void)fprintf(page->to, "… %" PRIu32 " more; --watch NAME or --once shows them%s",
                      n - shown, end_of_line(page));
    }
}

// ---- details ----

static void print_details(const struct tn_cli_diag_page *page, const struct tn_diag_view_item *item)
{
    const char *end = end_of_line(page);
    put_level(page, level_of(page, item));
    (void)fputc(' ', page->to);
    put(page, item->name, strlen(item->name), room(page, 6));
    (void)fprintf(page->to, "%s  message:     ", end);
    put_message(page, item, room(page, 15));
    (void)fprintf(page->to, "%s  hardware id: ", end);
    put(page, item->hardware_id, strlen(item->hardware_id), room(page, 15));
    (void)fprintf(page->to, "%s  heard:       %.1f s ago, %" PRIu64 " times%s", end,
                  tn_ns_to_seconds(tn_ns_sub(page->now_steady_ns, item->updated_steady_ns)),
                  item->n_updates, end);
    for (uint32_t i = 0; i < item->n_values; i++) {
        const char *key = item->text + item->values[i].key;
        const char *value = item->text + item->values[i].value;
        (void)fputs("    ", page->to);
        put_padded(page, key, strlen(key), NAME_COLUMNS);
        (void)fputc(' ', page->to);
        put(page, value, strlen(value), room(page, 5 + NAME_COLUMNS));
        (void)fputs(end, page->to);
    }
    if (item->n_left_out > 0) {
        (void)fprintf(page->to, "    … %" PRIu32 " keys more%s", item->n_left_out, end);
    }
}

// ---- all of it ----

static void print_total(const struct tn_cli_diag_page *page)
{
    uint32_t n = 0;
    enum tn_diag_level level = tn_cli__diag_level(page, &n);
    uint64_t n_left_out = tn_diag_view_left_out(page->view);
    put_level(page, level);
    (void)fprintf(page->to, " all of %" PRIu32, n);
    if (n_left_out > 0) {
        (void)fprintf(page->to, "; %" PRIu64 " found no room", n_left_out);
    }
    if (page->n_undecodable > 0) {
        (void)fprintf(page->to, "; %" PRIu64 " messages could not be read", page->n_undecodable);
    }
    (void)fputs(end_of_line(page), page->to);
}

void tn_cli__diag_print(const struct tn_cli_diag_page *page)
{
    const struct tn_diag_view_item *const *items = NULL;
    uint32_t n = tn_diag_view_list(page->view, page->now_steady_ns, &items);
    if (page->watched == NULL) {
        print_table(page, items, n);
        print_total(page);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (tn_cli__diag_is_watched(page, items[i])) {
            print_details(page, items[i]);
        }
    }
}

void tn_cli__diag_print_change(const struct tn_cli_diag_page *page,
                               const struct tn_diag_view_item *item, int64_t wall_ns)
{
    time_t seconds = (time_t)(wall_ns / TN_NS_PER_S);
    struct tm tm;
    char clock[16] = "";
    if (localtime_r(&seconds, &tm) != NULL) {
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &tm);
    }
    (void)fprintf(page->to, "%s ", clock);
    put_level(page, level_of(page, item));
    (void)fputc(' ', page->to);
    put(page, item->name, strlen(item->name), SIZE_MAX);
    (void)fputs(": ", page->to);
    put_message(page, item, SIZE_MAX);
    (void)fputc('\n', page->to);
}

// ---- JSON ----

static json_t *values_json(const struct tn_diag_view_item *item)
{
    json_t *values = json_array();
    for (uint32_t i = 0; i < item->n_values; i++) {
        // an array, as in the message: keys may repeat
        (void)json_array_append_new(values,
                                    json_pack("{s:s,s:s}", "key", item->text + item->values[i].key,
                                              "value", item->text + item->values[i].value));
    }
    return values;
}

static json_t *item_json(const struct tn_cli_diag_page *page, const struct tn_diag_view_item *item)
{
    double age_s = tn_ns_to_seconds(tn_ns_sub(page->now_steady_ns, item->updated_steady_ns));
    return json_pack("{s:s,s:s%,s:s,s:i,s:s,s:s,s:f,s:I,s:o}", "name", item->name, "group",
                     item->name, (size_t)item->group_size, "level",
                     tn_diag_level_name(level_of(page, item)), "sent_level", (int)item->level,
                     "message", item->message, "hardware_id", item->hardware_id, "age_s", age_s,
                     "keys_left_out", (json_int_t)item->n_left_out, "values", values_json(item));
}

bool tn_cli__diag_print_json(const struct tn_cli_diag_page *page)
{
    const struct tn_diag_view_item *const *items = NULL;
    uint32_t n_watched = 0;
    enum tn_diag_level level = tn_cli__diag_level(page, &n_watched);
    uint32_t n = tn_diag_view_list(page->view, page->now_steady_ns, &items);
    json_t *statuses = json_array();
    for (uint32_t i = 0; i < n; i++) {
        if (tn_cli__diag_is_watched(page, items[i])) {
            (void)json_array_append_new(statuses, item_json(page, items[i]));
        }
    }
    json_t *root = json_pack("{s:s,s:I,s:I,s:o}", "level", tn_diag_level_name(level), "left_out",
                             (json_int_t)tn_diag_view_left_out(page->view), "undecodable",
                             (json_int_t)page->n_undecodable, "statuses", statuses);
    bool is_done = root != NULL && json_dumpf(root, page->to, JSON_COMPACT) == 0;
    json_decref(root);
    (void)fputc('\n', page->to);
    return is_done;
}
