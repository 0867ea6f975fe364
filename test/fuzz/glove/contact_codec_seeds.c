// SPDX-License-Identifier: Apache-2.0
// Writes the starting corpus of fuzz.glove.contact_codec: one file per message, by our encoder.
#include <stdio.h>
#include <string.h>

#include "glove/contact/contact_codec.h"

static void save(const char *folder, const char *name, uint8_t direction, const uint8_t *bytes,
                 size_t size)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return;
    (void)fwrite(&direction, 1, 1, file);
    (void)fwrite(bytes, 1, size, file);
    (void)fclose(file);
}

/// A message of each kind with something in every field.
static struct tn_contact_message example(enum tn_contact_kind kind)
{
    struct tn_contact_message m = {.kind = kind};
    switch (kind) {
    case TN_CONTACT_DEVICES:
        m.body.devices.n = 2;
        m.body.devices.devices[0] = (struct tn_contact_device){.id = "DG01",
                                                               .is_main = true,
                                                               .device_type = 2,
                                                               .name = "gloves",
                                                               .color = 6,
                                                               .ping = 1.5f,
                                                               .left = {true, 90, 2.0f},
                                                               .right = {false, 255, 0.0f}};
        m.body.devices.devices[1] = (struct tn_contact_device){.id = "X"};
        break;
    case TN_CONTACT_ERGONOMICS:
        memcpy(m.body.ergonomics.id, "DG01", 5);
        for (int i = 0; i < TN_CONTACT_ANGLES; i++)
            m.body.ergonomics.angle_deg[i] = 3.0f * (float)i - 8.0f;
        break;
    case TN_CONTACT_HAND_QUAT:
        memcpy(m.body.hand_quat.id, "DG01", 5);
        for (int i = 0; i < TN_CONTACT_HAND_QUATS; i++)
            m.body.hand_quat.q_xyzw[i][i % 4] = 1.0f;
        break;
    case TN_CONTACT_WRIST:
        m.body.wrist = (struct tn_contact_wrist){"DG01", true, {0.5f, -0.5f, 0.5f, 0.5f}};
        break;
    case TN_CONTACT_CONTROLLER:
        m.body.controller = (struct tn_contact_controller){
            "DG01", true, 0, 1, 2, 0, 1, 2, 0.5f, 0.25f, 1.0f, -1.0f, 1.0f, -0.5f, 0.0f};
        break;
    case TN_CONTACT_CONNECT:
    case TN_CONTACT_DISCONNECT:
        m.body.connect.receive_port = 25788;
        break;
    case TN_CONTACT_HAPTICS_BODY:
        m.body.haptics_body = (struct tn_contact_haptics_body){"DG01", true, {160.0f, 0.5f, 0.25f}};
        break;
    case TN_CONTACT_HAPTICS_FINGER:
        m.body.haptics_finger = (struct tn_contact_haptics_finger){"DG01", false, {1, 2, 4, 8, 15}};
        break;
    case TN_CONTACT_KINDS:
        break;
    }
    return m;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[1024], inner[4096], outer[8192];
    size_t size = 0, inner_size = 0, outer_size = 0;
    if (argc != 2 || tn_contact_bundle_begin(inner, sizeof inner, &inner_size) != TN_OK ||
        tn_contact_bundle_begin(outer, sizeof outer, &outer_size) != TN_OK)
        return 2;
    for (int kind = 0; kind < TN_CONTACT_KINDS; kind++) {
        struct tn_contact_message message = example((enum tn_contact_kind)kind);
        char name[32];
        bool is_request = kind >= TN_CONTACT_CONNECT;
        if (tn_contact_encode(tn_contact_dialect_v1(), &message, bytes, sizeof bytes, &size) !=
            TN_OK)
            return 1;
        (void)snprintf(name, sizeof name, "message_%d", kind);
        save(argv[1], name, is_request, bytes, size);
        if (!is_request &&
            tn_contact_bundle_append(inner, sizeof inner, bytes, size, &inner_size) != TN_OK)
            return 1;
    }
    if (tn_contact_bundle_append(outer, sizeof outer, inner, inner_size, &outer_size) != TN_OK ||
        tn_contact_bundle_append(outer, sizeof outer, inner, inner_size, &outer_size) != TN_OK)
        return 1;
    save(argv[1], "bundle", 0, outer, outer_size);
    return 0;
}
