// SPDX-License-Identifier: Apache-2.0
// Reading OSC. Every length is checked against the end of its element before a byte is touched.
#include "glove/contact/contact_codec.h"

#include <math.h>
#include <string.h>

#include "base/compat.h"

#define WORD              4u
#define BUNDLE_MARK       "#bundle"
#define BUNDLE_HEAD_BYTES 16u
#define QUAT_NORM_MIN     0.5
#define QUAT_NORM_MAX     2.0

static const char *const reject_keys[] = {
#define KEY(name, key, text) key,
    TN_CONTACT_REJECT_LIST(KEY)
#undef KEY
};
static const char *const reject_texts[] = {
#define TEXT(name, key, text) text,
    TN_CONTACT_REJECT_LIST(TEXT)
#undef TEXT
};

const char *tn_contact_reject_key(enum tn_contact_reject_cause cause)
{
    return (unsigned)cause < TN_CONTACT_REJECTS ? reject_keys[cause] : "?";
}

const char *tn_contact_reject_text(enum tn_contact_reject_cause cause)
{
    return (unsigned)cause < TN_CONTACT_REJECTS ? reject_texts[cause] : "?";
}

bool tn_contact_id_is_valid(const char *id, size_t max)
{
    size_t n = 0;
    for (; n < max && id[n] != '\0'; n++) {
        unsigned char c = (unsigned char)id[n];
        if (c <= ' ' || c == '/' || c == 0x7f)
            return false;
    }
    return n > 0 && n < max;
}

// ---- one message ----

/// Unread rest of one message.
struct cursor {
    const uint8_t *data; ///< of the datagram
    size_t at, end;
    const char *tags; ///< next type tag; NUL behind the last
    struct tn_contact_reject *reject;
};

static bool fail(struct cursor *cursor, enum tn_contact_reject_cause cause, int32_t found)
{
    cursor->reject->cause = cause;
    cursor->reject->offset = cursor->at;
    cursor->reject->found = found;
    return false;
}

static void copy_printable(char *out, size_t capacity, const char *text)
{
    size_t n = 0;
    for (; n + 1 < capacity && text[n] != '\0'; n++)
        out[n] = text[n] > ' ' && text[n] < 0x7f ? text[n] : '?';
    out[n] = '\0';
}

static uint32_t load_word(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/// Takes a string with its padding.
static bool take_string(struct cursor *cursor, const char **out_text, size_t *out_size)
{
    const uint8_t *start = cursor->data + cursor->at;
    size_t left = cursor->end - cursor->at;
    const uint8_t *nul = left > 0 ? memchr(start, '\0', left) : NULL;
    if (nul == NULL)
        return fail(cursor, TN_CONTACT_REJECT_TRUNCATED, 0);
    size_t size = (size_t)(nul - start);
    size_t padded = (size / WORD + 1) * WORD;
    if (padded > left)
        return fail(cursor, TN_CONTACT_REJECT_TRUNCATED, 0);
    for (size_t i = size; i < padded; i++) {
        if (start[i] != 0)
            return fail(cursor, TN_CONTACT_REJECT_PADDING, start[i]);
    }
    *out_text = (const char *)start;
    *out_size = size;
    cursor->at += padded;
    return true;
}

/// Takes the next type tag if it is the expected one.
static bool take_tag(struct cursor *cursor, char tag)
{
    if (*cursor->tags == '\0')
        return fail(cursor, TN_CONTACT_REJECT_COUNT, 0);
    if (*cursor->tags != tag)
        return fail(cursor, TN_CONTACT_REJECT_TAGS, *cursor->tags);
    cursor->tags++;
    return true;
}

static bool take_word(struct cursor *cursor, char tag, uint32_t *out_word)
{
    if (!take_tag(cursor, tag))
        return false;
    if (cursor->end - cursor->at < WORD)
        return fail(cursor, TN_CONTACT_REJECT_TRUNCATED, 0);
    *out_word = load_word(cursor->data + cursor->at);
    cursor->at += WORD;
    return true;
}

static bool take_int(struct cursor *cursor, int32_t *out_value)
{
    uint32_t word;
    if (!take_word(cursor, 'i', &word))
        return false;
    memcpy(out_value, &word, sizeof word);
    return true;
}

static bool take_float(struct cursor *cursor, float *out_value)
{
    uint32_t word;
    if (!take_word(cursor, 'f', &word))
        return false;
    memcpy(out_value, &word, sizeof word);
    return isfinite(*out_value) || fail(cursor, TN_CONTACT_REJECT_NOT_FINITE, 0);
}

static bool read_version(struct cursor *cursor, int32_t expected)
{
    int32_t version;
    if (!take_int(cursor, &version))
        return false;
    return version == expected || fail(cursor, TN_CONTACT_REJECT_VERSION, version);
}

static bool store_id(struct cursor *cursor, const char *text, size_t size, char *out)
{
    if (size >= TN_CONTACT_WIRE_ID_MAX || !tn_contact_id_is_valid(text, size + 1))
        return fail(cursor, TN_CONTACT_REJECT_ID, 0);
    memcpy(out, text, size + 1);
    return true;
}

static bool read_id(struct cursor *cursor, char *out)
{
    const char *text;
    size_t size;
    return take_tag(cursor, 's') && take_string(cursor, &text, &size) &&
           store_id(cursor, text, size, out);
}

static bool read_name(struct cursor *cursor, char *out)
{
    const char *text;
    size_t size;
    if (!take_tag(cursor, 's') || !take_string(cursor, &text, &size))
        return false;
    if (size >= TN_CONTACT_NAME_MAX) {
        size = TN_CONTACT_NAME_MAX - 1;
        // never cut inside an UTF-8 character
        while (size > 0 && ((unsigned char)text[size] & 0xc0u) == 0x80u)
            size--;
    }
    memcpy(out, text, size);
    out[size] = '\0';
    return true;
}

static bool read_bool(struct cursor *cursor, bool is_strict, bool *out)
{
    int32_t value;
    if (!take_int(cursor, &value))
        return false;
    if (is_strict && value != 0 && value != 1)
        return fail(cursor, TN_CONTACT_REJECT_SIDE, value);
    *out = value != 0;
    return true;
}

static bool read_int(struct cursor *cursor, const struct tn_contact_field *field, int32_t *out)
{
    if (!take_int(cursor, out))
        return false;
    bool has_range = field->min != 0 || field->max != 0;
    if (has_range && (*out < field->min || *out > field->max))
        return fail(cursor, TN_CONTACT_REJECT_RANGE, *out);
    return true;
}

static bool read_float(struct cursor *cursor, const struct tn_contact_field *field, float factor,
                       float *out)
{
    if (!take_float(cursor, out))
        return false;
    *out *= factor;
    if (field->max != 0 && fabsf(*out) > (float)field->max)
        return fail(cursor, TN_CONTACT_REJECT_RANGE, 0);
    return true;
}

static bool read_quat(struct cursor *cursor, float *out_xyzw)
{
    float wxyz[4];
    double norm2 = 0;
    for (int i = 0; i < 4; i++) {
        if (!take_float(cursor, &wxyz[i]))
            return false;
        norm2 += (double)wxyz[i] * (double)wxyz[i];
    }
    double norm = sqrt(norm2);
    if (norm < QUAT_NORM_MIN || norm > QUAT_NORM_MAX)
        return fail(cursor, TN_CONTACT_REJECT_QUATERNION, 0);
    for (int i = 0; i < 4; i++)
        out_xyzw[(i + 3) % 4] = (float)((double)wxyz[i] / norm);
    return true;
}

/// Reads element `i` of a field's arguments to its place.
static bool read_value(struct cursor *cursor, const struct tn_contact_dialect *dialect,
                       const struct tn_contact_field *field, unsigned i, void *place)
{
    switch (field->kind) {
    case TN_CONTACT_FIELD_VERSION:
        return read_version(cursor, dialect->version);
    case TN_CONTACT_FIELD_ID:
        return read_id(cursor, place);
    case TN_CONTACT_FIELD_NAME:
        return read_name(cursor, place);
    case TN_CONTACT_FIELD_SIDE:
        return read_bool(cursor, true, place);
    case TN_CONTACT_FIELD_BOOL:
        return read_bool(cursor, false, place);
    case TN_CONTACT_FIELD_INT:
        return read_int(cursor, field, (int32_t *)place + i);
    case TN_CONTACT_FIELD_FLOAT:
        return read_float(cursor, field, 1.0f, (float *)place + i);
    case TN_CONTACT_FIELD_ANGLES:
        return read_float(cursor, field, dialect->degrees_per_unit[i], (float *)place + i);
    case TN_CONTACT_FIELD_QUAT:
        return read_quat(cursor, (float *)place + 4 * (size_t)i);
    }
    return false;
}

static bool read_fields(struct cursor *cursor, const struct tn_contact_dialect *dialect,
                        const struct tn_contact_field *fields, unsigned n_fields, char *base)
{
    for (unsigned f = 0; f < n_fields; f++) {
        for (unsigned i = 0; i < fields[f].count; i++) {
            if (!read_value(cursor, dialect, &fields[f], i, base + fields[f].offset))
                return false;
        }
    }
    return true;
}

static bool read_list(struct cursor *cursor, const struct tn_contact_dialect *dialect,
                      const struct tn_contact_row *row, char *base)
{
    uint32_t n = 0;
    while (*cursor->tags != '\0') {
        if (n == row->list_max)
            return fail(cursor, TN_CONTACT_REJECT_LIMIT, (int32_t)n);
        char *element = base + row->list + (size_t)n * row->list_stride;
        if (!read_fields(cursor, dialect, row->repeated, row->n_repeated, element))
            return false;
        n++;
    }
    memcpy(base + row->list_count, &n, sizeof n);
    return true;
}

static bool read_row(struct cursor *cursor, const struct tn_contact_dialect *dialect,
                     const struct tn_contact_row *row, struct tn_contact_message *out)
{
    char *base = (char *)out;
    if (!read_fields(cursor, dialect, row->fields, row->n_fields, base))
        return false;
    if (row->repeated != NULL && !read_list(cursor, dialect, row, base))
        return false;
    if (*cursor->tags != '\0')
        return fail(cursor, TN_CONTACT_REJECT_COUNT, 0);
    if (cursor->at != cursor->end)
        return fail(cursor, TN_CONTACT_REJECT_TRAILING, 0);
    out->kind = row->kind;
    return true;
}

/// Matches an address with a row's; `*out_id` and `*out_id_size` name the part that is the id.
static bool match_address(const struct tn_contact_row *row, const char *address, size_t size,
                          const char **out_id, size_t *out_id_size)
{
    const char *brace = row->address_id != 0 ? strchr(row->address, '{') : NULL;
    if (brace == NULL)
        return strcmp(row->address, address) == 0;
    size_t head = (size_t)(brace - row->address);
    const char *tail = strchr(brace, '}') + 1;
    size_t tail_size = strlen(tail);
    if (size < head + tail_size || memcmp(address, row->address, head) != 0 ||
        strcmp(address + size - tail_size, tail) != 0)
        return false;
    *out_id = address + head;
    *out_id_size = size - head - tail_size;
    return memchr(*out_id, '/', *out_id_size) == NULL;
}

static bool find_row(const struct tn_contact_reader *reader, const char *address, size_t size,
                     const struct tn_contact_row **out_row, const char **out_id,
                     size_t *out_id_size)
{
    for (uint32_t i = 0; i < reader->dialect->n_rows; i++) {
        const struct tn_contact_row *row = &reader->dialect->rows[i];
        if (row->direction == reader->direction &&
            match_address(row, address, size, out_id, out_id_size)) {
            *out_row = row;
            return true;
        }
    }
    return false;
}

static bool store_address_id(struct cursor *cursor, const struct tn_contact_row *row,
                             const char *id, size_t id_size, struct tn_contact_message *out)
{
    char text[TN_CONTACT_WIRE_ID_MAX];
    if (row->address_id == 0)
        return true;
    if (id_size >= sizeof text)
        return fail(cursor, TN_CONTACT_REJECT_ID, 0);
    memcpy(text, id, id_size);
    text[id_size] = '\0';
    return store_id(cursor, text, id_size, (char *)out + row->address_id);
}

static bool unknown_address(struct cursor *cursor, const char *address)
{
    bool is_old = strncmp(address, TN_CONTACT_OLD_PREFIX, strlen(TN_CONTACT_OLD_PREFIX)) == 0;
    return fail(cursor, is_old ? TN_CONTACT_REJECT_OLD_DIALECT : TN_CONTACT_REJECT_UNKNOWN, 0);
}

static bool read_message(const struct tn_contact_reader *reader, struct cursor *cursor,
                         struct tn_contact_message *out)
{
    const char *address, *tags, *id = "";
    size_t size, id_size = 0;
    const struct tn_contact_row *row = NULL;
    if (!take_string(cursor, &address, &size))
        return false;
    copy_printable(cursor->reject->address, sizeof cursor->reject->address, address);
    if (address[0] != '/')
        return fail(cursor, TN_CONTACT_REJECT_ADDRESS, 0);
    if (!find_row(reader, address, size, &row, &id, &id_size))
        return unknown_address(cursor, address);
    // what a dialect does not send is 0: TRACKED, no generation time
    memset(&out->body, 0, row->body_size);
    if (!store_address_id(cursor, row, id, id_size, out) || !take_string(cursor, &tags, &size))
        return false;
    copy_printable(cursor->reject->tags, sizeof cursor->reject->tags, tags);
    if (tags[0] != ',')
        return fail(cursor, TN_CONTACT_REJECT_TAGS, tags[0]);
    cursor->tags = tags + 1;
    return read_row(cursor, reader->dialect, row, out);
}

// ---- the datagram ----

void tn_contact_reader_begin(struct tn_contact_reader *reader,
                             const struct tn_contact_dialect *dialect,
                             enum tn_contact_direction direction, const uint8_t *data, size_t size)
{
    *reader = (struct tn_contact_reader){.dialect = dialect, .direction = direction, .data = data};
    reader->ends[0] = size;
}

static enum tn_result reject_rest(struct tn_contact_reader *reader, struct cursor *cursor,
                                  enum tn_contact_reject_cause cause, size_t resume_at)
{
    (void)fail(cursor, cause, 0);
    reader->at = resume_at;
    return TN_ERR_MALFORMED;
}

/// Finds the element at the reader's place: the datagram itself, or the next one of a bundle.
static enum tn_result next_element(struct tn_contact_reader *reader, struct cursor *cursor)
{
    size_t end = reader->ends[reader->depth];
    cursor->data = reader->data;
    cursor->at = reader->at;
    cursor->end = end;
    if (reader->depth == 0) {
        reader->is_started = true;
        return end == 0 || end % WORD != 0
                   ? reject_rest(reader, cursor, TN_CONTACT_REJECT_SIZE, end)
                   : TN_OK;
    }
    if (end - reader->at < WORD)
        return reject_rest(reader, cursor, TN_CONTACT_REJECT_BUNDLE, end);
    uint32_t size = load_word(reader->data + reader->at);
    if (size == 0 || size % WORD != 0 || size > end - reader->at - WORD)
        return reject_rest(reader, cursor, TN_CONTACT_REJECT_BUNDLE, end);
    cursor->at = reader->at + WORD;
    cursor->end = cursor->at + size;
    return TN_OK;
}

static bool is_bundle(const struct cursor *cursor)
{
    return cursor->end - cursor->at >= sizeof BUNDLE_MARK &&
           memcmp(cursor->data + cursor->at, BUNDLE_MARK, sizeof BUNDLE_MARK) == 0;
}

static enum tn_result enter_bundle(struct tn_contact_reader *reader, struct cursor *cursor)
{
    if (reader->depth == TN_CONTACT_NESTING_MAX)
        return reject_rest(reader, cursor, TN_CONTACT_REJECT_NESTING, cursor->end);
    if (cursor->end - cursor->at < BUNDLE_HEAD_BYTES)
        return reject_rest(reader, cursor, TN_CONTACT_REJECT_TRUNCATED, cursor->end);
    reader->ends[++reader->depth] = cursor->end;
    reader->at = cursor->at + BUNDLE_HEAD_BYTES;
    return TN_OK;
}

enum tn_result tn_contact_reader_next(struct tn_contact_reader *reader,
                                      struct tn_contact_message *out_message,
                                      struct tn_contact_reject *out_reject)
{
    struct cursor cursor = {.tags = "", .reject = out_reject};
    for (;;) {
        // a finished bundle gives way to what encloses it
        while (reader->depth > 0 && reader->at == reader->ends[reader->depth])
            reader->depth--;
        if (reader->depth == 0 && reader->is_started)
            return TN_ERR_AGAIN;
        *out_reject = (struct tn_contact_reject){.cause = TN_CONTACT_REJECT_SIZE};
        enum tn_result result = next_element(reader, &cursor);
        if (result != TN_OK)
            return result;
        if (!is_bundle(&cursor)) {
            reader->at = cursor.end;
            return read_message(reader, &cursor, out_message) ? TN_OK : TN_ERR_MALFORMED;
        }
        result = enter_bundle(reader, &cursor);
        if (result != TN_OK)
            return result;
    }
}
