// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what the graph is made of. Decoders of discovery data and the model that holds it; no
/// I/O, no clock.
#ifndef TN_ROS_ROS__GRAPH_H
#define TN_ROS_ROS__GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/graph.h"
#include "ros/transport_discovery.h"
#include "rosidl/cdr.h"

#define TN_ROS__GRAPH_TOPIC "ros_discovery_info"
/// Room for "RIHS01_" and 64 digits.
#define TN_ROS__HASH_MAX 80
/// Most bytes of one participant's ros_discovery_info: 4096 nodes of 16 endpoints fit.
#define TN_ROS__ENTITIES_MAX (2u << 20)
/// Most bytes of all of them together.
#define TN_ROS__ENTITIES_TOTAL_MAX (32u << 20)
/// Humble's gid on the wire; all later ones have TN_GID_SIZE.
#define TN_ROS__GID_SIZE_HUMBLE 24u
/// Readers of ros_discovery_info that are told apart; one for each participant.
#define TN_ROS__GID_READERS_MAX TN_ROS_GRAPH_PARTICIPANTS_MAX

// ---- graph_decode.c: bytes of strangers ----

/// A node as ros_discovery_info has it; texts and gids are views into the message.
struct tn_ros__entities_node {
    const char *ns, *name;            ///< terminated, printable ASCII
    const uint8_t *readers, *writers; ///< gids, each `gid_size` bytes
    uint32_t n_readers, n_writers;
};

/// Walks over a ros_discovery_info message.
struct tn_ros__entities {
    struct tn_cdr_reader cdr;
    struct tn_gid participant;
    uint32_t gid_size; ///< 16, or 24 as Humble writes
    uint32_t n_left;   ///< nodes not read yet
};

/// Begins; tells by the message itself which gid size it has.
/// @param data, size   with encapsulation header; must outlive the walk
/// @return TN_OK; TN_ERR_TRUNCATED; TN_ERR_UNSUPPORTED. Thread: any. Allocates: never. Blocks:
/// never.
enum tn_result tn_ros__entities_begin(struct tn_ros__entities *entities, const uint8_t *data,
                                      size_t size);
/// Reads the next node; nodes whose names no terminal should see are passed over.
/// @return true; false: no more, or malformed: entities->cdr.error. Thread: any. Allocates: never.
/// Blocks: never.
bool tn_ros__entities_next(struct tn_ros__entities *entities, struct tn_ros__entities_node *out);

/// Finds `key=value;` in USER_DATA, as rmw's parser: one bad key voids all.
/// @param out   `capacity` bytes, terminated; "" when it is not there, too long or not printable
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__user_data_get(const uint8_t *data, size_t size, const char *key, char *out,
                           size_t capacity);

/// ROS names of an endpoint.
struct tn_ros__names {
    enum tn_ros_graph_kind kind;
    char name[TN_ROS_NAME_MAX], type[TN_ROS_NAME_MAX];
};

/// Turns DDS names into ROS names as rmw_cyclonedds_cpp (demangle.cpp).
/// @param dds_topic, dds_type   shorter than TN_ROS_NAME_MAX
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__demangle(const char *dds_topic, const char *dds_type, struct tn_ros__names *out);

/// Takes "/_action/feedback" and "_FeedbackMessage" away, as rcl_action.
/// @return whether these are an action's feedback topic and type. Thread: any. Allocates: never.
/// Blocks: never.
bool tn_ros__action_of(const char *name, const char *type, char out_name[TN_ROS_NAME_MAX],
                       char out_type[TN_ROS_NAME_MAX]);

/// @return whether it has 1 to TN_ROS_NAME_MAX - 1 bytes, all printable ASCII and no space.
/// Thread: any. Allocates: never. Blocks: never.
bool tn_ros__is_printable(const char *text);

// ---- graph_gid.c: how large the gids that we announce are ----

/// What the readers of ros_discovery_info can read.
enum tn_ros__gid_reader {
    TN_ROS__READS_16,  ///< Iron and later: it has a type hash
    TN_ROS__READS_24,  ///< Humble: it has none
    TN_ROS__READS_BOTH ///< ours
};

/// Decides. Plain data.
struct tn_ros__gid_choice {
    uint32_t forced;    ///< 16 or 24: as told; 0: look who is there
    uint32_t size;      ///< decided: 16 or 24; 0: not yet
    bool has_waited;    ///< long enough for whoever is there to be seen
    bool has_told;      ///< that both kinds are there
    uint32_t n_readers; ///< foreign ones that are alive
    struct tn_ros__gid_choice_reader {
        struct tn_gid gid;
        enum tn_ros__gid_reader kind;
    } readers[TN_ROS__GID_READERS_MAX];
};

/// @return what a reader can read, by its USER_DATA. Thread: any. Allocates: never. Blocks: never.
enum tn_ros__gid_reader tn_ros__gid_reader_of(const uint8_t *user_data, size_t size);
/// A foreign reader came (again) or went. @return nothing. Thread: any. Allocates: never. Blocks:
/// never.
void tn_ros__gid_choice_reader(struct tn_ros__gid_choice *choice, struct tn_gid gid, bool is_alive,
                               enum tn_ros__gid_reader kind);
/// Decides anew, by what is known now.
/// A reader that takes 24 bytes for 16 sees no nodes; one that takes 16 for 24 reads lengths out of
/// gids and may run out of memory. So the larger form wins as soon as somebody needs it, and stays
/// until only readers of the smaller one are left.
/// @return whether `size` changed. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__gid_choice_decide(struct tn_ros__gid_choice *choice);
/// @return whether there is a reader that cannot read what is decided; true once only. Thread: any.
/// Allocates: never. Blocks: never.
bool tn_ros__gid_choice_is_mixed(struct tn_ros__gid_choice *choice);

// ---- graph_model.c: what is known ----

struct tn_ros__graph_model;

/// @return an empty model, or NULL: no memory. Thread: any. Allocates: yes. Blocks: never.
struct tn_ros__graph_model *tn_ros__graph_model_create(void);
/// Accepts NULL, nulls the pointer. @return nothing. Thread: the owner's. Allocates: never. Blocks:
/// never.
void tn_ros__graph_model_destroy(struct tn_ros__graph_model **model);

/// Takes in one event of discovery. @return whether anything changed. Thread: the owner's.
/// Allocates: yes. Blocks: never.
bool tn_ros__graph_model_discovered(struct tn_ros__graph_model *model,
                                    const struct tn_transport_discovered *event);

/// Takes in a ros_discovery_info message, which replaces the last one of its participant. What is
/// of a participant nobody has discovered is dropped by tn_ros__graph_model_settle().
/// @param writer   who sent it; must belong to the participant that the message is about
/// @return whether anything changed. Thread: the owner's. Allocates: yes. Blocks: never.
bool tn_ros__graph_model_entities(struct tn_ros__graph_model *model, struct tn_gid writer,
                                  const uint8_t *cdr, size_t size);

/// Drops messages of participants that are not there. To be called when messages were taken first
/// and all events of discovery after them. @return whether anything changed. Thread: the owner's.
/// Allocates: never. Blocks: never.
bool tn_ros__graph_model_settle(struct tn_ros__graph_model *model);

/// See tn_ros_graph_snapshot(). @param own   the participant of this process
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: the owner's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__graph_model_snapshot(const struct tn_ros__graph_model *model,
                                                         struct tn_gid own,
                                                         struct tn_ros_graph **out_graph);

/// See tn_ros_graph_node_of(). @return TN_OK; TN_ERR_NOT_FOUND. Thread: the owner's. Allocates:
/// never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__graph_model_node_of(const struct tn_ros__graph_model *model,
                                                        struct tn_gid gid,
                                                        struct tn_ros_graph_node_name *out);

/// @return announcements left out so far. Thread: the owner's. Allocates: never. Blocks: never.
uint64_t tn_ros__graph_model_left_out(const struct tn_ros__graph_model *model);

// ---- graph.c, graph_live.c: the context's part ----

struct tn_ros_context;
struct tn_ros__live;

/// Writes the context's own ros_discovery_info.
/// @param gid_size   16 or 24
/// @return nothing; see tn_cdr_writer_result(). Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_ros__graph_encode(const struct tn_ros_context *context, uint32_t gid_size,
                          struct tn_cdr_writer *w);
/// Own nodes or endpoints changed. Accepts NULL. @return nothing. Thread: the loop's. Allocates:
/// yes. Blocks: never.
void tn_ros__live_own_changed(struct tn_ros__live *live);
/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_ros__live_destroy(struct tn_ros__live **live);

#endif
