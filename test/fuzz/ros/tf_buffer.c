// SPDX-License-Identifier: Apache-2.0
// A script of insertions and lookups, judged by the oracle of test/support.
#include <stdio.h>
#include <stdlib.h>

#include "../../support/tf_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tf_script_counts counts = {0};
    const char *wrong = tf_script_run(data, size, &counts);
    if (wrong == NULL)
        wrong = tf_script_run_tiny(data, size);
    if (wrong != NULL) {
        (void)fprintf(stderr, "%s\n", wrong);
        abort();
    }
    return 0;
}
