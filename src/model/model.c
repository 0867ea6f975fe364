// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

void tn_model_destroy(struct tn_model **model)
{
    if (!model)
        return;
    free(*model);
    *model = NULL;
}

uint32_t tn_model_find_link(const struct tn_model *model, const char *name)
{
    uint32_t from = 0;
    uint32_t to = name ? model->n_links : 0;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = strcmp(model->links[model->links_by_name[middle]].name, name);
        if (order == 0)
            return model->links_by_name[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return TN_MODEL_NONE;
}

uint32_t tn_model_find_joint(const struct tn_model *model, const char *name)
{
    uint32_t from = 0;
    uint32_t to = name ? model->n_joints : 0;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = strcmp(model->joints[model->joints_by_name[middle]].name, name);
        if (order == 0)
            return model->joints_by_name[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return TN_MODEL_NONE;
}

const char *tn_joint_type_name(enum tn_joint_type type)
{
    switch (type) {
    case TN_JOINT_FIXED:
        return "fixed";
    case TN_JOINT_REVOLUTE:
        return "revolute";
    case TN_JOINT_CONTINUOUS:
        return "continuous";
    case TN_JOINT_PRISMATIC:
        return "prismatic";
    case TN_JOINT_PLANAR:
        return "planar";
    case TN_JOINT_FLOATING:
        return "floating";
    }
    return "?";
}
