// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_session.h"

#include "base/clock.h"

struct tn_contact_session_options tn_contact_session_options_default(void)
{
    return (struct tn_contact_session_options){
        .keepalive_silent_ns = 1 * TN_NS_PER_S,
        .keepalive_streaming_ns = 10 * TN_NS_PER_S,
        .silent_after_ns = 1 * TN_NS_PER_S,
        .lost_after_ns = 3 * TN_NS_PER_S,
        .remind_ns = 10 * TN_NS_PER_S,
    };
}

void tn_contact_session_init(struct tn_contact_session *session,
                             const struct tn_contact_session_options *options)
{
    *session = (struct tn_contact_session){.options = *options, .link = TN_CONTACT_LINK_BIND};
}

static int64_t connect_period_ns(const struct tn_contact_session *session)
{
    return session->link == TN_CONTACT_LINK_STREAMING ? session->options.keepalive_streaming_ns
                                                      : session->options.keepalive_silent_ns;
}

static uint32_t enter(struct tn_contact_session *session, enum tn_contact_link_state link,
                      int64_t now_steady_ns)
{
    session->link = link;
    session->connect_steady_ns = tn_ns_add(now_steady_ns, connect_period_ns(session));
    session->remind_steady_ns = tn_ns_add(now_steady_ns, session->options.remind_ns);
    return TN_CONTACT_DO_TELL;
}

uint32_t tn_contact_session_start(struct tn_contact_session *session, int64_t now_steady_ns)
{
    if (session->link != TN_CONTACT_LINK_BIND)
        return 0;
    session->are_gloves_lost = true;
    session->data_steady_ns = now_steady_ns;
    return enter(session, TN_CONTACT_LINK_CONNECTING, now_steady_ns) | TN_CONTACT_DO_CONNECT;
}

uint32_t tn_contact_session_data(struct tn_contact_session *session, int64_t receive_steady_ns,
                                 int64_t now_steady_ns)
{
    if (session->link == TN_CONTACT_LINK_BIND)
        return 0;
    if (receive_steady_ns > session->data_steady_ns)
        session->data_steady_ns = receive_steady_ns;
    // what waited longer than that tells nothing about the link of today
    if (tn_ns_sub(now_steady_ns, session->data_steady_ns) >= session->options.silent_after_ns)
        return 0;
    session->are_gloves_lost = false;
    if (session->link == TN_CONTACT_LINK_STREAMING)
        return 0;
    return enter(session, TN_CONTACT_LINK_STREAMING, now_steady_ns);
}

uint32_t tn_contact_session_tick(struct tn_contact_session *session, int64_t now_steady_ns)
{
    uint32_t todo = 0;
    if (session->link == TN_CONTACT_LINK_BIND)
        return 0;
    int64_t silence_ns = tn_ns_sub(now_steady_ns, session->data_steady_ns);
    if (session->link == TN_CONTACT_LINK_STREAMING &&
        silence_ns >= session->options.silent_after_ns)
        todo |= enter(session, TN_CONTACT_LINK_SILENT, now_steady_ns) | TN_CONTACT_DO_CONNECT;
    if (!session->are_gloves_lost && silence_ns >= session->options.lost_after_ns) {
        session->are_gloves_lost = true;
        todo |= TN_CONTACT_DO_LOSE;
    }
    if (now_steady_ns >= session->connect_steady_ns) {
        session->connect_steady_ns = tn_ns_add(now_steady_ns, connect_period_ns(session));
        todo |= TN_CONTACT_DO_CONNECT;
    }
    if (session->link != TN_CONTACT_LINK_STREAMING && now_steady_ns >= session->remind_steady_ns) {
        session->remind_steady_ns = tn_ns_add(now_steady_ns, session->options.remind_ns);
        todo |= TN_CONTACT_DO_REMIND;
    }
    return todo;
}

uint32_t tn_contact_session_stop(struct tn_contact_session *session)
{
    if (session->link == TN_CONTACT_LINK_BIND)
        return 0;
    session->link = TN_CONTACT_LINK_BIND;
    uint32_t lose = session->are_gloves_lost ? 0 : TN_CONTACT_DO_LOSE;
    session->are_gloves_lost = true;
    return TN_CONTACT_DO_DISCONNECT | TN_CONTACT_DO_TELL | lose;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t tn_contact_session_due_ns(const struct tn_contact_session *session)
{
    if (session->link == TN_CONTACT_LINK_BIND)
        return INT64_MAX;
    int64_t due = session->connect_steady_ns;
    if (session->link == TN_CONTACT_LINK_STREAMING)
        due = earlier(due, tn_ns_add(session->data_steady_ns, session->options.silent_after_ns));
    else
        due = earlier(due, session->remind_steady_ns);
    if (!session->are_gloves_lost)
        due = earlier(due, tn_ns_add(session->data_steady_ns, session->options.lost_after_ns));
    return due;
}

const char *tn_contact_link_name(enum tn_contact_link_state link)
{
    static const char *const names[TN_CONTACT_LINKS] = {"bind", "connecting", "streaming",
                                                        "silent"};
    return (unsigned)link < TN_CONTACT_LINKS ? names[link] : "?";
}
