// SPDX-License-Identifier: Apache-2.0
// The second watchdog shares no process with what it watches, unless the hand is a simulated one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "nodes/end_effector__node.h"

static enum tn_result judge(const char *device, bool is_mixed, struct tn_error *err)
{
    struct tn_end_effector_config config;
    memset(&config, 0, sizeof config);
    (void)snprintf(config.device, sizeof config.device, "%s", device);
    return tn_end_effector__check_place(&config, is_mixed, err);
}

static void a_real_device_wants_a_process_of_its_own(void **state)
{
    (void)state;
    struct tn_error err = {0};
    assert_int_equal(judge("sim", false, &err), TN_OK);
    assert_int_equal(judge("sim", true, &err), TN_OK);
    assert_int_equal(judge("modbus", false, &err), TN_OK);
    assert_int_equal(judge("modbus", true, &err), TN_ERR_PERMISSION);
    assert_non_null(strstr(err.text, "modbus"));
    assert_non_null(strstr(err.text, "program of its own"));
    // what is not known to be simulated counts as real
    assert_int_equal(judge("", true, &err), TN_ERR_PERMISSION);
    assert_int_equal(judge("simulated", true, &err), TN_ERR_PERMISSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_real_device_wants_a_process_of_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
