// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the table of the language.
#ifndef TN_LAUNCH_LAUNCH__TABLE_H
#define TN_LAUNCH_LAUNCH__TABLE_H

#include "launch/launch__substitution.h"
#include "launch/plan.h"

/// A substitution. `function` is valid for accepted ones.
struct tn_launch__substitution {
    struct tn_launch_item item;
    const char *name;
    enum tn_launch_support support;
    const char *note;
    uint32_t min_arguments, max_arguments;
    enum tn_launch__function function;
    const char *describe; ///< how --show-args begins it
};

/// @return the accepted substitution of a function. Thread: any. Allocates: never. Blocks: never.
const struct tn_launch__substitution *tn_launch__substitution_at(enum tn_launch__function function);

/// @return the substitution of that name; NULL: none. Thread: any. Allocates: never. Blocks: never.
const struct tn_launch__substitution *tn_launch__find_substitution(const char *name, size_t size);

/// Finds an element inside another, or an attribute of it.
/// @param parent      path of the element around it; NULL: it stands among actions, or is the root
/// @param attribute   NULL: the element itself
/// @return the item, rejected ones too; NULL: unknown. Thread: any. Allocates: never. Blocks:
/// never.
const struct tn_launch_item *tn_launch__find_item(const char *parent, const char *element,
                                                  const char *attribute);

#endif
