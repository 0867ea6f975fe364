// SPDX-License-Identifier: Apache-2.0
#include "cli/cli__command.h"

int main(int argc, char **argv)
{
    return tn_cli_main(argc, argv);
}
