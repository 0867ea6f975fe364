// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_source.h"

#include <math.h>
#include <string.h>

#define FREQUENCY_HZ 160.0f
#define DURATION_S   0.1f

static struct tn_contact_source *mine(struct tn_glove_source *source)
{
    return (struct tn_contact_source *)source;
}

/// Number of a glove: FNV-1a of its id, never 0.
static uint32_t number_of(const char *id)
{
    uint32_t hash = 2166136261u;
    for (; *id != '\0'; id++)
        hash = (hash ^ (unsigned char)*id) * 16777619u;
    return hash != 0 ? hash : 1;
}

static enum tn_result source_open(struct tn_glove_source *source)
{
    struct tn_contact_source *contact = mine(source);
    contact->error = (struct tn_error){0};
    return tn_contact_connect_to_host(contact->client, &contact->ports, &contact->error);
}

static int source_fd(const struct tn_glove_source *source)
{
    return tn_contact_client_fd(((const struct tn_contact_source *)source)->client);
}

static enum tn_result source_read(struct tn_glove_source *source, int64_t now_steady_ns,
                                  struct tn_glove_raw *out_frame)
{
    struct tn_contact_client *client = mine(source)->client;
    struct tn_contact_event event;
    (void)now_steady_ns;
    if (tn_contact_client_fd(client) < 0)
        return TN_ERR_STATE;
    enum tn_result result = tn_contact_client_take(client, &event);
    if (result != TN_OK) {
        tn_contact_client_tick(client);
        return result;
    }
    *out_frame = (struct tn_glove_raw){
        .vendor = TN_GLOVE_CONTACT,
        .kind = (uint32_t)event.message->kind,
        .data = &event.message->body,
        .receive_steady_ns = event.origin.receive_steady_ns,
        .receive_wall_ns = event.origin.receive_wall_ns,
    };
    if (event.origin.glove != NULL) {
        out_frame->side = event.origin.glove->side;
        out_frame->glove_id = number_of(event.origin.glove->id);
        memcpy(out_frame->id, event.origin.glove->id, sizeof out_frame->id);
    }
    return TN_OK;
}

static const struct tn_contact_glove *find(const struct tn_contact_client *client, uint32_t number)
{
    const struct tn_contact_gloves *gloves = tn_contact_client_gloves(client);
    for (unsigned s = 0; s < TN_SIDES; s++) {
        for (uint32_t i = 0; i < gloves->n[s]; i++) {
            if (number_of(gloves->gloves[s][i].id) == number)
                return &gloves->gloves[s][i];
        }
    }
    return NULL;
}

static enum tn_result source_vibrate(struct tn_glove_source *source, uint32_t glove_id,
                                     const float intensity[TN_GLOVE_FINGERS])
{
    struct tn_contact_source *contact = mine(source);
    struct tn_contact_vibration vibration = contact->vibration;
    const struct tn_contact_glove *glove = find(contact->client, glove_id);
    if (glove == NULL)
        return TN_ERR_NOT_FOUND;
    vibration.amplitude = 0;
    for (unsigned i = 0; i < TN_GLOVE_FINGERS; i++) {
        if (!isfinite(intensity[i]))
            return TN_ERR_NOT_FINITE;
        if (intensity[i] > vibration.amplitude)
            vibration.amplitude = intensity[i];
    }
    return tn_contact_send_haptics_body(contact->client, glove->id, glove->side == TN_SIDE_LEFT,
                                        &vibration);
}

static void source_close(struct tn_glove_source *source)
{
    struct tn_contact_client *client = mine(source)->client;
    const struct tn_contact_gloves *gloves = tn_contact_client_gloves(client);
    const struct tn_contact_vibration silence = {.frequency_hz = FREQUENCY_HZ};
    if (tn_contact_client_fd(client) < 0)
        return;
    for (unsigned s = 0; s < TN_SIDES; s++) {
        for (uint32_t i = 0; i < gloves->n[s]; i++) {
            const struct tn_contact_glove *glove = &gloves->gloves[s][i];
            if (!glove->is_connected)
                continue;
            // a glove that cannot be told now is told by nobody
            enum tn_result result = tn_contact_send_haptics_body(
                client, glove->id, glove->side == TN_SIDE_LEFT, &silence);
            (void)result;
        }
    }
    tn_contact_disconnect(client);
}

static const struct tn_glove_source_ops ops = {
    .open = source_open,
    .fd = source_fd,
    .read = source_read,
    .vibrate = source_vibrate,
    .close = source_close,
};

void tn_contact_source_init(struct tn_contact_source *source, struct tn_contact_client *client,
                            const struct tn_contact_ports *ports)
{
    *source = (struct tn_contact_source){
        .source = {.ops = &ops},
        .client = client,
        .ports = *ports,
        .vibration = {.frequency_hz = FREQUENCY_HZ, .duration_s = DURATION_S},
    };
}

// the raw frame and the glove table agree on how long an id is
_Static_assert(TN_GLOVE_ID_MAX == TN_CONTACT_ID_MAX, "ids must fit");
