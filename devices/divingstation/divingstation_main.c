// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "devices/divingstation/arguments.h"
#include "devices/divingstation/station.h"

int main(int argc, char **argv)
{
    struct tn_ds_arguments arguments;
    int exit_code = tn_ds_arguments_parse(argc, argv, &arguments);
    if (exit_code >= 0)
        return exit_code;
    struct tn_error err = {0};
    struct tn_loop *loop = NULL;
    struct tn_ds_station *station = NULL;
    enum tn_result result = tn_loop_create(tn_clock_system(), &loop, &err);
    if (result == TN_OK)
        result = tn_loop_handle_signals(loop);
    if (result == TN_OK)
        result = tn_ds_station_create(loop, &arguments, &station, &err);
    if (result == TN_OK)
        result = tn_loop_run(loop);
    tn_ds_station_destroy(&station);
    tn_loop_destroy(&loop);
    if (result == TN_OK)
        return 0;
    err.code = result;
    char text[TN_ERROR_FILE_MAX + TN_ERROR_TEXT_MAX + 32];
    fprintf(stderr, "divingstation: %s\n", tn_error_format(&err, text, sizeof text));
    return 1;
}
