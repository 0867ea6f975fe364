// SPDX-License-Identifier: Apache-2.0
#include "base/ring.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CAPACITY = 65536 };

static uint32_t round_up_to_power_of_two(uint32_t value)
{
    uint32_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

enum tn_result tn_ring_create(struct tn_ring *ring, uint32_t element_size, uint32_t capacity)
{
    if (element_size == 0 || capacity == 0 || capacity > MAX_CAPACITY)
        return TN_ERR_INVALID_ARGUMENT;
    const uint32_t rounded = round_up_to_power_of_two(capacity);
    uint8_t *data = calloc(rounded, element_size);
    if (data == NULL)
        return TN_ERR_NO_MEMORY;
    ring->data = data;
    ring->element_size = element_size;
    ring->capacity = rounded;
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    return TN_OK;
}

void tn_ring_destroy(struct tn_ring *ring)
{
    free(ring->data);
    ring->data = NULL;
    ring->capacity = 0;
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
}

static uint8_t *element_at(const struct tn_ring *ring, uint32_t position)
{
    return ring->data + (size_t)(position & (ring->capacity - 1)) * ring->element_size;
}

// head: next to write, tail: next to read; both run freely and wrap together
bool tn_ring_push(struct tn_ring *ring, const void *element)
{
    const uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    const uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (head - tail >= ring->capacity)
        return false;
    memcpy(element_at(ring, head), element, ring->element_size);
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

bool tn_ring_pop(struct tn_ring *ring, void *out_element)
{
    const uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    const uint32_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    if (head == tail)
        return false;
    memcpy(out_element, element_at(ring, tail), ring->element_size);
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

uint32_t tn_ring_count(const struct tn_ring *ring)
{
    // tail first: it can only be overtaken by a head read later, never the other way round
    const uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    const uint32_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    const uint32_t count = head - tail;
    return count < ring->capacity ? count : ring->capacity;
}
