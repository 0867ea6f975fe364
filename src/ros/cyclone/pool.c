// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__sample.h"

#define CLASS_MIN_BYTES 256u
/// 256 bytes, 512, … 16 MiB
#define N_CLASSES 17u

struct tn_ros__pool {
    pthread_mutex_t lock;
    uint32_t refs; ///< owners and samples that are out
    struct tn_ros__sample *free[N_CLASSES];
    size_t kept_bytes;
    atomic_bool is_hook_broken;
};

_Static_assert((CLASS_MIN_BYTES << (N_CLASSES - 1u)) == TN_ROS__PAYLOAD_MAX,
               "the largest class must hold the largest payload");
// an 8-byte aligned body lets CDR code read and write numbers in place
_Static_assert((offsetof(struct tn_ros__sample, bytes) + TN_ROS__HEADROOM + 4u) % 8u == 0,
               "the CDR body must be 8-byte aligned");

struct tn_ros__pool *tn_ros__pool_create(void)
{
    struct tn_ros__pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    if (pthread_mutex_init(&pool->lock, NULL) != 0) {
        free(pool);
        return NULL;
    }
    pool->refs = 1;
    return pool;
}

struct tn_ros__pool *tn_ros__pool_ref(struct tn_ros__pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->refs++;
    pthread_mutex_unlock(&pool->lock);
    return pool;
}

void tn_ros__pool_set_hook_broken(struct tn_ros__pool *pool)
{
    atomic_store(&pool->is_hook_broken, true);
}

bool tn_ros__pool_is_hook_broken(const struct tn_ros__pool *pool)
{
    return atomic_load(&pool->is_hook_broken);
}

static void pool_free(struct tn_ros__pool *pool)
{
    for (uint32_t i = 0; i < N_CLASSES; i++) {
        while (pool->free[i] != NULL) {
            struct tn_ros__sample *sample = pool->free[i];
            pool->free[i] = sample->next_free;
            free(sample);
        }
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void tn_ros__pool_unref(struct tn_ros__pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    bool is_last = --pool->refs == 0;
    pthread_mutex_unlock(&pool->lock);
    if (is_last)
        pool_free(pool);
}

static uint32_t size_class_of(size_t capacity)
{
    uint32_t size_class = 0;
    while (((size_t)CLASS_MIN_BYTES << size_class) < capacity)
        size_class++;
    return size_class;
}

static struct tn_ros__sample *pool_take(struct tn_ros__pool *pool, uint32_t size_class)
{
    pthread_mutex_lock(&pool->lock);
    pool->refs++;
    struct tn_ros__sample *sample = pool->free[size_class];
    if (sample != NULL) {
        pool->free[size_class] = sample->next_free;
        pool->kept_bytes -= sample->capacity;
    }
    pthread_mutex_unlock(&pool->lock);
    return sample;
}

struct tn_ros__sample *tn_ros__sample_new(struct tn_ros__pool *pool,
                                          const struct ddsi_sertype *type,
                                          enum ddsi_serdata_kind kind, size_t capacity)
{
    if (capacity > TN_ROS__PAYLOAD_MAX)
        return NULL;
    uint32_t size_class = size_class_of(capacity);
    struct tn_ros__sample *sample = pool_take(pool, size_class);
    if (sample == NULL) {
        size_t room = (size_t)CLASS_MIN_BYTES << size_class;
        sample = malloc(sizeof *sample + TN_ROS__HEADROOM + room);
        if (sample == NULL) {
            tn_ros__pool_unref(pool);
            return NULL;
        }
        sample->capacity = (uint32_t)room;
        sample->size_class = size_class;
    }
    ddsi_serdata_init(&sample->c, type, kind);
    sample->pool = pool;
    sample->next_free = NULL;
    sample->size = 0;
    memset(&sample->meta, 0, sizeof sample->meta);
    sample->arrival_steady_ns = 0;
    sample->is_inband = false;
    sample->has_prefix = false;
    sample->on_repeat = NULL;
    atomic_init(&sample->n_sent, 0);
    atomic_init(&sample->n_let_go, 0);
    atomic_init(&sample->is_armed, false);
    return sample;
}

void tn_ros__sample_unref(struct tn_ros__sample *sample)
{
    atomic_fetch_add(&sample->n_let_go, 1);
    ddsi_serdata_unref(&sample->c);
}

void tn_ros__sample_free(struct ddsi_serdata *serdata)
{
    struct tn_ros__sample *sample = (struct tn_ros__sample *)serdata;
    (void)atomic_load(&sample->n_let_go);
    struct tn_ros__pool *pool = sample->pool;
    pthread_mutex_lock(&pool->lock);
    struct tn_ros__sample **list = &pool->free[sample->size_class];
    bool keeps = *list == NULL || pool->kept_bytes + sample->capacity <= TN_ROS__POOL_KEEP_BYTES;
    if (keeps) {
        sample->next_free = *list;
        *list = sample;
        pool->kept_bytes += sample->capacity;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!keeps)
        free(sample);
    tn_ros__pool_unref(pool);
}

uint8_t *tn_ros__sample_payload(struct tn_ros__sample *sample)
{
    return sample->bytes + TN_ROS__HEADROOM;
}

void tn_ros__sample_set_size(struct tn_ros__sample *sample, size_t size)
{
    sample->size = (uint32_t)size;
    // Cyclone sends whole words: the padding must not leak old bytes
    size_t padded = (size + 3u) & ~(size_t)3u;
    if (padded <= sample->capacity)
        memset(tn_ros__sample_payload(sample) + size, 0, padded - size);
}
