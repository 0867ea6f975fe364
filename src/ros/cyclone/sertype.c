// SPDX-License-Identifier: Apache-2.0
// The opaque-CDR type: what Cyclone calls to make, send and drop samples it cannot look into.
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>
#include <dds/ddsi/q_radmin.h>

#include "base/loop.h"
#include "ros/cyclone/cyclone__sample.h"

static struct tn_ros__sample *sample_of(struct ddsi_serdata *serdata)
{
    return (struct tn_ros__sample *)serdata;
}

static const struct tn_ros__sample *const_sample_of(const struct ddsi_serdata *serdata)
{
    return (const struct tn_ros__sample *)serdata;
}

static const struct tn_ros__type *type_of(const struct ddsi_sertype *type)
{
    return (const struct tn_ros__type *)type;
}

// ---- serdata ----

static bool has_equal_key(const struct ddsi_serdata *a, const struct ddsi_serdata *b)
{
    // ROS topics have no keys: all samples are one instance
    (void)a;
    (void)b;
    return true;
}

static uint32_t get_size(const struct ddsi_serdata *serdata)
{
    return const_sample_of(serdata)->size;
}

static struct tn_ros__sample *new_received(const struct ddsi_sertype *type,
                                           enum ddsi_serdata_kind kind, size_t size)
{
    const struct tn_ros__type *t = type_of(type);
    struct tn_ros__sample *sample = tn_ros__sample_new(t->pool, type, kind, size);
    if (sample != NULL) {
        sample->arrival_steady_ns = t->clock.steady_ns(t->clock.context);
        tn_ros__sample_set_size(sample, size);
    }
    return sample;
}

static bool copy_fragments(uint8_t *out, const struct nn_rdata *fragment, size_t size)
{
    uint32_t done = 0;
    for (; fragment != NULL; fragment = fragment->nextfrag) {
        if (fragment->maxp1 <= done)
            continue;
        if (fragment->min > done || fragment->maxp1 > size)
            return false;
        const uint8_t *payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
        memcpy(out + done, payload + (done - fragment->min), fragment->maxp1 - done);
        done = fragment->maxp1;
    }
    return done == size;
}

static struct ddsi_serdata *from_ser(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                     const struct nn_rdata *fragments, size_t size)
{
    struct tn_ros__sample *sample = new_received(type, kind, size);
    if (sample == NULL)
        return NULL;
    (void)tn_ros__rtps_parse(NN_RMSG_PAYLOAD(fragments->rmsg), NN_RDATA_PAYLOAD_OFF(fragments),
                             NN_RDATA_SUBMSG_OFF(fragments), &sample->meta);
    if (!copy_fragments(tn_ros__sample_payload(sample), fragments, size)) {
        ddsi_serdata_unref(&sample->c);
        return NULL;
    }
    return &sample->c;
}

static struct ddsi_serdata *from_ser_iov(const struct ddsi_sertype *type,
                                         enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t n,
                                         const ddsrt_iovec_t *iov, size_t size)
{
    struct tn_ros__sample *sample = new_received(type, kind, size);
    if (sample == NULL)
        return NULL;
    size_t done = 0;
    for (ddsrt_msg_iovlen_t i = 0; i < n && done < size; i++) {
        size_t part = iov[i].iov_len < size - done ? iov[i].iov_len : size - done;
        memcpy(tn_ros__sample_payload(sample) + done, iov[i].iov_base, part);
        done += part;
    }
    // what is missing would be an older message's bytes
    if (done < size) {
        ddsi_serdata_unref(&sample->c);
        return NULL;
    }
    return &sample->c;
}

static struct ddsi_serdata *new_key(const struct ddsi_sertype *type)
{
    struct tn_ros__sample *sample = tn_ros__sample_new(type_of(type)->pool, type, SDK_KEY, 0);
    return sample == NULL ? NULL : &sample->c;
}

static struct ddsi_serdata *from_keyhash(const struct ddsi_sertype *type,
                                         const struct ddsi_keyhash *keyhash)
{
    (void)keyhash;
    return new_key(type);
}

static struct ddsi_serdata *from_sample(const struct ddsi_sertype *type,
                                        enum ddsi_serdata_kind kind, const void *data)
{
    // data is only ever written as serdata; Cyclone itself asks for keys
    (void)data;
    return kind == SDK_DATA ? NULL : new_key(type);
}

static void to_ser(const struct ddsi_serdata *serdata, size_t offset, size_t size, void *out)
{
    memcpy(out, const_sample_of(serdata)->bytes + TN_ROS__HEADROOM + offset, size);
}

static struct ddsi_serdata *to_ser_ref(const struct ddsi_serdata *serdata, size_t offset,
                                       size_t size, ddsrt_iovec_t *out)
{
    struct ddsi_serdata *ref = ddsi_serdata_ref(serdata);
    struct tn_ros__sample *sample = sample_of(ref);
    out->iov_base = sample->bytes + TN_ROS__HEADROOM + offset;
    out->iov_len = size;
    // the rest of the inline QoS goes in front of the first bytes (see get_keyhash)
    if (sample->has_prefix && atomic_exchange(&sample->is_armed, false) && offset == 0) {
        out->iov_base = sample->bytes;
        out->iov_len = size + TN_ROS__HEADROOM;
    }
    return ref;
}

static void to_ser_unref(struct ddsi_serdata *serdata, const ddsrt_iovec_t *ref)
{
    (void)ref;
    ddsi_serdata_unref(serdata);
}

static bool to_sample(const struct ddsi_serdata *serdata, void *out, void **buffer, void *end)
{
    (void)serdata;
    (void)out;
    (void)buffer;
    (void)end;
    return false;
}

static struct ddsi_serdata *to_untyped(const struct ddsi_serdata *serdata)
{
    struct tn_ros__sample *key =
        tn_ros__sample_new(const_sample_of(serdata)->pool, serdata->type, SDK_KEY, 0);
    if (key == NULL)
        return NULL;
    key->c.type = NULL;
    return &key->c;
}

static bool untyped_to_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *serdata,
                              void *out, void **buffer, void *end)
{
    (void)type;
    return to_sample(serdata, out, buffer, end);
}

static size_t print(const struct ddsi_sertype *type, const struct ddsi_serdata *serdata, char *out,
                    size_t size)
{
    (void)type;
    int n = snprintf(out, size, "(cdr %u bytes)", const_sample_of(serdata)->size);
    return n < 0 ? 0 : (size_t)n;
}

/// For writers with forced keyhash (services) Cyclone calls this with `out` right behind the
/// parameter header {PID_KEYHASH, 16} in the message being built, then appends the sentinel, then
/// asks to_ser_ref() for the payload, all under the writer's lock. The header is turned into a
/// PID_PAD whose value swallows that sentinel, so that the parameter list runs on into the bytes
/// that to_ser_ref() puts in front of the payload: the related sample identity and a sentinel.
static void get_keyhash(const struct ddsi_serdata *serdata, struct ddsi_keyhash *out, bool force)
{
    static const uint8_t keyhash_header[4] = {0x70, 0x00, 16, 0x00};
    static const uint8_t pad_header[4] = {0x00, 0x00, 20, 0x00};
    (void)force;
    memset(out, 0, sizeof *out);
    if (!const_sample_of(serdata)->has_prefix)
        return;
    struct tn_ros__sample *sample = (struct tn_ros__sample *)(uintptr_t)serdata;
    uint8_t *header = (uint8_t *)out - sizeof keyhash_header;
    if (memcmp(header, keyhash_header, sizeof keyhash_header) != 0) {
        tn_ros__pool_set_hook_broken(sample->pool);
        return;
    }
    memcpy(header, pad_header, sizeof pad_header);
    atomic_store(&sample->is_armed, true);
    if (atomic_fetch_add(&sample->n_sent, 1) > 0 && sample->on_repeat != NULL)
        tn_loop_async_signal(sample->on_repeat);
}

#ifdef DDS_HAS_SHM
static uint32_t iox_size(const struct ddsi_serdata *serdata)
{
    (void)serdata;
    return 0;
}

static struct ddsi_serdata *from_iox(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                     void *subscriber, void *buffer)
{
    (void)type;
    (void)kind;
    (void)subscriber;
    (void)buffer;
    return NULL;
}
#endif

static const struct ddsi_serdata_ops serdata_ops = {
    .eqkey = has_equal_key,
    .get_size = get_size,
    .from_ser = from_ser,
    .from_ser_iov = from_ser_iov,
    .from_keyhash = from_keyhash,
    .from_sample = from_sample,
    .to_ser = to_ser,
    .to_ser_ref = to_ser_ref,
    .to_ser_unref = to_ser_unref,
    .to_sample = to_sample,
    .to_untyped = to_untyped,
    .untyped_to_sample = untyped_to_sample,
    .free = tn_ros__sample_free,
    .print = print,
    .get_keyhash = get_keyhash,
#ifdef DDS_HAS_SHM
    .get_sample_size = iox_size,
    .from_iox_buffer = from_iox,
#endif
};

// ---- sertype ----

static void type_free(struct ddsi_sertype *type)
{
    tn_ros__pool_unref(((struct tn_ros__type *)type)->pool);
    ddsi_sertype_fini(type);
    free(type);
}

static void zero_samples(const struct ddsi_sertype *type, void *samples, size_t n)
{
    (void)type;
    (void)samples;
    (void)n;
}

static void realloc_samples(void **out, const struct ddsi_sertype *type, void *old, size_t n_old,
                            size_t n)
{
    // only dds_read/dds_take and content filters use C samples; both are never used here
    (void)type;
    (void)old;
    (void)n_old;
    for (size_t i = 0; i < n; i++)
        out[i] = NULL;
}

static void free_samples(const struct ddsi_sertype *type, void **samples, size_t n,
                         dds_free_op_t op)
{
    (void)type;
    (void)samples;
    (void)n;
    (void)op;
}

static bool is_equal(const struct ddsi_sertype *a, const struct ddsi_sertype *b)
{
    // Cyclone has compared the type names
    (void)a;
    (void)b;
    return true;
}

static uint32_t get_hash(const struct ddsi_sertype *type)
{
    (void)type;
    return 0;
}

static const struct ddsi_sertype_ops sertype_ops = {
    .version = ddsi_sertype_v0,
    .free = type_free,
    .zero_samples = zero_samples,
    .realloc_samples = realloc_samples,
    .free_samples = free_samples,
    .equal = is_equal,
    .hash = get_hash,
};

struct ddsi_sertype *tn_ros__type_new(const char *dds_type, struct tn_ros__pool *pool,
                                      struct tn_clock clock)
{
    struct tn_ros__type *type = calloc(1, sizeof *type);
    if (type == NULL)
        return NULL;
    type->pool = tn_ros__pool_ref(pool);
    type->clock = clock;
    ddsi_sertype_init_flags(&type->c, dds_type, &sertype_ops, &serdata_ops,
                            DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
    type->c.allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
    return &type->c;
}
