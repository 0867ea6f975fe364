// SPDX-License-Identifier: Apache-2.0
#include "script.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How long a client waits for one thing, in steps of 1 ms; less while nobody may have matched yet.
#define PATIENCE       35000
#define PATIENCE_FIRST 3000

enum { ACCEPTED = 1, EXECUTING, CANCELING, SUCCEEDED, CANCELED, ABORTED };

static void id_of(uint32_t n, uint8_t id[16])
{
    memset(id, n == 0 ? 0 : 0xA0, 16);
    id[15] = (uint8_t)n;
    id[14] = (uint8_t)(n >> 8);
}

static uint32_t number_of(const uint8_t id[16])
{
    return id[15] + 256u * id[14];
}

// ---- client ----

#define ANSWERS_MAX 8

static struct act_event last_seen; ///< too large for the stack of a helper
static int patience = PATIENCE;
static struct act_event
    answers[ANSWERS_MAX]; ///< results that came while something else was awaited
static uint32_t n_answers;
static int states_seen[65536]; ///< newest state of each goal
static bool is_fed[65536];     ///< whether feedback of a goal came

static void print_event(const struct act_event *e)
{
    switch (e->kind) {
    case ACT_FEEDBACK:
        is_fed[number_of(e->id)] = true;
        printf("feedback %u %u %d\n", number_of(e->id), e->n_sequence,
               e->n_sequence > 0 ? e->sequence[e->n_sequence - 1] : -1);
        break;
    case ACT_STATUS:
        for (uint32_t i = 0; i < e->n_goals; i++) {
            states_seen[number_of(e->ids[i])] = e->states[i];
            printf("status %u %d\n", number_of(e->ids[i]), e->states[i]);
        }
        break;
    default:
        break;
    }
}

struct wanted {
    enum act_kind kind;
    int64_t call;  ///< 0: any
    uint32_t goal; ///< feedback and status
    int state;
};

static bool is_wanted(const struct wanted *w, const struct act_event *e)
{
    if (e->kind != w->kind)
        return false;
    if (e->kind == ACT_FEEDBACK)
        return number_of(e->id) == w->goal;
    if (e->kind != ACT_STATUS)
        return w->call == 0 || e->call == w->call;
    for (uint32_t i = 0; i < e->n_goals; i++)
        if (number_of(e->ids[i]) == w->goal && e->states[i] == w->state)
            return true;
    return false;
}

/// Gives out a result that came earlier.
static bool find_answer(const struct wanted *wanted)
{
    for (uint32_t i = 0; i < n_answers; i++)
        if (is_wanted(wanted, &answers[i])) {
            last_seen = answers[i];
            answers[i] = answers[--n_answers];
            return true;
        }
    return false;
}

/// Prints what comes until the wanted thing is there; results for later are kept.
static bool wait_for(struct wanted wanted)
{
    if (find_answer(&wanted))
        return true;
    for (int i = 0; i < patience; i++) {
        while (act_poll(&last_seen)) {
            print_event(&last_seen);
            if (is_wanted(&wanted, &last_seen))
                return true;
            if (last_seen.kind == ACT_RESULT_REPLY && n_answers < ANSWERS_MAX)
                answers[n_answers++] = last_seen;
        }
        act_pause_ms(1);
    }
    return false;
}

static void print_result(uint32_t goal, bool is_there)
{
    const struct act_event *e = &last_seen;
    if (is_there)
        printf("result %u %d %u %d\n", goal, e->status, e->n_sequence,
               e->n_sequence > 0 ? e->sequence[e->n_sequence - 1] : -1);
    else
        printf("result %u silent\n", goal);
}

static const char *goal_word(bool is_there)
{
    return !is_there ? "silent" : last_seen.is_accepted ? "accepted" : "rejected";
}

static bool do_goal(uint32_t goal, int32_t order)
{
    uint8_t id[16];
    id_of(goal, id);
    int64_t call = act_send_goal(id, order);
    return wait_for((struct wanted){.kind = ACT_GOAL_REPLY, .call = call});
}

static void run_goals(int32_t order, uint32_t count)
{
    uint32_t n_accepted = 0, n_rejected = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_there = do_goal(1000 + i, order);
        n_accepted += is_there && last_seen.is_accepted;
        n_rejected += is_there && !last_seen.is_accepted;
    }
    printf("goals %u %u\n", n_accepted, n_rejected);
}

static bool do_round(uint32_t goal)
{
    uint8_t id[16];
    id_of(goal, id);
    if (!do_goal(goal, 5) || !last_seen.is_accepted)
        return false;
    int64_t call = act_send_result(id);
    return wait_for((struct wanted){.kind = ACT_RESULT_REPLY, .call = call}) &&
           last_seen.status == SUCCEEDED && last_seen.n_sequence == 5 && last_seen.sequence[4] == 3;
}

static void run_rounds(uint32_t count)
{
    uint32_t n_ok = 0;
    // under loss the other side may match us late, and what it says before that is lost
    patience = PATIENCE_FIRST;
    for (uint32_t i = 0; i < 10 && !do_round(2000 + i); i++)
        ;
    patience = PATIENCE;
    printf("warm\n");
    for (uint32_t i = 0; i < count; i++)
        n_ok += do_round(3000 + i);
    printf("rounds %u\n", n_ok);
}

static void run_command(const char *text)
{
    static int64_t asked[65536];
    char word[16] = "";
    unsigned long a = 0, b = 0;
    uint8_t id[16];
    size_t n = strcspn(text, ":");
    if (n >= sizeof word)
        exit(2);
    memcpy(word, text, n);
    char *end = (char *)(uintptr_t)(text + n);
    if (*end == ':')
        a = strtoul(end + 1, &end, 10);
    if (*end == ':')
        b = strtoul(end + 1, &end, 10);
    uint32_t goal = (uint32_t)a & 0xffff;
    id_of(goal, id);
    if (strcmp(word, "goal") == 0) {
        bool is_there = do_goal(goal, (int32_t)b);
        printf("goal %u %s\n", goal, goal_word(is_there));
    } else if (strcmp(word, "ask") == 0) {
        asked[goal] = act_send_result(id);
    } else if (strcmp(word, "await") == 0 || strcmp(word, "result") == 0) {
        if (word[0] == 'r')
            asked[goal] = act_send_result(id);
        print_result(goal,
                     wait_for((struct wanted){.kind = ACT_RESULT_REPLY, .call = asked[goal]}));
    } else if (strcmp(word, "cancel") == 0) {
        int64_t call = act_send_cancel(id, (int32_t)b, 0);
        if (wait_for((struct wanted){.kind = ACT_CANCEL_REPLY, .call = call}))
            printf("cancel %d %u\n", last_seen.code, last_seen.n_goals);
        else
            printf("cancel silent\n");
    } else if (strcmp(word, "seen") == 0) {
        struct wanted wanted = {.kind = ACT_STATUS, .goal = goal, .state = (int)b};
        printf("seen %u %s\n", goal,
               states_seen[goal] == (int)b || wait_for(wanted) ? "yes" : "no");
    } else if (strcmp(word, "fed") == 0) {
        struct wanted wanted = {.kind = ACT_FEEDBACK, .goal = goal};
        printf("fed %u %s\n", goal, is_fed[goal] || wait_for(wanted) ? "yes" : "no");
    } else if (strcmp(word, "flood") == 0) {
        for (unsigned long i = 0; i < b; i++)
            (void)act_send_result(id);
        printf("flooded %u\n", goal);
    } else if (strcmp(word, "goals") == 0) {
        run_goals((int32_t)a, (uint32_t)b);
    } else if (strcmp(word, "rounds") == 0) {
        run_rounds((uint32_t)a);
    } else if (strcmp(word, "vanish") == 0) {
        (void)raise(SIGKILL);
    } else {
        exit(2);
    }
}

static int run_client(int n_commands, char **commands)
{
    printf("ready\n");
    while (!act_is_matched())
        act_pause_ms(1);
    printf("matched\n");
    for (int i = 0; i < n_commands; i++)
        run_command(commands[i]);
    printf("done\n");
    for (;;) {
        while (act_poll(&last_seen))
            print_event(&last_seen);
        act_pause_ms(10);
    }
}

// ---- server: order < 0 is rejected; up to 46 ends by itself; 100 waits until it is cancelled,
// ---- 101 too but refuses that, 102 ends with ABORTED, 103 ends with SUCCEEDED when cancelled

struct goal {
    uint8_t id[16];
    int order, state;
    int32_t sequence[ACT_SEQUENCE_MAX];
    uint32_t n;
    uint32_t n_waiting;
    struct act_event waiting[4];
};

static struct goal goals[64];
static uint32_t n_goals;

static struct goal *find_goal(const uint8_t id[16])
{
    for (uint32_t i = 0; i < n_goals; i++)
        if (memcmp(goals[i].id, id, 16) == 0)
            return &goals[i];
    return NULL;
}

static void tell_status(void)
{
    static uint8_t ids[64][16];
    static int states[64];
    for (uint32_t i = 0; i < n_goals; i++) {
        memcpy(ids[i], goals[i].id, 16);
        states[i] = goals[i].state;
    }
    act_status((const uint8_t(*)[16])ids, states, n_goals);
}

static void end_goal(struct goal *goal, int state)
{
    goal->state = state;
    for (uint32_t i = 0; i < goal->n_waiting; i++)
        act_reply_result(&goal->waiting[i], state, goal->sequence, goal->n);
    goal->n_waiting = 0;
    tell_status();
    printf("ended %d\n", state);
}

static void take_goal(const struct act_event *request)
{
    bool is_good = request->order >= 0 && n_goals < 64 && find_goal(request->id) == NULL;
    printf("request %d\n", request->order);
    if (is_good) {
        struct goal *goal = &goals[n_goals++];
        memset(goal, 0, sizeof *goal);
        memcpy(goal->id, request->id, 16);
        goal->order = request->order;
        goal->state = EXECUTING;
        goal->sequence[1] = 1;
        goal->n = 2;
    }
    act_reply_goal(request, is_good);
    if (is_good)
        tell_status();
}

static void take_result(const struct act_event *request)
{
    struct goal *goal = find_goal(request->id);
    if (goal == NULL)
        act_reply_result(request, 0, NULL, 0);
    else if (goal->state > CANCELING)
        act_reply_result(request, goal->state, goal->sequence, goal->n);
    else if (goal->n_waiting < 4)
        goal->waiting[goal->n_waiting++] = *request;
}

static void take_cancel(const struct act_event *request)
{
    static const uint8_t zero[16];
    static uint8_t ids[64][16];
    uint32_t n = 0;
    bool is_all = memcmp(request->id, zero, 16) == 0;
    struct goal *one = is_all ? NULL : find_goal(request->id);
    int code = 0;
    printf("cancel stamp %d\n", request->sec);
    if (!is_all && one == NULL)
        code = 2;
    else if (one != NULL && one->state > EXECUTING)
        code = 3;
    else if (one != NULL && one->order == 101)
        code = 1;
    for (uint32_t i = 0; i < n_goals && code == 0; i++)
        if ((is_all || one == &goals[i]) && goals[i].state == EXECUTING && goals[i].order != 101) {
            goals[i].state = CANCELING;
            memcpy(ids[n++], goals[i].id, 16);
        }
    tell_status();
    act_reply_cancel(request, code, (const uint8_t(*)[16])ids, n);
}

/// One step of the work.
static void advance(struct goal *goal)
{
    if (goal->state == CANCELING)
        end_goal(goal, goal->order == 103 ? SUCCEEDED : CANCELED);
    else if (goal->state == EXECUTING && goal->order == 102)
        end_goal(goal, ABORTED);
    else if (goal->state == EXECUTING && goal->order <= 46 && goal->n >= (uint32_t)goal->order) {
        goal->n = (uint32_t)goal->order;
        end_goal(goal, SUCCEEDED);
    } else if (goal->state == EXECUTING) {
        if (goal->order <= 46 && goal->n < 46) {
            goal->sequence[goal->n] = goal->sequence[goal->n - 1] + goal->sequence[goal->n - 2];
            goal->n++;
        }
        act_feedback(goal->id, goal->sequence, goal->n);
    }
}

static int run_server(void)
{
    static struct act_event event;
    printf("ready\n");
    for (int step = 0;; step++) {
        while (act_poll(&event)) {
            // as both rmw do: who asks may be known before the reader of the answers is
            for (int i = 0; i < PATIENCE_FIRST && !act_is_matched(); i++)
                act_pause_ms(1);
            if (event.kind == ACT_GOAL_REQUEST)
                take_goal(&event);
            else if (event.kind == ACT_RESULT_REQUEST)
                take_result(&event);
            else if (event.kind == ACT_CANCEL_REQUEST)
                take_cancel(&event);
        }
        for (uint32_t i = 0; i < n_goals && step % 10 == 0; i++)
            advance(&goals[i]);
        act_pause_ms(1);
    }
}

int act_main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 3)
        return 2;
    bool is_server = strcmp(argv[2], "server") == 0;
    act_open((uint32_t)strtoul(argv[1], NULL, 10), is_server);
    return is_server ? run_server() : run_client(argc - 3, argv + 3);
}
