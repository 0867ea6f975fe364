// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/clock.h"
#include "devices/divingstation/session.h"

#define ALICE 0x0100007fu
#define BOB   0x0200000au
#define S     TN_NS_PER_S

// the last events, newest last
struct world {
    struct tn_ds_session session;
    unsigned count[TN_DS_REJECTED + 1];
    struct tn_ds_client last_client;
    struct tn_contact_message last_haptics;
};

static void on_event(void *context, const struct tn_ds_event *event)
{
    struct world *world = context;
    world->count[event->kind]++;
    world->last_client = event->client;
    if (event->kind == TN_DS_HAPTICS)
        world->last_haptics = *event->message;
}

static void begin(struct world *world)
{
    memset(world, 0, sizeof *world);
    tn_ds_session_init(&world->session, tn_contact_dialect_v1(), on_event, world);
}

static void send(struct world *world, uint32_t from, const struct tn_contact_message *message,
                 int64_t now_ns)
{
    uint8_t data[TN_CONTACT_MESSAGE_BYTES];
    size_t size = 0;
    assert_int_equal(tn_contact_encode(tn_contact_dialect_v1(), message, data, sizeof data, &size),
                     TN_OK);
    tn_ds_session_receive(&world->session, from, data, size, now_ns);
}

static void send_port(struct world *world, uint32_t from, enum tn_contact_kind kind, int32_t port,
                      int64_t now_ns)
{
    struct tn_contact_message message = {.kind = kind};
    message.body.connect.receive_port = port;
    send(world, from, &message, now_ns);
}

static void connect_registers_address_and_port(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, 5 * S);
    assert_int_equal(world.count[TN_DS_CLIENT_NEW], 1);
    assert_int_equal(world.session.n_clients, 1);
    assert_int_equal(world.session.clients[0].address, ALICE);
    assert_int_equal(world.session.clients[0].receive_port, 25788);
    assert_int_equal(world.session.clients[0].connect_steady_ns, 5 * S);
}

static void a_client_expires_exactly_after_90_s(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, 5 * S);
    tn_ds_session_expire(&world.session, 95 * S - 1);
    assert_int_equal(world.session.n_clients, 1);
    tn_ds_session_expire(&world.session, 95 * S);
    assert_int_equal(world.session.n_clients, 0);
    assert_int_equal(world.count[TN_DS_CLIENT_EXPIRED], 1);
    tn_ds_session_expire(&world.session, 96 * S);
    assert_int_equal(world.count[TN_DS_CLIENT_EXPIRED], 1);
    // and may come back
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, 97 * S);
    assert_int_equal(world.count[TN_DS_CLIENT_NEW], 2);
}

static void connecting_again_starts_the_time_anew(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int64_t t = 0; t < 1000; t += 60) {
        send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, t * S);
        tn_ds_session_expire(&world.session, (t + 59) * S);
    }
    assert_int_equal(world.session.n_clients, 1);
    assert_int_equal(world.count[TN_DS_CLIENT_NEW], 1);
    assert_int_equal(world.count[TN_DS_CLIENT_AGAIN], 16);
    assert_int_equal(world.count[TN_DS_CLIENT_EXPIRED], 0);
}

static void clients_live_and_die_independently(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, 0);
    // the same address with another port, another address with the same port
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25789, 10 * S);
    send_port(&world, BOB, TN_CONTACT_CONNECT, 25788, 20 * S);
    assert_int_equal(world.session.n_clients, 3);
    send_port(&world, ALICE, TN_CONTACT_DISCONNECT, 25788, 30 * S);
    assert_int_equal(world.session.n_clients, 2);
    assert_int_equal(world.session.clients[0].receive_port, 25789);
    assert_int_equal(world.session.clients[1].address, BOB);
    tn_ds_session_expire(&world.session, 100 * S);
    assert_int_equal(world.session.n_clients, 1);
    assert_int_equal(world.session.clients[0].address, BOB);
    assert_int_equal(world.last_client.receive_port, 25789);
}

static void strangers_cannot_disconnect_or_vibrate(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    struct tn_contact_message haptics = {.kind = TN_CONTACT_HAPTICS_BODY};
    memcpy(haptics.body.haptics_body.id, "GLOVE", 6);
    haptics.body.haptics_body.is_left = true;
    haptics.body.haptics_body.vibration = (struct tn_contact_vibration){
        .frequency_hz = 100.0F, .amplitude = 0.5F, .duration_s = 0.1F};
    send(&world, ALICE, &haptics, 0);
    send_port(&world, ALICE, TN_CONTACT_DISCONNECT, 25788, 0);
    assert_int_equal(world.count[TN_DS_REJECTED], 2);
    assert_int_equal(world.count[TN_DS_HAPTICS], 0);
    assert_int_equal(world.session.n_rejected, 2);
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, 0);
    // the wrong port, the wrong address
    send_port(&world, ALICE, TN_CONTACT_DISCONNECT, 1, 0);
    send_port(&world, BOB, TN_CONTACT_DISCONNECT, 25788, 0);
    send(&world, BOB, &haptics, 0);
    assert_int_equal(world.count[TN_DS_REJECTED], 5);
    assert_int_equal(world.session.n_clients, 1);
    send(&world, ALICE, &haptics, 0);
    assert_int_equal(world.count[TN_DS_HAPTICS], 1);
    assert_string_equal(world.last_haptics.body.haptics_body.id, "GLOVE");
    assert_true(world.last_haptics.body.haptics_body.is_left);
}

static void a_full_table_refuses_but_serves_the_known(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int32_t i = 0; i < TN_DS_CLIENTS_MAX; i++)
        send_port(&world, ALICE, TN_CONTACT_CONNECT, 1000 + i, i);
    send_port(&world, BOB, TN_CONTACT_CONNECT, 1000, 50);
    assert_int_equal(world.count[TN_DS_CLIENT_REFUSED], 1);
    assert_int_equal(world.session.n_clients, TN_DS_CLIENTS_MAX);
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 1000, 60);
    assert_int_equal(world.count[TN_DS_CLIENT_AGAIN], 1);
    send_port(&world, ALICE, TN_CONTACT_DISCONNECT, 1003, 70);
    send_port(&world, BOB, TN_CONTACT_CONNECT, 1000, 80);
    assert_int_equal(world.count[TN_DS_CLIENT_NEW], TN_DS_CLIENTS_MAX + 1);
}

static void malformed_connects_change_nothing(void **state)
{
    (void)state;
    static const uint8_t connect[] = "/DS/HC/Connect\0\0,i\0\0\0\0\x64\xbc";
    const size_t size = 24;
    struct world world;
    begin(&world);
    // cut anywhere
    for (size_t n = 0; n < size; n++)
        tn_ds_session_receive(&world.session, ALICE, connect, n, 0);
    // ports that are none: 0, negative, above 65535
    static const uint8_t ports[][4] = {{0, 0, 0, 0}, {0xff, 0xff, 0x64, 0xbc}, {0, 1, 0x64, 0xbc}};
    for (unsigned i = 0; i < 3; i++) {
        uint8_t data[24];
        memcpy(data, connect, size);
        memcpy(data + 20, ports[i], 4);
        tn_ds_session_receive(&world.session, ALICE, data, size, 0);
    }
    // a float for an integer
    uint8_t tagged[24];
    memcpy(tagged, connect, size);
    tagged[17] = 'f';
    tn_ds_session_receive(&world.session, ALICE, tagged, size, 0);
    assert_int_equal(world.session.n_clients, 0);
    assert_int_equal(world.count[TN_DS_CLIENT_NEW], 0);
    assert_true(world.count[TN_DS_REJECTED] >= 27);
    // the same, unspoiled
    tn_ds_session_receive(&world.session, ALICE, connect, size, 0);
    assert_int_equal(world.session.n_clients, 1);
    assert_int_equal(world.session.clients[0].receive_port, 25788);
}

static void messages_of_the_other_direction_are_rejected(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    send_port(&world, ALICE, TN_CONTACT_CONNECT, 25788, 0);
    struct tn_contact_message wrist = {.kind = TN_CONTACT_WRIST};
    memcpy(wrist.body.wrist.id, "GLOVE", 6);
    wrist.body.wrist.q_xyzw[3] = 1.0F;
    send(&world, ALICE, &wrist, 0);
    assert_int_equal(world.count[TN_DS_REJECTED], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connect_registers_address_and_port),
        cmocka_unit_test(a_client_expires_exactly_after_90_s),
        cmocka_unit_test(connecting_again_starts_the_time_anew),
        cmocka_unit_test(clients_live_and_die_independently),
        cmocka_unit_test(strangers_cannot_disconnect_or_vibrate),
        cmocka_unit_test(a_full_table_refuses_but_serves_the_known),
        cmocka_unit_test(malformed_connects_change_nothing),
        cmocka_unit_test(messages_of_the_other_direction_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
