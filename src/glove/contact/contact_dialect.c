// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_dialect.h"

#include <string.h>

#include "base/compat.h"

// places of values
#define AT(path)     (uint16_t) offsetof(struct tn_contact_message, body.path)
#define IN_DEV(path) (uint16_t) offsetof(struct tn_contact_device, path)

// argument forms; beyond 1000 degrees a value is no angle
// clang-format off
#define VERSION                {TN_CONTACT_FIELD_VERSION, 1, 0, 0, 0}
#define ID(place)              {TN_CONTACT_FIELD_ID, 1, place, 0, 0}
#define NAME(place)            {TN_CONTACT_FIELD_NAME, 1, place, 0, 0}
#define SIDE(place)            {TN_CONTACT_FIELD_SIDE, 1, place, 0, 0}
#define BOOL(place)            {TN_CONTACT_FIELD_BOOL, 1, place, 0, 0}
#define INT(n, place)          {TN_CONTACT_FIELD_INT, n, place, 0, 0}
#define INT_IN(n, place, a, b) {TN_CONTACT_FIELD_INT, n, place, a, b}
#define FLOAT(n, place)        {TN_CONTACT_FIELD_FLOAT, n, place, 0, 0}
#define ANGLES(n, place)       {TN_CONTACT_FIELD_ANGLES, n, place, 0, 1000}
#define QUAT(n, place)         {TN_CONTACT_FIELD_QUAT, n, place, 0, 0}
// clang-format on

static const struct tn_contact_field device_fields[] = {VERSION};
static const struct tn_contact_field device_element[] = {
    ID(IN_DEV(id)),
    BOOL(IN_DEV(is_main)),
    INT(1, IN_DEV(device_type)),
    NAME(IN_DEV(name)),
    INT(1, IN_DEV(color)),
    FLOAT(1, IN_DEV(ping)),
    BOOL(IN_DEV(left.is_connected)),
    INT(1, IN_DEV(left.battery)),
    FLOAT(1, IN_DEV(left.ping)),
    BOOL(IN_DEV(right.is_connected)),
    INT(1, IN_DEV(right.battery)),
    FLOAT(1, IN_DEV(right.ping)),
};
static const struct tn_contact_field hand_fields[] = {
    VERSION,
    ID(AT(ergonomics.id)),
    SIDE(AT(ergonomics.is_left)),
    ANGLES(TN_CONTACT_ANGLES, AT(ergonomics.angle_deg)),
};
static const struct tn_contact_field hand_quat_fields[] = {
    VERSION,
    ID(AT(hand_quat.id)),
    SIDE(AT(hand_quat.is_left)),
    QUAT(TN_CONTACT_HAND_QUATS, AT(hand_quat.q_xyzw)),
};
static const struct tn_contact_field wrist_fields[] = {
    VERSION,
    ID(AT(wrist.id)),
    SIDE(AT(wrist.is_left)),
    QUAT(1, AT(wrist.q_xyzw)),
};
static const struct tn_contact_field controller_fields[] = {
    VERSION,
    ID(AT(controller.id)),
    SIDE(AT(controller.is_left)),
    INT_IN(6, AT(controller.a), 0, 2),
    FLOAT(7, AT(controller.trigger)),
};
static const struct tn_contact_field connect_fields[] = {
    INT_IN(1, AT(connect.receive_port), 1, 65535),
};
static const struct tn_contact_field haptics_body_fields[] = {
    VERSION,
    SIDE(AT(haptics_body.is_left)),
    FLOAT(3, AT(haptics_body.vibration)),
};
static const struct tn_contact_field haptics_finger_fields[] = {
    VERSION,
    SIDE(AT(haptics_finger.is_left)),
    INT_IN(5, AT(haptics_finger.levels), 0, 15),
};

#define BODY(member) .body_size = sizeof(((struct tn_contact_message *)0)->body.member)
#define FIELDS(name) .fields = name, .n_fields = TN_ARRAY_SIZE(name)

static const struct tn_contact_row v1_rows[] = {
    {.kind = TN_CONTACT_ERGONOMICS,
     BODY(ergonomics),
     .direction = TN_CONTACT_FROM_DS,
     .address = "/DS/HC/Hand",
     FIELDS(hand_fields)},
    {.kind = TN_CONTACT_HAND_QUAT,
     BODY(hand_quat),
     .direction = TN_CONTACT_FROM_DS,
     .address = "/DS/HC/HandQuat",
     FIELDS(hand_quat_fields)},
    {.kind = TN_CONTACT_WRIST,
     BODY(wrist),
     .direction = TN_CONTACT_FROM_DS,
     .address = "/DS/HC/Wrist",
     FIELDS(wrist_fields)},
    {.kind = TN_CONTACT_CONTROLLER,
     BODY(controller),
     .direction = TN_CONTACT_FROM_DS,
     .address = "/DS/HC/Controller",
     FIELDS(controller_fields)},
    {.kind = TN_CONTACT_DEVICES,
     BODY(devices.n),
     .direction = TN_CONTACT_FROM_DS,
     .address = "/DS/HC/Device",
     FIELDS(device_fields),
     .repeated = device_element,
     .n_repeated = TN_ARRAY_SIZE(device_element),
     .list = AT(devices.devices),
     .list_stride = sizeof(struct tn_contact_device),
     .list_max = TN_CONTACT_DEVICES_MAX,
     .list_count = AT(devices.n)},
    {.kind = TN_CONTACT_CONNECT,
     BODY(connect),
     .direction = TN_CONTACT_TO_DS,
     .address = "/DS/HC/Connect",
     FIELDS(connect_fields)},
    {.kind = TN_CONTACT_DISCONNECT,
     BODY(connect),
     .direction = TN_CONTACT_TO_DS,
     .address = "/DS/HC/Disconnect",
     FIELDS(connect_fields)},
    {.kind = TN_CONTACT_HAPTICS_BODY,
     BODY(haptics_body),
     .direction = TN_CONTACT_TO_DS,
     .address = "/DS/HC/{id}/Haptics/Body",
     .address_id = AT(haptics_body.id),
     FIELDS(haptics_body_fields)},
    {.kind = TN_CONTACT_HAPTICS_FINGER,
     BODY(haptics_finger),
     .direction = TN_CONTACT_TO_DS,
     .address = "/DS/HC/{id}/Haptics/Finger",
     .address_id = AT(haptics_finger.id),
     FIELDS(haptics_finger_fields)},
};

// bend 0 straight, 1 fully bent; tilt is in degrees already
static const struct tn_contact_dialect v1 = {
    .name = "v1",
    .version = 1,
    .ds_port = TN_CONTACT_DS_PORT_V1,
    .rows = v1_rows,
    .n_rows = TN_ARRAY_SIZE(v1_rows),
    .degrees_per_unit = {30, 55, 80, 1,   90, 100, 90, 1,   90, 100,
                         90, 1,  90, 100, 90, 1,   90, 100, 90, 1},
    .ids_are_pairs = true,
};

static const struct tn_contact_dialect *const dialects[] = {&v1};

const struct tn_contact_dialect *tn_contact_dialect_v1(void)
{
    return &v1;
}

const struct tn_contact_dialect *tn_contact_dialect_find(const char *name)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(dialects); i++) {
        if (strcmp(dialects[i]->name, name) == 0)
            return dialects[i];
    }
    return NULL;
}

const char *tn_contact_dialect_names(void)
{
    return "\"v1\"";
}

const char *tn_contact_finger_name(unsigned finger)
{
    static const char *const names[TN_CONTACT_FINGERS] = {"thumb", "index", "middle", "ring",
                                                          "little"};
    return finger < TN_CONTACT_FINGERS ? names[finger] : "?";
}

const char *tn_contact_angle_name(unsigned angle)
{
    static const char *const thumb[TN_CONTACT_ANGLES_PER_FINGER] = {"cmc", "mcp", "ip", "tilt"};
    static const char *const finger[TN_CONTACT_ANGLES_PER_FINGER] = {"mcp", "pip", "dip", "tilt"};
    if (angle >= TN_CONTACT_ANGLES)
        return "?";
    unsigned slot = angle % TN_CONTACT_ANGLES_PER_FINGER;
    return angle < TN_CONTACT_ANGLES_PER_FINGER ? thumb[slot] : finger[slot];
}
