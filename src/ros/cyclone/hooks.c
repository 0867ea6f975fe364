// SPDX-License-Identifier: Apache-2.0
#include "ros/cyclone/cyclone__hooks.h"

#include <string.h>

// ddsi_endpoint.h does not include what it needs
#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_entity_index.h>

#include <dds/ddsi/ddsi_endpoint.h>
#include <dds/ddsi/ddsi_entity_match.h>
#include <dds/ddsi/ddsi_proxy_endpoint.h>
#include <dds/ddsi/q_bswap.h>
#include <dds/ddsi/q_thread.h>
#include <dds/ddsrt/avl.h>
#include <dds/ddsrt/sync.h>
#include <dds/security/dds_security_api_types.h>
#include <dds/version.h>

#include "ros/cyclone/cyclone__match.h"
#include "ros/cyclone/cyclone__sample.h"

// the layout and the order of calls were checked for this series only
_Static_assert(DDS_VERSION_MAJOR == 0 && DDS_VERSION_MINOR == 10, "Cyclone DDS 0.10 is expected");
_Static_assert(sizeof(ddsi_keyhash_t) == 16, "the keyhash parameter has 16 bytes");
_Static_assert(sizeof(ddsi_guid_t) == TN_GID_SIZE, "a gid is a GUID");

static struct ddsi_domaingv *domain_of(const struct ddsi_sertype *type)
{
    return ddsrt_atomic_ldvoidp(&((struct ddsi_sertype *)(uintptr_t)type)->gv);
}

static ddsi_guid_t guid_of(struct tn_gid gid)
{
    ddsi_guid_t guid;
    memcpy(&guid, gid.data, sizeof guid);
    return nn_ntoh_guid(guid);
}

/// With an encrypted payload the bytes in front of it would be encrypted too.
static bool is_payload_protected(const struct ddsi_writer *writer)
{
#ifdef DDS_HAS_SECURITY
    // the struct behind it is declared in a header that is not installed whole: this is its first
    // member
    const DDS_Security_EndpointSecurityAttributes *attributes = (const void *)writer->sec_attr;
    return attributes != NULL && attributes->is_payload_protected;
#else
    (void)writer;
    return false;
#endif
}

bool tn_ros__hook_inline_qos(struct tn_transport_writer *writer)
{
    struct ddsi_domaingv *gv = domain_of(writer->type);
    ddsi_guid_t guid = guid_of(writer->gid);
    struct thread_state *thread = lookup_thread_state();
    bool is_hooked = false;

    thread_state_awake(thread, gv);
    struct ddsi_writer *w = entidx_lookup_writer_guid(gv->entity_index, &guid);
    if (w != NULL) {
        ddsrt_mutex_lock(&w->e.lock);
        // anything but zero at a fresh writer: not the field that is meant
        if (w->num_readers_requesting_keyhash == 0 && w->seq == 0 && w->type == writer->type &&
            !is_payload_protected(w)) {
            w->num_readers_requesting_keyhash++;
            is_hooked = true;
        }
        ddsrt_mutex_unlock(&w->e.lock);
    }
    thread_state_asleep(thread);
    return is_hooked;
}

/// Asked before a sample is sent again to one reader: zero leaves a gap there.
static int may_see(struct ddsi_writer *writer, struct ddsi_proxy_reader *reader,
                   struct ddsi_serdata *serdata)
{
    (void)writer;
    (void)reader;
    // whatever a writer of this participant holds was made by us
    return !((const struct tn_ros__sample *)serdata)->is_inband;
}

static bool is_stranger(const struct ddsi_guid *guid)
{
    ddsi_guid_t wire = nn_hton_guid(*guid);
    return !tn_ros__is_cyclone((const uint8_t *)&wire);
}

void tn_ros__hook_keep_from_strangers(struct tn_transport_writer *writer)
{
    struct ddsi_domaingv *gv = domain_of(writer->type);
    ddsi_guid_t guid = guid_of(writer->gid);
    struct thread_state *thread = lookup_thread_state();

    thread_state_awake(thread, gv);
    struct ddsi_writer *w = entidx_lookup_writer_guid(gv->entity_index, &guid);
    if (w != NULL) {
        ddsrt_avl_iter_t it;
        ddsrt_mutex_lock(&w->e.lock);
        for (const struct ddsi_wr_prd_match *m =
                 ddsrt_avl_iter_first(&ddsi_wr_readers_treedef, &w->readers, &it);
             m != NULL; m = ddsrt_avl_iter_next(&it)) {
            struct ddsi_proxy_reader *reader =
                is_stranger(&m->prd_guid)
                    ? entidx_lookup_proxy_reader_guid(gv->entity_index, &m->prd_guid)
                    : NULL;
            if (reader != NULL && reader->filter == NULL)
                reader->filter = may_see;
        }
        ddsrt_mutex_unlock(&w->e.lock);
    }
    thread_state_asleep(thread);
}

uint32_t tn_ros__hook_fragment_size(const struct tn_transport_writer *writer)
{
    return domain_of(writer->type)->config.fragment_size;
}

bool tn_ros__hook_start_from_first(struct tn_transport_reader *reader)
{
    struct ddsi_domaingv *gv = domain_of(reader->type);
    ddsi_guid_t guid = guid_of(reader->gid);
    struct thread_state *thread = lookup_thread_state();
    bool is_hooked = false;

    thread_state_awake(thread, gv);
    struct ddsi_reader *r = entidx_lookup_reader_guid(gv->entity_index, &guid);
    if (r != NULL) {
        ddsrt_mutex_lock(&r->e.lock);
        // a best-effort reader gets nothing twice anyway, a transient-local one has it set
        if (r->type == reader->type) {
            if (r->reliable)
                r->handle_as_transient_local = 1;
            is_hooked = true;
        }
        ddsrt_mutex_unlock(&r->e.lock);
    }
    thread_state_asleep(thread);
    return is_hooked;
}
