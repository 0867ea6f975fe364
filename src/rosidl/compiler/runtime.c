// SPDX-License-Identifier: Apache-2.0
// from parsed interface files to the tables that generated code would have
#include "rosidl/compiler/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

struct entry {
    struct entry *next;
    const struct tn_idl_struct *source;
    struct tn_type type;            // of a message
    struct tn_service_type service; // of a service
    struct tn_action_type action;   // of an action
};

struct tn_idl_types {
    struct tn_arena arena;
    struct tn_idl idl;
    struct entry *entries; // newest first
};

// what a failed call goes back to
struct state {
    size_t mark;
    struct tn_idl idl;
    struct entry *entries;
};

static struct state state_of(const struct tn_idl_types *types)
{
    return (struct state){tn_arena_mark(&types->arena), types->idl, types->entries};
}

static void go_back(struct tn_idl_types *types, const struct state *state)
{
    types->idl = state->idl;
    if (types->idl.last != NULL) {
        types->idl.last->next = NULL;
    }
    types->entries = state->entries;
    tn_arena_release(&types->arena, state->mark);
}

static enum tn_result no_memory(struct tn_error *err)
{
    return tn_error_set(err, TN_ERR_NO_MEMORY, "the interfaces take more than %zu bytes",
                        TN_IDL_TYPES_ARENA);
}

enum tn_result tn_idl_types_create(struct tn_idl_types **out_types, struct tn_error *err)
{
    struct tn_idl_types *types = calloc(1, sizeof *types);
    if (types == NULL || tn_arena_create(&types->arena, TN_IDL_TYPES_ARENA) != TN_OK) {
        free(types);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for types");
    }
    tn_idl_init(&types->idl, &types->arena);
    *out_types = types;
    return TN_OK;
}

void tn_idl_types_destroy(struct tn_idl_types **types)
{
    if (types != NULL && *types != NULL) {
        tn_arena_destroy(&(*types)->arena);
        free(*types);
        *types = NULL;
    }
}

// ---- roots ----

static enum tn_result add_root(struct tn_idl_types *types, const char *directory, size_t size,
                               const char *tail, struct tn_error *err)
{
    size_t tail_size = strlen(tail);
    size_t mark = tn_arena_mark(&types->arena);
    char *root = tn_arena_alloc(&types->arena, size + tail_size + 1, 1, 1);
    if (root == NULL) {
        return no_memory(err);
    }
    memcpy(root, directory, size);
    memcpy(root + size, tail, tail_size + 1);
    enum tn_result result = tn_idl_add_root(&types->idl, root, err);
    if (result != TN_OK) {
        tn_arena_release(&types->arena, mark);
    }
    return result;
}

enum tn_result tn_idl_types_add_root(struct tn_idl_types *types, const char *directory,
                                     struct tn_error *err)
{
    return add_root(types, directory, strlen(directory), "", err);
}

enum tn_result tn_idl_types_add_ament_path(struct tn_idl_types *types, const char *path,
                                           struct tn_error *err)
{
    enum tn_result result = TN_OK;
    while (path != NULL && *path != '\0' && result == TN_OK) {
        size_t size = strcspn(path, ":");
        if (size > 0) {
            result = add_root(types, path, size, "/share", err);
        }
        path += size + (path[size] == ':');
    }
    return result;
}

void tn_idl_types_know(struct tn_idl_types *types, const struct tn_registry *registry)
{
    types->idl.known = registry;
}

// ---- defaults ----

static void store_number(enum tn_type_id id, const struct tn_idl_value *value, void *out)
{
    int8_t i8 = (int8_t)value->i;
    int16_t i16 = (int16_t)value->i;
    int32_t i32 = (int32_t)value->i;
    uint8_t u8 = (uint8_t)value->u;
    uint16_t u16 = (uint16_t)value->u;
    uint32_t u32 = (uint32_t)value->u;
    float f32 = (float)value->f;
    const void *const sources[] = {
        [TN_TYPE_INT8] = &i8,          [TN_TYPE_UINT8] = &u8,  [TN_TYPE_INT16] = &i16,
        [TN_TYPE_UINT16] = &u16,       [TN_TYPE_INT32] = &i32, [TN_TYPE_UINT32] = &u32,
        [TN_TYPE_INT64] = &value->i,   [TN_TYPE_BYTE] = &u8,   [TN_TYPE_UINT64] = &value->u,
        [TN_TYPE_FLOAT64] = &value->f, [TN_TYPE_BOOL] = &u8,   [TN_TYPE_FLOAT32] = &f32,
    };
    memcpy(out, sources[id], tn_idl__primitive_size(id));
}

static bool store_value(struct tn_arena *arena, enum tn_type_id id,
                        const struct tn_idl_value *value, void *out)
{
    if (id == TN_TYPE_STRING) {
        *(struct tn_str *)out = value->str;
    } else if (id == TN_TYPE_WSTRING) {
        uint16_t *units = tn_arena_alloc(arena, value->str.size + 1u, sizeof *units, sizeof *units);
        if (units == NULL) {
            return false;
        }
        uint32_t n = tn_idl__utf16(value->str.data, value->str.size, units);
        *(struct tn_wstr *)out = (struct tn_wstr){units, n};
    } else {
        store_number(id, value, out);
    }
    return true;
}

// a member of the message that tn_type_init() copies
static bool set_default(struct tn_arena *arena, const struct tn_field *field,
                        const struct tn_idl_field *source, void *member)
{
    size_t size = tn_field_element_size(field);
    bool is_sequence = field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED;
    uint32_t n = field->array == TN_ARRAY_FIXED ? field->capacity : 1;
    for (uint32_t i = 0; i < n && field->nested != NULL && !is_sequence; i++) {
        tn_type_init(field->nested, (char *)member + i * size);
    }
    if (source->n_defaults == 0) {
        return true;
    }
    if (is_sequence) {
        struct tn_seq_any sequence = {
            tn_arena_alloc(arena, source->n_defaults, size, tn_field_element_align(field)),
            source->n_defaults};
        memcpy(member, &sequence, sizeof sequence);
        member = (void *)(uintptr_t)sequence.data;
    }
    bool is_done = member != NULL;
    for (const struct tn_idl_value *v = source->default_values; v != NULL && is_done; v = v->next) {
        is_done = store_value(arena, field->type, v, member);
        member = (char *)member + size;
    }
    return is_done;
}

// ---- tables ----

static struct entry *find_entry(const struct tn_idl_types *types,
                                const struct tn_idl_struct *source)
{
    struct entry *entry = types->entries;
    while (entry != NULL && entry->source != source) {
        entry = entry->next;
    }
    return entry;
}

static const struct tn_type *type_of(const struct tn_idl_types *types,
                                     const struct tn_idl_struct *source)
{
    struct entry *entry = source != NULL ? find_entry(types, source) : NULL;
    return entry != NULL ? &entry->type : NULL;
}

// the text of a type as generated code has it
static const char *text_of(struct tn_arena *arena, const struct tn_idl_struct *source)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        return NULL;
    }
    tn_idl__emit_text(memory, source);
    const char *copy = fclose(memory) == 0 ? tn_arena_strndup(arena, text, size) : NULL;
    free(text);
    return copy;
}

static const char *dds_name_of(struct tn_arena *arena, const struct tn_idl_struct *source)
{
    size_t size = strlen(source->full_name) + sizeof "::::dds_::_";
    char *name = tn_arena_alloc(arena, size, 1, 1);
    if (name != NULL) {
        (void)snprintf(name, size, "%s::%s::dds_::%s_", source->package, source->kind,
                       source->name);
    }
    return name;
}

static size_t round_up(size_t offset, size_t align)
{
    return (offset + align - 1) / align * align;
}

// field table and defaults of one message whose nested types are made
static bool make_fields(struct tn_idl_types *types, const struct tn_idl_struct *source,
                        struct tn_type *type)
{
    struct tn_field *fields =
        tn_arena_alloc(&types->arena, source->n_fields, sizeof *fields, _Alignof(struct tn_field));
    char *prototype = tn_arena_alloc(&types->arena, type->size, 1, _Alignof(max_align_t));
    bool is_done = fields != NULL && prototype != NULL;
    type->fields = source->is_empty ? NULL : fields;
    type->prototype = prototype;
    size_t offset = 0;
    uint32_t i = 0;
    for (const struct tn_idl_field *f = source->fields; f != NULL && is_done; f = f->next, i++) {
        bool is_sequence = f->type.array == TN_ARRAY_BOUNDED || f->type.array == TN_ARRAY_UNBOUNDED;
        fields[i] = (struct tn_field){.name = f->name,
                                      .type = f->type.id,
                                      .array = f->type.array,
                                      .capacity = f->type.capacity,
                                      .string_capacity = f->type.string_capacity,
                                      .nested = type_of(types, f->type.nested),
                                      .default_text = f->default_text};
        size_t n = f->type.array == TN_ARRAY_FIXED ? f->type.capacity : 1;
        size_t size = is_sequence ? sizeof(struct tn_seq_any) : tn_field_element_size(&fields[i]);
        offset = round_up(offset, is_sequence ? _Alignof(struct tn_seq_any)
                                              : tn_field_element_align(&fields[i]));
        fields[i].offset = offset;
        is_done = offset + n * size <= type->size &&
                  set_default(&types->arena, &fields[i], f, prototype + offset);
        offset += n * size;
    }
    return is_done;
}

static enum tn_result make_message(struct tn_idl_types *types, const struct tn_idl_struct *source,
                                   const char *hash, struct tn_type *type, struct tn_error *err)
{
    if (source->c_size > TN_IDL_TYPES_MAX_SIZE || source->rank > TN_IDL_TYPES_MAX_DEPTH) {
        return tn_error_set(err, TN_ERR_LIMIT,
                            "%.120s takes %zu bytes and nests %u deep; at most %zu and %u are made",
                            source->full_name, source->c_size, (unsigned)source->rank,
                            TN_IDL_TYPES_MAX_SIZE, TN_IDL_TYPES_MAX_DEPTH);
    }
    *type = (struct tn_type){.ros_name = source->full_name,
                             .dds_name = dds_name_of(&types->arena, source),
                             .hash = hash,
                             .text = text_of(&types->arena, source),
                             .size = source->c_size,
                             .align = source->c_align,
                             .min_cdr_size = source->min_cdr_size,
                             .is_flat = source->is_flat,
                             .n_fields = source->is_empty ? 0 : source->n_fields};
    bool is_done = type->dds_name != NULL && type->text != NULL && make_fields(types, source, type);
    return is_done ? TN_OK : no_memory(err);
}

// a service or action: its members name its parts, in the order of the structs
static void link_parts(const struct tn_idl_types *types, const char *hash, struct entry *entry)
{
    const struct tn_idl_struct *source = entry->source;
    const struct entry *parts[6] = {NULL};
    uint32_t n = 0;
    for (const struct tn_idl_field *f = source->fields; f != NULL && n < 6; f = f->next) {
        parts[n++] = find_entry(types, f->type.nested);
    }
    if (source->is_service) {
        entry->service = (struct tn_service_type){source->full_name, hash, &parts[0]->type,
                                                  &parts[1]->type, &parts[2]->type};
    } else {
        entry->action = (struct tn_action_type){source->full_name,  hash,
                                                &parts[0]->type,    &parts[1]->type,
                                                &parts[2]->type,    &parts[3]->service,
                                                &parts[4]->service, &parts[5]->type};
    }
}

static enum tn_result make_entry(struct tn_idl_types *types, const struct tn_idl_struct *source,
                                 struct tn_error *err)
{
    char hash[TN_IDL_HASH_SIZE];
    struct entry *entry = tn_arena_alloc(&types->arena, 1, sizeof *entry, _Alignof(struct entry));
    enum tn_result result = tn_idl_hash(&types->idl, source, hash);
    const char *kept = tn_arena_strndup(&types->arena, hash, result == TN_OK ? strlen(hash) : 0);
    if (entry == NULL || kept == NULL || result != TN_OK) {
        return result == TN_ERR_INTERNAL
                   ? tn_error_set(err, result, "the digest of type hashes is not available")
                   : no_memory(err);
    }
    entry->source = source;
    if (source->is_service || source->is_action) {
        link_parts(types, kept, entry);
    } else {
        result = make_message(types, source, kept, &entry->type, err);
    }
    entry->next = types->entries;
    types->entries = entry;
    return result;
}

// what was read since the last time, each type behind those that it uses
static enum tn_result make_new(struct tn_idl_types *types, const struct tn_idl_struct *first,
                               struct tn_error *err)
{
    enum tn_result result = TN_OK;
    uint32_t highest = 1;
    for (uint32_t rank = 1; rank <= highest && result == TN_OK; rank++) {
        for (const struct tn_idl_struct *s = first; s != NULL && result == TN_OK; s = s->next) {
            highest = s->rank > highest ? s->rank : highest;
            if (s->rank == rank) {
                result = make_entry(types, s, err);
            }
        }
    }
    return result;
}

// ---- names ----

// "pkg/kind/Name" or a part of one; nothing else may become a path
static bool is_type_name(const char *name)
{
    static const char *const kinds[] = {"/msg/", "/srv/", "/action/"};
    size_t package = strcspn(name, "/");
    if (strlen(name) > 200 || !tn_idl__is_name(TN_IDL__PACKAGE, name, package)) {
        return false;
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(kinds); i++) {
        size_t kind = strlen(kinds[i]);
        if (strncmp(name + package, kinds[i], kind) == 0) {
            const char *type = name + package + kind;
            size_t size = i == 0 ? strlen(type) : strcspn(type, "_");
            size_t rest = strspn(type, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
                                       "0123456789");
            return tn_idl__is_name(TN_IDL__TYPE, type, size) && type[rest] == '\0';
        }
    }
    return false;
}

// resolves and makes what a call has read, or takes it all back
static enum tn_result finish(struct tn_idl_types *types, const struct state *before,
                             enum tn_result result, struct tn_error *err)
{
    if (result == TN_OK) {
        result = tn_idl_resolve(&types->idl, err);
    }
    if (result == TN_OK) {
        const struct tn_idl_struct *last = before->idl.last;
        result = make_new(types, last != NULL ? last->next : types->idl.structs, err);
    }
    if (result != TN_OK) {
        go_back(types, before);
    }
    return result;
}

// reads the file of a type unless it is known
static enum tn_result find(struct tn_idl_types *types, const char *name, struct entry **out_entry,
                           struct tn_error *err)
{
    if (!is_type_name(name)) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "\"%.80s\" names no type; expected pkg/msg/Type, pkg/srv/Name or "
                            "pkg/action/Name",
                            name);
    }
    struct state before = state_of(types);
    enum tn_result result = tn_idl_load(&types->idl, name, err);
    if (result == TN_ERR_EXISTS) {
        // the file is known and has no such part
        result = tn_error_set(err, TN_ERR_NOT_FOUND, "nothing is called %.200s", name);
    }
    result = finish(types, &before, result, err);
    const struct tn_idl_struct *source = result == TN_OK ? tn_idl_find(&types->idl, name) : NULL;
    if (result == TN_OK && source == NULL) {
        return tn_error_set(err, TN_ERR_NOT_FOUND, "nothing is called %.200s", name);
    }
    *out_entry = source != NULL ? find_entry(types, source) : NULL;
    return result;
}

enum tn_result tn_idl_types_message(struct tn_idl_types *types, const char *ros_name,
                                    const struct tn_type **out_type, struct tn_error *err)
{
    struct entry *entry = NULL;
    enum tn_result result = find(types, ros_name, &entry, err);
    if (result != TN_OK) {
        return result;
    }
    if (entry->source->is_service || entry->source->is_action) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "%.200s is no message", ros_name);
    }
    *out_type = &entry->type;
    return TN_OK;
}

enum tn_result tn_idl_types_service(struct tn_idl_types *types, const char *ros_name,
                                    const struct tn_service_type **out_type, struct tn_error *err)
{
    struct entry *entry = NULL;
    enum tn_result result = find(types, ros_name, &entry, err);
    if (result != TN_OK) {
        return result;
    }
    if (!entry->source->is_service) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "%.200s is no service", ros_name);
    }
    *out_type = &entry->service;
    return TN_OK;
}

enum tn_result tn_idl_types_action(struct tn_idl_types *types, const char *ros_name,
                                   const struct tn_action_type **out_type, struct tn_error *err)
{
    struct entry *entry = NULL;
    enum tn_result result = find(types, ros_name, &entry, err);
    if (result != TN_OK) {
        return result;
    }
    if (!entry->source->is_action) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "%.200s is no action", ros_name);
    }
    *out_type = &entry->action;
    return TN_OK;
}

enum tn_result tn_idl_types_parse(struct tn_idl_types *types, const char *ros_name,
                                  const char *schema, size_t size, const struct tn_type **out_type,
                                  struct tn_error *err)
{
    if (!is_type_name(ros_name)) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "\"%.80s\" names no type", ros_name);
    }
    struct state before = state_of(types);
    enum tn_result result = tn_idl_parse_schema(&types->idl, ros_name, ros_name, schema, size, err);
    result = finish(types, &before, result, err);
    if (result == TN_OK) {
        *out_type = type_of(types, tn_idl_find(&types->idl, ros_name));
    }
    return result;
}
