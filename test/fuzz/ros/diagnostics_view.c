// SPDX-License-Identifier: Apache-2.0
// /diagnostics of strangers, fed to the view as a script of messages: what is kept must be bounded,
// in order, whole UTF-8, and judged. Each message: publisher, seconds since the last one, size (two
// bytes), CDR.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "ros/diagnostics_view.h"
#include "ros/ros__diagnostics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX         24u
#define ARENA_BYTES 65536u

static void must(bool condition)
{
    if (!condition)
        abort();
}

// kept as it is, or it was no UTF-8
static void check_text(const char *text, size_t capacity)
{
    static char copy[TN_DIAG_VIEW_TEXT_MAX];
    size_t size = strlen(text);
    must(size < capacity && capacity <= sizeof copy);
    memcpy(copy, text, size + 1);
    tn_diag__make_utf8(copy);
    must(memcmp(copy, text, size + 1) == 0);
}

static void check(struct tn_diag_view *view, int64_t now)
{
    const struct tn_diag_view_item *const *items = NULL;
    uint32_t n = tn_diag_view_list(view, now, &items);
    must(n <= MAX);
    for (uint32_t i = 0; i < n; i++) {
        const struct tn_diag_view_item *item = items[i];
        check_text(item->name, TN_DIAG_VIEW_NAME_MAX);
        check_text(item->message, TN_DIAG_MESSAGE_MAX);
        check_text(item->hardware_id, TN_DIAG_HARDWARE_ID_MAX);
        must(item->group_size <= strlen(item->name) && item->n_values <= TN_DIAG_VIEW_VALUES_MAX);
        must(tn_diag_view_level(view, item, now) <= TN_DIAG_STALE);
        for (uint32_t v = 0; v < item->n_values; v++) {
            must(item->values[v].key < item->values[v].value);
            check_text(item->text + item->values[v].key, TN_DIAG_VIEW_TEXT_MAX);
            check_text(item->text + item->values[v].value, TN_DIAG_VIEW_TEXT_MAX);
        }
    }
}

static void take(struct tn_diag_view *view, struct tn_arena *arena, const uint8_t *cdr, size_t size,
                 uint8_t publisher, int64_t now)
{
    struct diagnostic_msgs_msg_DiagnosticArray message;
    struct tn_cdr_reader reader;
    struct tn_gid writer;
    memset(&writer, publisher, sizeof writer);
    tn_arena_reset(arena);
    if (tn_cdr_reader_begin(&reader, cdr, size) == TN_OK &&
        tn_type_decode(&diagnostic_msgs_msg_DiagnosticArray_type, &message, &reader, arena) ==
            TN_OK)
        tn_diag_view_take(view, &message, &writer, now);
    check(view, now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_diag_view *view = NULL;
    struct tn_arena arena;
    int64_t now = 0;
    if (size < 1)
        return 0;
    const struct tn_diag_view_options options = {.max_items = MAX, .is_tree = data[0] == 't'};
    must(tn_diag_view_create(&options, &view, NULL) == TN_OK);
    must(tn_arena_create(&arena, ARENA_BYTES) == TN_OK);
    data++;
    size--;
    while (size > 4) {
        size_t n = data[2] | (size_t)data[3] << 8;
        n = n < size - 4 ? n : size - 4;
        // exact, so that one byte too far is noticed
        uint8_t *copy = malloc(n > 0 ? n : 1);
        must(copy != NULL);
        memcpy(copy, data + 4, n);
        now += data[1] * TN_NS_PER_S;
        take(view, &arena, copy, n, data[0], now);
        free(copy);
        data += 4 + n;
        size -= 4 + n;
    }
    tn_arena_destroy(&arena);
    tn_diag_view_destroy(&view);
    return 0;
}
