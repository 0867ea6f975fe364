// SPDX-License-Identifier: Apache-2.0
/// @file
/// The dialect table: every OSC address, argument list, port and number of the DivingStation
/// protocol. Nothing else in the project knows one.
///
/// A dialect is a constant set of rows, one per message: its address and its arguments in order,
/// each with the place of its value in `struct tn_contact_message`. The codec walks the rows; a new
/// dialect is a new set of them.
#ifndef TN_GLOVE_CONTACT_DIALECT_H
#define TN_GLOVE_CONTACT_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glove/contact/contact_message.h"

/// UDP port on which a client wants its data unless told otherwise.
#define TN_CONTACT_RECEIVE_PORT 25788
/// DivingStation's port for protocol v1; fixed there.
#define TN_CONTACT_DS_PORT_V1 25790
/// DivingStation's port for protocol v2; can be changed in its settings.
#define TN_CONTACT_DS_PORT_V2 25791

/// A session ends this long after its last Connect.
#define TN_CONTACT_EXPIRY_S 90

/// Known device types; other numbers pass through.
enum tn_contact_device_type {
    TN_CONTACT_GLOVE_1 = 0,
    TN_CONTACT_SHEET = 1,
    TN_CONTACT_GLOVE_2 = 2
};

/// Known colours; other numbers pass through.
enum tn_contact_color {
    TN_CONTACT_MAGENTA = 0,
    TN_CONTACT_RED = 1,
    TN_CONTACT_ORANGE = 2,
    TN_CONTACT_YELLOW = 3,
    TN_CONTACT_GREEN = 4,
    TN_CONTACT_CYAN = 5,
    TN_CONTACT_BLUE = 6,
    TN_CONTACT_ACHROMATIC = 7
};

/// Who sends a message.
enum tn_contact_direction { TN_CONTACT_FROM_DS, TN_CONTACT_TO_DS };

/// Form of an argument on the wire and of its value in the struct.
enum tn_contact_field_kind {
    TN_CONTACT_FIELD_VERSION, ///< `i`, must be the dialect's; no value
    TN_CONTACT_FIELD_ID,      ///< `s`, char[TN_CONTACT_WIRE_ID_MAX]; never empty, no '/', no blanks
    TN_CONTACT_FIELD_NAME,    ///< `s`, char[TN_CONTACT_NAME_MAX]; cut when longer
    TN_CONTACT_FIELD_SIDE,    ///< `i`, bool is_left; only 0 and 1
    TN_CONTACT_FIELD_BOOL,    ///< `i`, bool; other than 0 is true
    TN_CONTACT_FIELD_INT,     ///< `i`, int32_t in min..max
    TN_CONTACT_FIELD_FLOAT,   ///< `f`, float, magnitude at most `max`
    TN_CONTACT_FIELD_ANGLES,  ///< `f`, float degrees: wire value times dialect.degrees_per_unit
    TN_CONTACT_FIELD_QUAT     ///< 4 `f` w, x, y, z; float[4] x, y, z, w, renormalised
};

/// `count` arguments of one form, whose values follow each other in the struct.
struct tn_contact_field {
    enum tn_contact_field_kind kind;
    uint16_t count;
    uint16_t offset;  ///< in struct tn_contact_message; in the element for repeated fields
    int32_t min, max; ///< INT: both; FLOAT: max; 0, 0: no limit
};

/// One message of a dialect.
struct tn_contact_row {
    enum tn_contact_kind kind;
    enum tn_contact_direction direction;
    const char *address; ///< "{id}" stands for an id, whose place in the struct is `address_id`
    uint16_t address_id; ///< offset; 0: the address has no id
    uint16_t body_size;  ///< bytes of the struct that are 0 unless sent; of a list its head
    const struct tn_contact_field *fields;
    uint16_t n_fields;
    const struct tn_contact_field
        *repeated; ///< fields of each list element behind `fields`, or NULL
    uint16_t n_repeated;
    uint16_t list, list_stride, list_max; ///< elements: offset, size of one, most
    uint16_t list_count;                  ///< offset of their uint32_t number
};

/// One protocol version. Constant.
struct tn_contact_dialect {
    const char *name; ///< value of the parameter `protocol`
    int32_t version;  ///< first argument of versioned messages
    uint16_t ds_port; ///< DivingStation's, by default
    const struct tn_contact_row *rows;
    uint32_t n_rows;
    float degrees_per_unit[TN_CONTACT_ANGLES]; ///< degrees of a wire value of 1
    bool ids_are_pairs; ///< ids name a pair: a single glove's id is `<id>_left`
};

/// Addresses of clients and servers before protocol v1 begin so; they are not spoken here.
#define TN_CONTACT_OLD_PREFIX "/DivingStation/"

/// @return protocol v1. Thread: any. Allocates: never. Blocks: never.
const struct tn_contact_dialect *tn_contact_dialect_v1(void);

/// Finds a dialect by its name. @return the dialect; NULL: no such one.
/// Thread: any. Allocates: never. Blocks: never.
const struct tn_contact_dialect *tn_contact_dialect_find(const char *name);

/// @return the names of all dialects, " or " between them. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_contact_dialect_names(void);

/// @return "thumb", "index", … for 0..4. Thread: any. Allocates: never. Blocks: never.
const char *tn_contact_finger_name(unsigned finger);

/// @return the name of an angle within its finger ("cmc", "tilt" …) for 0..19.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_contact_angle_name(unsigned angle);

#endif
