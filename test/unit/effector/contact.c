// SPDX-License-Identifier: Apache-2.0
#include "effector/contact.h"

#include "rig.h"

static void a_grip_is_felt_once_held_and_let_go(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct tn_effector_contacts contacts = {.has_last = false};
    uint32_t counts[4] = {0};
    struct rig rig;
    rig_init(&rig, &options);
    tn_effector_sim_set_object(&rig.sim, 3, true, 50.0);
    for (int i = 0; i < 800; i++) {
        if (i == 0 || i == 400)
            rig_send_all(&rig, 0, i == 0 ? 90.0 : 0.0);
        rig_tick(&rig);
        enum tn_effector_contact_kind kinds[TN_EFFECTOR_MAX_JOINTS];
        tn_effector_contacts_update(&contacts, &rig.core.sample, 6, rig.now_ns, kinds);
        for (int k = 0; k < 6; k++) {
            assert_true(k == 3 || kinds[k] == TN_EFFECTOR_CONTACT_NONE);
            counts[kinds[k]]++;
        }
    }
    assert_int_equal(counts[TN_EFFECTOR_CONTACT_ON], 1);
    assert_in_range(counts[TN_EFFECTOR_CONTACT_HOLD], 4, 8);
    assert_int_equal(counts[TN_EFFECTOR_CONTACT_OFF], 1);
}

// the end stop on the open side is no contact
static void opening_against_a_stop_is_not_felt(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct tn_effector_contacts contacts = {.has_last = false};
    struct rig rig;
    rig_init(&rig, &options);
    for (int i = 0; i < 400; i++) {
        if (i % 20 == 0)
            rig_send_all(&rig, 1, i < 60 ? 50.0 : -50.0);
        rig_tick(&rig);
        enum tn_effector_contact_kind kinds[TN_EFFECTOR_MAX_JOINTS];
        assert_int_equal(
            tn_effector_contacts_update(&contacts, &rig.core.sample, 6, rig.now_ns, kinds), 0);
    }
    assert_int_equal(rig.core.sample.state[0], TN_EFFECTOR_STALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grip_is_felt_once_held_and_let_go),
        cmocka_unit_test(opening_against_a_stop_is_not_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
