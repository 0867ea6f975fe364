// SPDX-License-Identifier: Apache-2.0
#include "base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACE_MAGIC   UINT64_C(0x3145434152544e54) // "TNTRACE1"
#define MAX_CAPACITY  (UINT32_C(1) << 24)
#define RECORD_WORDS  3
#define ENV_VARIABLE  "TENDON_TRACE_RING"
#define GIVE_UP_AFTER 64 // claims behind an unfinished record until its writer counts as dead

_Static_assert(sizeof(struct tn_trace_record) == RECORD_WORDS * sizeof(uint64_t),
               "records are copied word by word");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "processes share these words: locks would not do");

// Word `sequence` of a slot: 0 never used, 2n+1 record n is being written, 2n+2 record n is there.
struct slot {
    _Atomic uint64_t sequence;
    _Atomic uint64_t words[RECORD_WORDS];
};

struct file_header {
    _Atomic uint64_t magic; // stored last: a file without it is not finished
    uint32_t capacity;
    uint32_t slot_size;
    _Atomic uint64_t next; // number of the next record
    uint64_t reserved[5];
};

struct tn_trace_ring {
    struct file_header *header;
    struct slot *slots;
    uint32_t capacity; // as checked at the start; the shared copy is not trusted
    size_t mapped_size;
};

const char *tn_trace_stage_name(enum tn_trace_stage stage)
{
    static const char names[TN_TRACE_STAGES][9] = {"sent",    "received", "driver",  "adapter",
                                                   "command", "accepted", "executed"};
    return (unsigned)stage < TN_TRACE_STAGES ? names[stage] : "?";
}

static size_t file_size(uint32_t capacity)
{
    return sizeof(struct file_header) + (size_t)capacity * sizeof(struct slot);
}

// takes over nothing but the mapping; the descriptor stays the caller's
static enum tn_result map_file(const char *path, int fd, uint32_t capacity,
                               struct tn_trace_ring **out_ring, struct tn_error *err)
{
    struct tn_trace_ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL)
        return tn_error_at(err, TN_ERR_NO_MEMORY, path, 0, 0, "no memory for a trace ring");
    ring->capacity = capacity;
    ring->mapped_size = file_size(capacity);
    void *base = mmap(NULL, ring->mapped_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) {
        free(ring);
        return tn_error_at(err, TN_ERR_IO, path, 0, 0, "cannot map the trace ring: %s",
                           strerror(errno));
    }
    ring->header = base;
    ring->slots = (struct slot *)(ring->header + 1);
    *out_ring = ring;
    return TN_OK;
}

enum tn_result tn_trace_create(const char *path, uint32_t capacity, struct tn_trace_ring **out_ring,
                               struct tn_error *err)
{
    if (capacity == 0 || capacity > MAX_CAPACITY || (capacity & (capacity - 1)) != 0)
        return tn_error_at(err, TN_ERR_INVALID_ARGUMENT, path, 0, 0,
                           "trace ring capacity %u is not a power of two up to %u",
                           (unsigned)capacity, (unsigned)MAX_CAPACITY);
    // a new file each time: processes that still map an old one must not see it shrink
    (void)unlink(path);
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return tn_error_at(err, TN_ERR_IO, path, 0, 0, "cannot create the trace ring: %s",
                           strerror(errno));
    enum tn_result result = TN_OK;
    // allocated now: a full file system is an error here instead of a SIGBUS later
    const int error = posix_fallocate(fd, 0, (off_t)file_size(capacity));
    if (error != 0)
        result = tn_error_at(err, TN_ERR_IO, path, 0, 0, "cannot reserve the trace ring: %s",
                             strerror(error));
    struct tn_trace_ring *ring = NULL;
    if (result == TN_OK)
        result = map_file(path, fd, capacity, &ring, err);
    (void)close(fd);
    if (result != TN_OK) {
        (void)unlink(path);
        return result;
    }
    ring->header->capacity = capacity;
    ring->header->slot_size = sizeof(struct slot);
    atomic_store_explicit(&ring->header->magic, TRACE_MAGIC, memory_order_release);
    *out_ring = ring;
    return TN_OK;
}

// reads the head of the file and holds it against the file's size
static enum tn_result check_file(const char *path, int fd, uint32_t *out_capacity,
                                 struct tn_error *err)
{
    struct stat status;
    struct {
        uint64_t magic;
        uint32_t capacity, slot_size;
    } head;
    if (fstat(fd, &status) != 0)
        return tn_error_at(err, TN_ERR_IO, path, 0, 0, "fstat: %s", strerror(errno));
    const bool is_whole = pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head;
    if (!is_whole || head.magic != TRACE_MAGIC || head.slot_size != sizeof(struct slot) ||
        head.capacity == 0 || head.capacity > MAX_CAPACITY ||
        (head.capacity & (head.capacity - 1)) != 0 ||
        status.st_size != (off_t)file_size(head.capacity))
        return tn_error_at(err, TN_ERR_MALFORMED, path, 0, 0,
                           "not a trace ring; the program that reads the trace makes it, and "
                           "unsetting " ENV_VARIABLE " switches tracing off");
    *out_capacity = head.capacity;
    return TN_OK;
}

enum tn_result tn_trace_open(const char *path, struct tn_trace_ring **out_ring,
                             struct tn_error *err)
{
    const char *name = path != NULL ? path : getenv(ENV_VARIABLE);
    if (name == NULL || name[0] == '\0') {
        *out_ring = NULL;
        return TN_OK;
    }
    const int fd = open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return tn_error_at(err, TN_ERR_IO, name, 0, 0,
                           "cannot open the trace ring (" ENV_VARIABLE "): %s", strerror(errno));
    uint32_t capacity = 0;
    enum tn_result result = check_file(name, fd, &capacity, err);
    if (result == TN_OK)
        result = map_file(name, fd, capacity, out_ring, err);
    (void)close(fd);
    return result;
}

void tn_trace_close(struct tn_trace_ring **ring)
{
    struct tn_trace_ring *self = *ring;
    if (self == NULL)
        return;
    (void)munmap(self->header, self->mapped_size);
    free(self);
    *ring = NULL;
}

// A slot may be taken when its record is finished and older: a writer that was stopped for a whole
// round must not overwrite a newer record.
static bool claim(struct slot *slot, uint64_t number)
{
    uint64_t found = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
    const bool is_free = (found & 1) == 0 && found < 2 * number + 1;
    return is_free &&
           atomic_compare_exchange_strong_explicit(&slot->sequence, &found, 2 * number + 1,
                                                   memory_order_acquire, memory_order_relaxed);
}

void tn_trace_append(struct tn_trace_ring *ring, const struct tn_trace_record *record)
{
    if (ring == NULL)
        return;
    uint64_t words[RECORD_WORDS];
    memcpy(words, record, sizeof words);
    const uint64_t number = atomic_fetch_add_explicit(&ring->header->next, 1, memory_order_relaxed);
    struct slot *slot = &ring->slots[number & (ring->capacity - 1)];
    if (!claim(slot, number))
        return;
    // release: none of these is seen before the odd sequence
    for (int i = 0; i < RECORD_WORDS; i++)
        atomic_store_explicit(&slot->words[i], words[i], memory_order_release);
    atomic_store_explicit(&slot->sequence, 2 * number + 2, memory_order_release);
}

enum read_result { READ_DONE, READ_LOST, READ_PENDING };

static enum read_result read_slot(struct slot *slot, uint64_t number,
                                  struct tn_trace_record *out_record)
{
    const uint64_t wanted = 2 * number + 2;
    const uint64_t before = atomic_load_explicit(&slot->sequence, memory_order_acquire);
    if (before != wanted)
        return before > wanted ? READ_LOST : READ_PENDING;
    uint64_t words[RECORD_WORDS];
    // acquire: the second look at the sequence comes after these
    for (int i = 0; i < RECORD_WORDS; i++)
        words[i] = atomic_load_explicit(&slot->words[i], memory_order_acquire);
    if (atomic_load_explicit(&slot->sequence, memory_order_relaxed) != wanted)
        return READ_LOST;
    memcpy(out_record, words, sizeof words);
    return READ_DONE;
}

uint32_t tn_trace_read(struct tn_trace_ring *ring, uint64_t *cursor,
                       struct tn_trace_record *out_records, uint32_t max, uint64_t *out_lost)
{
    const uint64_t next = atomic_load_explicit(&ring->header->next, memory_order_acquire);
    uint64_t at = *cursor;
    uint64_t lost = 0;
    if (next > ring->capacity && at < next - ring->capacity) {
        lost = next - ring->capacity - at;
        at = next - ring->capacity;
    }
    uint32_t n = 0;
    while (n < max && at < next) {
        const enum read_result result =
            read_slot(&ring->slots[at & (ring->capacity - 1)], at, &out_records[n]);
        if (result == READ_PENDING && next - at <= GIVE_UP_AFTER)
            break;
        n += result == READ_DONE;
        lost += result != READ_DONE;
        at++;
    }
    *cursor = at;
    if (out_lost != NULL)
        *out_lost += lost;
    return n;
}
