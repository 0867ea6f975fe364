/* SPDX-License-Identifier: Apache-2.0 */
/* What both peers for actions do: a Fibonacci client that follows a script, and a Fibonacci server.
   The DDS side, each with its own stack, stands behind the functions that are declared here. One
   line on stdout per event; see test/wire/ros/actions.c. */
#ifndef TEST_PEERS_ACTION_SCRIPT_H
#define TEST_PEERS_ACTION_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACT_SEQUENCE_MAX 64
#define ACT_GOALS_MAX    256

enum act_kind {
    ACT_GOAL_REPLY,
    ACT_RESULT_REPLY,
    ACT_CANCEL_REPLY,
    ACT_FEEDBACK,
    ACT_STATUS,
    ACT_GOAL_REQUEST,
    ACT_RESULT_REQUEST,
    ACT_CANCEL_REQUEST
};

/* Whatever arrived. */
struct act_event {
    enum act_kind kind;
    int64_t call;         /* replies: which request */
    uint8_t identity[32]; /* requests: private to the stack */
    uint8_t id[16];
    int32_t sec;
    uint32_t nanosec;
    int order;
    bool is_accepted;
    int status, code;
    uint32_t n_sequence;
    int32_t sequence[ACT_SEQUENCE_MAX];
    uint32_t n_goals; /* of a cancel reply or a status message */
    uint8_t ids[ACT_GOALS_MAX][16];
    int states[ACT_GOALS_MAX];
};

/* ---- each stack has these ---- */

void act_open(uint32_t domain, bool is_server);
/* A complete other side is matched. */
bool act_is_matched(void);
/* Takes one thing that arrived. */
bool act_poll(struct act_event *event);
void act_pause_ms(int ms);

int64_t act_send_goal(const uint8_t id[16], int32_t order);
int64_t act_send_result(const uint8_t id[16]);
int64_t act_send_cancel(const uint8_t id[16], int32_t sec, uint32_t nanosec);

void act_reply_goal(const struct act_event *request, bool is_accepted);
void act_reply_result(const struct act_event *request, int status, const int32_t *sequence,
                      uint32_t n);
void act_reply_cancel(const struct act_event *request, int code, const uint8_t ids[][16],
                      uint32_t n);
void act_feedback(const uint8_t id[16], const int32_t *sequence, uint32_t n);
void act_status(const uint8_t ids[][16], const int *states, uint32_t n);

/* ---- script.c ---- */

/* usage: PROGRAM DOMAIN client COMMAND…   or   PROGRAM DOMAIN server
   ids are one number n: a UUID whose last byte it is, all others 0xA0 (0: the zero id)
     goal:N:ORDER       sends a goal:        "goal N accepted|rejected|silent"
     result:N           asks and waits:      "result N STATUS LENGTH LAST" or "result N silent"
     ask:N              asks, does not wait
     await:N            waits for what was asked
     cancel:N:SEC       asks to cancel:      "cancel CODE N_GOALS" or "cancel silent"
     seen:N:STATUS      waits until goal N stands so, by the newest status message
     fed:N              waits for feedback of goal N, unless there was some
     flood:N:COUNT      sends COUNT result requests of goal N, waits for none
     goals:N:COUNT      sends COUNT goals with ids of their own, order N: "goals ACCEPTED REJECTED"
     rounds:COUNT       COUNT goals one after another, each with its result, once one went well:
                        "warm", "rounds OK"
     vanish             ends the program at once, without a word to anybody */
int act_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
