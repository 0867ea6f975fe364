// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_gloves.h"

#include <stdio.h>
#include <string.h>

#define BATTERY_MAX 100

static void copy_text(char *out, size_t capacity, const char *text)
{
    (void)snprintf(out, capacity, "%s", text);
}

void tn_contact_gloves_init(struct tn_contact_gloves *gloves,
                            const struct tn_contact_dialect *dialect, uint32_t max_per_side)
{
    memset(gloves, 0, sizeof *gloves);
    gloves->dialect = dialect;
    gloves->max_per_side =
        max_per_side < TN_CONTACT_GLOVES_MAX ? max_per_side : TN_CONTACT_GLOVES_MAX;
}

static struct tn_contact_glove *find_wire(struct tn_contact_gloves *gloves, enum tn_side side,
                                          const char *wire_id)
{
    unsigned s = tn_side_index(side);
    for (uint32_t i = 0; i < gloves->n[s]; i++) {
        if (strcmp(gloves->gloves[s][i].wire_id, wire_id) == 0)
            return &gloves->gloves[s][i];
    }
    return NULL;
}

/// Makes room by forgetting the longest-disconnected glove.
static bool forget_one(struct tn_contact_gloves *gloves, unsigned s)
{
    uint32_t oldest = UINT32_MAX;
    for (uint32_t i = 0; i < gloves->n[s]; i++) {
        const struct tn_contact_glove *glove = &gloves->gloves[s][i];
        if (!glove->is_connected &&
            (oldest == UINT32_MAX ||
             glove->seen_steady_ns < gloves->gloves[s][oldest].seen_steady_ns))
            oldest = i;
    }
    if (oldest == UINT32_MAX)
        return false;
    gloves->n[s]--;
    memmove(&gloves->gloves[s][oldest], &gloves->gloves[s][oldest + 1],
            (gloves->n[s] - oldest) * sizeof gloves->gloves[s][0]);
    gloves->forgotten++;
    return true;
}

static struct tn_contact_glove *add(struct tn_contact_gloves *gloves, enum tn_side side,
                                    const char *wire_id)
{
    unsigned s = tn_side_index(side);
    if (gloves->n[s] >= gloves->max_per_side && !forget_one(gloves, s)) {
        gloves->refused++;
        return NULL;
    }
    struct tn_contact_glove *glove = &gloves->gloves[s][gloves->n[s]++];
    memset(glove, 0, sizeof *glove);
    glove->side = side;
    glove->battery = TN_CONTACT_BATTERY_UNKNOWN;
    copy_text(glove->wire_id, sizeof glove->wire_id, wire_id);
    (void)snprintf(glove->id, sizeof glove->id, "%s%s%s", wire_id,
                   gloves->dialect->ids_are_pairs ? "_" : "",
                   gloves->dialect->ids_are_pairs ? tn_side_name(side) : "");
    return glove;
}

static bool set_bool(bool *place, bool value)
{
    bool is_change = *place != value;
    *place = value;
    return is_change;
}

static bool set_int(int32_t *place, int32_t value)
{
    bool is_change = *place != value;
    *place = value;
    return is_change;
}

static bool set_float(float *place, float value)
{
    bool is_change = memcmp(place, &value, sizeof value) != 0;
    *place = value;
    return is_change;
}

static bool set_name(char *place, const char *value)
{
    bool is_change = strcmp(place, value) != 0;
    if (is_change)
        copy_text(place, TN_CONTACT_NAME_MAX, value);
    return is_change;
}

static bool update_hand(struct tn_contact_gloves *gloves, enum tn_side side,
                        const struct tn_contact_device *device, int64_t now_steady_ns)
{
    const struct tn_contact_hand_state *hand =
        side == TN_SIDE_LEFT ? &device->left : &device->right;
    struct tn_contact_glove *glove = find_wire(gloves, side, device->id);
    if (glove == NULL && hand->is_connected)
        glove = add(gloves, side, device->id);
    if (glove == NULL)
        return false;
    bool is_known_level = hand->battery >= 0 && hand->battery <= BATTERY_MAX;
    bool is_change = set_bool(&glove->is_announced, true);
    is_change |= set_bool(&glove->is_connected, hand->is_connected);
    is_change |=
        set_int(&glove->battery, is_known_level ? hand->battery : TN_CONTACT_BATTERY_UNKNOWN);
    is_change |= set_name(glove->name, device->name);
    is_change |= set_int(&glove->device_type, device->device_type);
    is_change |= set_int(&glove->color, device->color);
    is_change |= set_bool(&glove->is_main, device->is_main);
    is_change |= set_float(&glove->ping, hand->ping);
    glove->is_lost = false;
    if (hand->is_connected)
        glove->seen_steady_ns = now_steady_ns;
    return is_change;
}

static bool is_listed(const struct tn_contact_devices *devices, const char *wire_id)
{
    for (uint32_t i = 0; i < devices->n; i++) {
        if (strcmp(devices->devices[i].id, wire_id) == 0)
            return true;
    }
    return false;
}

bool tn_contact_gloves_update(struct tn_contact_gloves *gloves,
                              const struct tn_contact_devices *devices, int64_t now_steady_ns)
{
    bool is_change = false;
    // those that left first, so that they can give way
    for (unsigned s = 0; s < TN_SIDES; s++) {
        for (uint32_t i = 0; i < gloves->n[s]; i++) {
            struct tn_contact_glove *glove = &gloves->gloves[s][i];
            if (!is_listed(devices, glove->wire_id)) {
                is_change |= set_bool(&glove->is_connected, false) && glove->is_announced;
                glove->is_lost = false;
            }
        }
    }
    for (uint32_t i = 0; i < devices->n; i++) {
        is_change |= update_hand(gloves, TN_SIDE_LEFT, &devices->devices[i], now_steady_ns);
        is_change |= update_hand(gloves, TN_SIDE_RIGHT, &devices->devices[i], now_steady_ns);
    }
    return is_change;
}

enum tn_result tn_contact_gloves_seen(struct tn_contact_gloves *gloves, const char *wire_id,
                                      bool is_left, int64_t now_steady_ns,
                                      const struct tn_contact_glove **out_glove, bool *out_changed)
{
    enum tn_side side = is_left ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
    struct tn_contact_glove *glove = find_wire(gloves, side, wire_id);
    bool is_change = false;
    if (glove == NULL) {
        glove = add(gloves, side, wire_id);
        if (glove == NULL)
            return TN_ERR_LIMIT;
        glove->is_connected = true;
    }
    // a reported disconnection stands until the next report; one by silence ends with data
    if (glove->is_lost) {
        glove->is_lost = false;
        is_change = set_bool(&glove->is_connected, true) && glove->is_announced;
    }
    if (glove->is_connected)
        glove->seen_steady_ns = now_steady_ns;
    *out_glove = glove;
    *out_changed = is_change;
    return TN_OK;
}

bool tn_contact_gloves_lose(struct tn_contact_gloves *gloves)
{
    bool is_change = false;
    for (unsigned s = 0; s < TN_SIDES; s++) {
        for (uint32_t i = 0; i < gloves->n[s]; i++) {
            struct tn_contact_glove *glove = &gloves->gloves[s][i];
            if (!glove->is_connected)
                continue;
            glove->is_connected = false;
            glove->is_lost = true;
            is_change |= glove->is_announced;
        }
    }
    return is_change;
}

const struct tn_contact_glove *tn_contact_gloves_find(const struct tn_contact_gloves *gloves,
                                                      enum tn_side side, const char *id)
{
    unsigned s = tn_side_index(side);
    for (uint32_t i = 0; i < gloves->n[s]; i++) {
        if (strcmp(gloves->gloves[s][i].id, id) == 0)
            return &gloves->gloves[s][i];
    }
    return NULL;
}

static enum tn_result only_connected(const struct tn_contact_gloves *gloves, unsigned s,
                                     const struct tn_contact_glove **out_glove)
{
    const struct tn_contact_glove *found = NULL;
    for (uint32_t i = 0; i < gloves->n[s]; i++) {
        if (!gloves->gloves[s][i].is_connected)
            continue;
        if (found != NULL)
            return TN_ERR_INVALID_ARGUMENT;
        found = &gloves->gloves[s][i];
    }
    if (found == NULL)
        return TN_ERR_NOT_FOUND;
    *out_glove = found;
    return TN_OK;
}

enum tn_result tn_contact_gloves_target(const struct tn_contact_gloves *gloves, enum tn_side side,
                                        const char *id, const struct tn_contact_glove **out_glove)
{
    if (id[0] == '\0')
        return only_connected(gloves, tn_side_index(side), out_glove);
    const struct tn_contact_glove *glove = tn_contact_gloves_find(gloves, side, id);
    if (glove == NULL)
        return TN_ERR_NOT_FOUND;
    if (!glove->is_connected)
        return TN_ERR_STATE;
    *out_glove = glove;
    return TN_OK;
}

const char *tn_contact_gloves_list(const struct tn_contact_gloves *gloves, enum tn_side side,
                                   char *buffer, uint32_t capacity)
{
    unsigned s = tn_side_index(side);
    size_t used = 0;
    copy_text(buffer, capacity, "none");
    for (uint32_t i = 0; i < gloves->n[s] && used < capacity; i++) {
        int n = snprintf(buffer + used, capacity - used, "%s%s", i > 0 ? ", " : "",
                         gloves->gloves[s][i].id);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}

bool tn_contact_choice_takes(struct tn_contact_choice *choice,
                             const struct tn_contact_gloves *gloves, const char *wanted,
                             const struct tn_contact_glove *sender)
{
    if (wanted[0] != '\0') {
        copy_text(choice->id, sizeof choice->id, wanted);
        return strcmp(wanted, sender->id) == 0;
    }
    if (strcmp(choice->id, sender->id) == 0)
        return true;
    const struct tn_contact_glove *chosen =
        choice->id[0] != '\0' ? tn_contact_gloves_find(gloves, sender->side, choice->id) : NULL;
    if ((chosen != NULL && chosen->is_connected) || !sender->is_connected)
        return false;
    copy_text(choice->id, sizeof choice->id, sender->id);
    return true;
}
