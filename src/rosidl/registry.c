// SPDX-License-Identifier: Apache-2.0
// types by name
#include <string.h>

#include "rosidl/type.h"

const struct tn_type *tn_registry_message(const struct tn_registry *registry, const char *ros_name)
{
    for (uint32_t i = 0; i < registry->n_messages; i++) {
        if (strcmp(registry->messages[i]->ros_name, ros_name) == 0) {
            return registry->messages[i];
        }
    }
    return NULL;
}

const struct tn_service_type *tn_registry_service(const struct tn_registry *registry,
                                                  const char *ros_name)
{
    for (uint32_t i = 0; i < registry->n_services; i++) {
        if (strcmp(registry->services[i]->ros_name, ros_name) == 0) {
            return registry->services[i];
        }
    }
    return NULL;
}

const struct tn_action_type *tn_registry_action(const struct tn_registry *registry,
                                                const char *ros_name)
{
    for (uint32_t i = 0; i < registry->n_actions; i++) {
        if (strcmp(registry->actions[i]->ros_name, ros_name) == 0) {
            return registry->actions[i];
        }
    }
    return NULL;
}
