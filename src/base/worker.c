// SPDX-License-Identifier: Apache-2.0
#include "base/worker.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/ring.h"

// The loop produces requests and consumes replies, the thread the other way round; what only one
// of the two touches is marked so.
struct tn_worker {
    struct tn_worker_options options;
    struct tn_ring requests, replies;
    sem_t n_waiting;
    atomic_bool is_stopping;
    struct tn_loop_async async;
    pthread_t thread;
    char name[16];
    uint8_t *request, *reply;    // thread
    uint8_t *delivered;          // loop
    uint32_t n_in_flight;        // loop: posted and not yet delivered
    bool is_delivering, is_gone; // loop
};

static void *run(void *argument)
{
    struct tn_worker *self = argument;
    (void)prctl(PR_SET_NAME, self->name);
    for (;;) {
        while (sem_wait(&self->n_waiting) != 0 && errno == EINTR) {
        }
        if (atomic_load(&self->is_stopping))
            return NULL;
        if (!tn_ring_pop(&self->requests, self->request))
            continue;
        memset(self->reply, 0, self->options.reply_size);
        self->options.work(self->options.context, self->request, self->reply);
        // there is room: requests in flight never exceed the capacity of replies
        const bool pushed = tn_ring_push(&self->replies, self->reply);
        (void)pushed;
        tn_loop_async_signal(&self->async);
    }
}

static void free_worker(struct tn_worker *self)
{
    tn_ring_destroy(&self->requests);
    tn_ring_destroy(&self->replies);
    free(self->request);
    free(self->reply);
    free(self->delivered);
    free(self);
}

static void on_replies(void *context)
{
    struct tn_worker *self = context;
    // not more than are there now: the loop's other handles wait
    uint32_t n = tn_ring_count(&self->replies);
    self->is_delivering = true;
    while (n-- > 0 && !self->is_gone && tn_ring_pop(&self->replies, self->delivered)) {
        self->n_in_flight--;
        self->options.on_reply(self->options.context, self->delivered);
    }
    self->is_delivering = false;
    if (self->is_gone)
        free_worker(self);
}

// the thread takes no signals: they belong to the loop
static int start_thread(struct tn_worker *self)
{
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&self->thread, NULL, run, self);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static bool allocate(struct tn_worker *self)
{
    const struct tn_worker_options *options = &self->options;
    self->request = malloc(options->request_size);
    self->reply = malloc(options->reply_size);
    self->delivered = malloc(options->reply_size);
    return self->request != NULL && self->reply != NULL && self->delivered != NULL &&
           tn_ring_create(&self->requests, options->request_size, options->depth) == TN_OK &&
           tn_ring_create(&self->replies, options->reply_size, options->depth) == TN_OK;
}

enum tn_result tn_worker_create(struct tn_loop *loop, const struct tn_worker_options *options,
                                struct tn_worker **out_worker, struct tn_error *err)
{
    if (options->request_size == 0 || options->reply_size == 0 || options->depth == 0 ||
        options->depth > 65536 || options->work == NULL || options->on_reply == NULL)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "worker: sizes, depth (1..65536) and both functions are needed");
    struct tn_worker *self = calloc(1, sizeof *self);
    if (self == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a worker");
    self->options = *options;
    const char *name = options->name != NULL ? options->name : "worker";
    memcpy(self->name, name, strnlen(name, sizeof self->name - 1));
    if (!allocate(self)) {
        free_worker(self);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the mailboxes of worker %.15s",
                            name);
    }
    (void)sem_init(&self->n_waiting, 0, 0);
    tn_loop_async_start(loop, &self->async, on_replies, self);
    const int error = start_thread(self);
    if (error != 0) {
        tn_loop_async_stop(&self->async);
        (void)sem_destroy(&self->n_waiting);
        free_worker(self);
        return tn_error_set(err, TN_ERR_IO, "cannot start the thread of worker %.15s: %s", name,
                            strerror(error));
    }
    *out_worker = self;
    return TN_OK;
}

void tn_worker_destroy(struct tn_worker **worker)
{
    struct tn_worker *self = *worker;
    *worker = NULL;
    if (self == NULL || self->is_gone)
        return;
    atomic_store(&self->is_stopping, true);
    (void)sem_post(&self->n_waiting);
    (void)pthread_join(self->thread, NULL);
    tn_loop_async_stop(&self->async);
    (void)sem_destroy(&self->n_waiting);
    self->is_gone = true;
    // inside on_reply the one who called it frees
    if (!self->is_delivering)
        free_worker(self);
}

enum tn_result tn_worker_post(struct tn_worker *worker, const void *request)
{
    if (worker->n_in_flight >= worker->options.depth || !tn_ring_push(&worker->requests, request))
        return TN_ERR_BUSY;
    worker->n_in_flight++;
    (void)sem_post(&worker->n_waiting);
    return TN_OK;
}
