// SPDX-License-Identifier: Apache-2.0
// our bytes against those of Cyclone with idlc's descriptors, for the same random values
//
// The values reach idlc's structs through the field tables and idlc's rules of layout alone, so
// that nothing of our codec is involved on that side.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>

#include "peer_types.h"
#include "unit/rosidl/values.h"

#define ARENA_SIZE  ((size_t)4 << 20)
#define MESSAGE_MAX ((size_t)1 << 18)
#define N_SEEDS     12u

struct pair {
    const struct tn_type *ours;
    const dds_topic_descriptor_t *theirs;
};

#define PAIR(package, kind, name)                                                                  \
    {                                                                                              \
        &package##_##kind##_##name##_type, &package##_##kind##_dds__##name##__desc                 \
    }

#include "peer_pairs.h"

// what idlc's C mapping makes of a sequence
struct peer_sequence {
    uint32_t maximum;
    uint32_t length;
    void *buffer;
    bool release;
};

struct layout {
    size_t size;
    size_t align;
};

static struct layout struct_layout(const struct tn_type *type);

static struct layout element_layout(const struct tn_field *field)
{
    if (field->type == TN_TYPE_NESTED) {
        return struct_layout(field->nested);
    }
    if (field->type == TN_TYPE_STRING) {
        return field->string_capacity != 0 ? (struct layout){field->string_capacity + 1u, 1}
                                           : (struct layout){sizeof(char *), _Alignof(char *)};
    }
    size_t size = tn_field_element_size(field);
    return (struct layout){size, size};
}

static bool is_sequence(const struct tn_field *field)
{
    return field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED;
}

static size_t aligned(size_t offset, size_t align)
{
    return (offset + align - 1) / align * align;
}

static struct layout member_layout(const struct tn_field *field)
{
    if (is_sequence(field)) {
        return (struct layout){sizeof(struct peer_sequence), _Alignof(struct peer_sequence)};
    }
    struct layout layout = element_layout(field);
    layout.size *= field->array == TN_ARRAY_FIXED ? field->capacity : 1;
    return layout;
}

static struct layout struct_layout(const struct tn_type *type)
{
    struct layout layout = {type->n_fields == 0 ? 1 : 0, 1};
    for (uint32_t i = 0; i < type->n_fields; i++) {
        struct layout member = member_layout(&type->fields[i]);
        layout.size = aligned(layout.size, member.align) + member.size;
        layout.align = member.align > layout.align ? member.align : layout.align;
    }
    layout.size = aligned(layout.size, layout.align);
    return layout;
}

static void to_peer(struct tn_arena *arena, const struct tn_type *type, const void *msg,
                    uint8_t *out);

static void element_to_peer(struct tn_arena *arena, const struct tn_field *field,
                            const void *element, uint8_t *out)
{
    if (field->type == TN_TYPE_NESTED) {
        to_peer(arena, field->nested, element, out);
    } else if (field->type != TN_TYPE_STRING) {
        memcpy(out, element, tn_field_element_size(field));
    } else {
        const struct tn_str *text = element;
        char *copy = tn_arena_strndup(arena, text->size != 0 ? text->data : "", text->size);
        assert_non_null(copy);
        if (field->string_capacity != 0) {
            memcpy(out, copy, text->size + 1u);
        } else {
            memcpy(out, &copy, sizeof copy);
        }
    }
}

static void member_to_peer(struct tn_arena *arena, const struct tn_field *field, const void *member,
                           uint8_t *out)
{
    uint32_t n;
    const char *elements = tn_field_elements(field, member, &n);
    struct layout element = element_layout(field);
    if (is_sequence(field)) {
        struct peer_sequence sequence = {
            .maximum = n, .length = n, .buffer = tn_arena_alloc(arena, n, element.size, 8)};
        assert_non_null(sequence.buffer);
        memcpy(out, &sequence, sizeof sequence);
        out = sequence.buffer;
    }
    for (uint32_t i = 0; i < n; i++) {
        element_to_peer(arena, field, elements + i * tn_field_element_size(field),
                        out + i * element.size);
    }
}

static void to_peer(struct tn_arena *arena, const struct tn_type *type, const void *msg,
                    uint8_t *out)
{
    size_t offset = 0;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        struct layout member = member_layout(field);
        offset = aligned(offset, member.align);
        member_to_peer(arena, field, (const char *)msg + field->offset, out + offset);
        offset += member.size;
    }
}

struct peer {
    dds_entity_t writer;
    dds_entity_t reader;
};

static struct peer make_peer(dds_entity_t participant, const struct pair *pair)
{
    const dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_data_representation(qos, 1, &xcdr1);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_entity_t topic =
        dds_create_topic(participant, pair->theirs, pair->ours->ros_name, qos, NULL);
    assert_true(topic > 0);
    struct peer peer = {
        .reader = dds_create_reader(participant, topic, qos, NULL),
        .writer = dds_create_writer(participant, topic, qos, NULL),
    };
    assert_true(peer.reader > 0 && peer.writer > 0);
    dds_delete_qos(qos);
    return peer;
}

// writes a sample and takes its bytes back; local delivery is done when the write returns
static size_t peer_bytes(struct peer peer, const void *sample, uint8_t *out)
{
    struct ddsi_serdata *serdata = NULL;
    dds_sample_info_t info;
    assert_int_equal(dds_write(peer.writer, sample), DDS_RETCODE_OK);
    assert_int_equal(dds_takecdr(peer.reader, &serdata, 1, &info, DDS_ANY_STATE), 1);
    size_t size = ddsi_serdata_size(serdata);
    assert_true(size <= MESSAGE_MAX);
    ddsi_serdata_to_ser(serdata, 0, size, out);
    ddsi_serdata_unref(serdata);
    return size;
}

struct fixture {
    struct tn_arena arena;
    dds_entity_t participant;
    uint8_t *ours;
    uint8_t *theirs;
    void *msg;
    uint8_t *sample;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(tn_arena_create(&f->arena, ARENA_SIZE), TN_OK);
    f->ours = malloc(MESSAGE_MAX);
    f->theirs = malloc(MESSAGE_MAX);
    f->msg = malloc(MESSAGE_MAX);
    f->sample = malloc(MESSAGE_MAX);
    f->participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
    assert_true(f->participant > 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    dds_delete(f->participant);
    tn_arena_destroy(&f->arena);
    free(f->ours);
    free(f->theirs);
    free(f->msg);
    free(f->sample);
    free(f);
    return 0;
}

static void compare(struct fixture *f, const struct pair *pair, struct peer peer, uint32_t seed)
{
    struct tn_cdr_writer writer;
    struct tn_cdr_reader reader;
    tn_arena_reset(&f->arena);
    struct values values = {
        .state = seed * 15485863u + 3, .max_elements = seed, .arena = &f->arena};
    values_fill(&values, pair->ours, f->msg);
    tn_cdr_writer_begin(&writer, f->ours, MESSAGE_MAX);
    assert_int_equal(tn_type_encode(pair->ours, f->msg, &writer), TN_OK);
    memset(f->sample, 0, struct_layout(pair->ours).size);
    to_peer(&f->arena, pair->ours, f->msg, f->sample);
    size_t size = peer_bytes(peer, f->sample, f->theirs);
    // the options in the last header byte count the padding
    f->theirs[3] = 0;
    if (size < writer.size || size >= writer.size + 4 ||
        memcmp(f->ours, f->theirs, writer.size) != 0) {
        fail_msg("%s, seed %u: %zu bytes, Cyclone has %zu or other bytes", pair->ours->ros_name,
                 (unsigned)seed, writer.size, size);
    }
    // and what Cyclone wrote is read as the same values
    void *back = tn_arena_alloc(&f->arena, 1, pair->ours->size, 16);
    assert_non_null(back);
    assert_int_equal(tn_cdr_reader_begin(&reader, f->theirs, size), TN_OK);
    assert_int_equal(tn_type_decode(pair->ours, back, &reader, &f->arena), TN_OK);
    assert_true(tn_type_equal(pair->ours, back, f->msg));
}

static void bytes_equal_those_of_idlc(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(pairs); i++) {
        const struct pair *pair = &pairs[i];
        assert_int_equal(pair->theirs->m_size, struct_layout(pair->ours).size);
        assert_string_equal(pair->theirs->m_typename, pair->ours->dds_name);
        struct peer peer = make_peer(f->participant, pair);
        for (uint32_t seed = 0; seed < N_SEEDS; seed++) {
            compare(f, pair, peer, seed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_equal_those_of_idlc, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
