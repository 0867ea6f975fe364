// SPDX-License-Identifier: Apache-2.0
// loading with the n-th allocation failing, for every n until it passes (linked with --wrap)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/launch/launch_rig.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

// allocations left until one fails; negative: none fails
static int countdown = -1;

static bool must_fail(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return must_fail() ? NULL : __real_realloc(memory, size);
}

static void every_allocation(void **state)
{
    struct launch_rig *rig = *state;
    struct tn_launch_world world = rig->world;
    // its own callback asserts that it gets memory
    world.run_command = NULL;
    launch_rig_write(rig, "in.launch.xml", "<launch><arg name=\"x\"/></launch>");
    launch_rig_write(
        rig, "a.launch.xml",
        "<launch><arg name=\"a\" default=\"$(eval '1 + 2')\"/><include file=\"in.launch.xml\"><arg "
        "name=\"x\" value=\"$(var a)\"/></include><node pkg=\"p\" exec=\"e\" name=\"n\" "
        "args=\"$(var a) b\"><param name=\"p\" value=\"[1, 2]\"/><param name=\"q\" "
        "value=\"$(var a)\"/><remap from=\"a\" to=\"b\"/></node></launch>");
    int n = 0;
    for (bool none_failed = false; !none_failed; n++) {
        struct tn_launch_plan *plan = NULL;
        struct tn_error err = {0};
        countdown = n;
        enum tn_result result = tn_launch_load("a.launch.xml", NULL, 0, &world, &plan, &err);
        none_failed = countdown >= 0;
        countdown = -1;
        assert_int_equal(result, none_failed ? TN_OK : TN_ERR_NO_MEMORY);
        assert_int_equal(err.code, result);
        tn_launch_plan_destroy(&plan);
    }
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, launch_rig_set_up, launch_rig_tear_down);
}
