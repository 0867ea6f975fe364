// SPDX-License-Identifier: Apache-2.0
#include "tf_script.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ros/tf_buffer.h"

#define S       TN_NS_PER_S
#define MS      TN_NS_PER_MS
#define CACHE   (10 * S)
#define FRAMES  12
#define MAX_OPS 3000
#define NEAR    1e-9

// ---- the oracle ----

/// p_a = R p_b + p.
struct motion {
    double R[3][3], p[3];
};

struct told {
    int64_t stamp_ns;
    int parent;
    struct tn_pose pose; ///< as it was told, for interpolation
};

struct history {
    bool is_child, is_static;
    struct told *told; ///< (n) in the order they came; one for a static frame
    size_t n, capacity;
    int64_t accepted_ns;
};

struct oracle {
    struct history frames[FRAMES];
    bool is_known[FRAMES];
};

static struct motion from_pose(struct tn_pose pose)
{
    struct tn_quat q = pose.q;
    struct motion m = {.R = {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w),
                              2 * (q.x * q.z + q.y * q.w)},
                             {2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z),
                              2 * (q.y * q.z - q.x * q.w)},
                             {2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w),
                              1 - 2 * (q.x * q.x + q.y * q.y)}},
                       .p = {pose.p.x, pose.p.y, pose.p.z}};
    return m;
}

static struct motion compose(const struct motion *a, const struct motion *b)
{
    struct motion out;
    for (int i = 0; i < 3; i++) {
        out.p[i] = a->p[i];
        for (int j = 0; j < 3; j++) {
            out.p[i] += a->R[i][j] * b->p[j];
            out.R[i][j] = 0;
            for (int k = 0; k < 3; k++)
                out.R[i][j] += a->R[i][k] * b->R[k][j];
        }
    }
    return out;
}

static struct motion invert(const struct motion *m)
{
    struct motion out;
    for (int i = 0; i < 3; i++) {
        out.p[i] = 0;
        for (int j = 0; j < 3; j++) {
            out.R[i][j] = m->R[j][i];
            out.p[i] -= m->R[j][i] * m->p[j];
        }
    }
    return out;
}

/// exp(share log(R)) by Rodrigues' formula; the angle is below pi here.
static void power(double R[3][3], double share, double out[3][3])
{
    double axis[3] = {R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};
    double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) / 2;
    double angle = share * atan2(sine, (R[0][0] + R[1][1] + R[2][2] - 1) / 2);
    double k = sine > 1e-12 ? 1 / (2 * sine) : 0;
    double x = axis[0] * k, y = axis[1] * k, z = axis[2] * k;
    double K[3][3] = {{0, -z, y}, {z, 0, -x}, {-y, x, 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double square = 0;
            for (int n = 0; n < 3; n++)
                square += K[i][n] * K[n][j];
            out[i][j] = (i == j) + sin(angle) * K[i][j] + (1 - cos(angle)) * square;
        }
    }
}

static struct motion between(const struct told *a, const struct told *b, int64_t time_ns)
{
    double share = (double)(time_ns - a->stamp_ns) / (double)(b->stamp_ns - a->stamp_ns);
    struct motion A = from_pose(a->pose), B = from_pose(b->pose), A_inverse = invert(&A);
    struct motion turn = compose(&A_inverse, &B), out = A;
    struct motion part = {.p = {0, 0, 0}};
    power(turn.R, share, part.R);
    out = compose(&A, &part);
    for (int i = 0; i < 3; i++)
        out.p[i] = A.p[i] + share * (B.p[i] - A.p[i]);
    return out;
}

static int64_t newest_of(const struct history *h)
{
    int64_t newest = -1;
    for (size_t i = 0; i < h->n; i++)
        newest = h->told[i].stamp_ns > newest ? h->told[i].stamp_ns : newest;
    return newest;
}

static void add(struct history *h, struct told told)
{
    if (h->n == h->capacity) {
        h->capacity = 2 * h->capacity + 8;
        h->told = realloc(h->told, h->capacity * sizeof *h->told);
        if (h->told == NULL)
            abort();
    }
    h->told[h->n++] = told;
}

/// What an insertion ought to return, and its effect.
static enum tn_result tell(struct oracle *o, int parent, int child, struct told told,
                           bool is_static, int64_t now_ns)
{
    struct history *h = &o->frames[child];
    if (parent == child)
        return TN_ERR_INVALID_ARGUMENT;
    if (!is_static && !h->is_static && h->n > 0 && told.stamp_ns < newest_of(h) - CACHE) {
        if (now_ns - h->accepted_ns <= CACHE)
            return TN_ERR_STALE;
        h->n = 0;
    }
    if (is_static || h->is_static)
        h->n = 0;
    h->is_static = is_static;
    h->is_child = true;
    h->accepted_ns = now_ns;
    o->is_known[parent] = o->is_known[child] = true;
    size_t i = 0;
    while (i < h->n && h->told[i].stamp_ns != told.stamp_ns)
        i++;
    if (i < h->n)
        h->told[i] = told;
    else
        add(h, told);
    // forget what is older than the cache
    int64_t newest = newest_of(h);
    size_t n = 0;
    for (i = 0; i < h->n; i++)
        if (is_static || h->told[i].stamp_ns >= newest - CACHE)
            h->told[n++] = h->told[i];
    h->n = n;
    return TN_OK;
}

/// The step from a frame to its parent. @return TN_OK, or why there is none; TN_ERR_STATE: a root.
static enum tn_result oracle_step(const struct oracle *o, int frame, int64_t time_ns,
                                  struct motion *out, int *out_parent)
{
    const struct history *h = &o->frames[frame];
    const struct told *before = NULL, *after = NULL;
    if (h->n == 0)
        return h->is_child ? TN_ERR_AGAIN : TN_ERR_STATE;
    if (h->is_static) {
        *out = from_pose(h->told[0].pose);
        *out_parent = h->told[0].parent;
        return TN_OK;
    }
    for (size_t i = 0; i < h->n; i++) {
        const struct told *t = &h->told[i];
        if (t->stamp_ns <= time_ns && (before == NULL || t->stamp_ns > before->stamp_ns))
            before = t;
        if (t->stamp_ns >= time_ns && (after == NULL || t->stamp_ns < after->stamp_ns))
            after = t;
    }
    if (before == NULL || after == NULL)
        return after == NULL ? TN_ERR_AGAIN : TN_ERR_STALE;
    *out_parent = before->parent;
    *out = before == after || before->parent != after->parent ? from_pose(before->pose)
                                                              : between(before, after, time_ns);
    return TN_OK;
}

/// The newest step: its time, INT64_MAX for a static frame.
static enum tn_result oracle_newest(const struct oracle *o, int frame, int64_t *out_ns,
                                    int *out_parent)
{
    const struct history *h = &o->frames[frame];
    if (h->n == 0)
        return h->is_child ? TN_ERR_AGAIN : TN_ERR_STATE;
    *out_ns = h->is_static ? INT64_MAX : newest_of(h);
    for (size_t i = 0; i < h->n; i++)
        if (h->is_static || h->told[i].stamp_ns == *out_ns)
            *out_parent = h->told[i].parent;
    return TN_OK;
}

struct chain {
    int frames[FRAMES + 2];
    struct motion to_frame[FRAMES + 2]; ///< from the start to this frame
    int64_t newest_ns[FRAMES + 2];
    int n;
    enum tn_result end; ///< why it ends
};

/// All frames from one up to its root; by the newest steps when time_ns is 0.
static void climb(const struct oracle *o, int from, int64_t time_ns, struct chain *c)
{
    struct motion m = from_pose(tn_pose_identity());
    int64_t newest_ns = INT64_MAX;
    int frame = from;
    memset(c, 0, sizeof *c);
    for (c->n = 0; c->n <= FRAMES; c->n++) {
        int parent = 0;
        int64_t stamp_ns = INT64_MAX;
        struct motion step = m;
        c->frames[c->n] = frame;
        c->to_frame[c->n] = m;
        c->newest_ns[c->n] = newest_ns;
        c->end = time_ns == 0 ? oracle_newest(o, frame, &stamp_ns, &parent)
                              : oracle_step(o, frame, time_ns, &step, &parent);
        if (c->end != TN_OK) {
            c->n++;
            return;
        }
        if (time_ns != 0)
            m = compose(&step, &m);
        newest_ns = stamp_ns < newest_ns ? stamp_ns : newest_ns;
        frame = parent;
    }
    c->end = TN_ERR_MALFORMED;
}

/// Where two chains meet: the first frame of the target's that is in the source's.
static enum tn_result meet(const struct chain *source, const struct chain *target, int *out_source,
                           int *out_target)
{
    int n_source = source->n;
    // a walk that meets the target on its way goes no further, even if a loop lies beyond
    for (int i = 0; i < source->n; i++)
        if (source->frames[i] == target->frames[0]) {
            *out_source = i;
            *out_target = 0;
            return TN_OK;
        }
    if (source->end == TN_ERR_MALFORMED)
        return TN_ERR_MALFORMED;
    for (int j = 0; j < target->n; j++)
        for (int i = 0; i < n_source; i++)
            if (source->frames[i] == target->frames[j]) {
                *out_source = i;
                *out_target = j;
                return TN_OK;
            }
    return target->end == TN_ERR_STATE ? source->end : target->end;
}

static enum tn_result oracle_lookup(const struct oracle *o, int target, int source, int64_t time_ns,
                                    struct motion *out, int64_t *out_ns)
{
    static const size_t chains = 2;
    struct chain *c = calloc(chains, sizeof *c);
    int i = 0, j = 0;
    if (c == NULL)
        abort();
    enum tn_result result = TN_OK;
    *out_ns = time_ns;
    if (time_ns == 0) {
        climb(o, source, 0, &c[0]);
        climb(o, target, 0, &c[1]);
        result = meet(&c[0], &c[1], &i, &j);
        if (result == TN_OK) {
            int64_t a = c[0].newest_ns[i], b = c[1].newest_ns[j];
            *out_ns = a < b ? a : b;
        }
    }
    // a way of static frames holds at any time
    int64_t at_ns = *out_ns == INT64_MAX ? 1 : *out_ns;
    if (result == TN_OK) {
        climb(o, source, at_ns, &c[0]);
        climb(o, target, at_ns, &c[1]);
        result = meet(&c[0], &c[1], &i, &j);
    }
    if (*out_ns == INT64_MAX)
        *out_ns = 0;
    if (result == TN_OK) {
        struct motion back = invert(&c[1].to_frame[j]);
        *out = compose(&back, &c[0].to_frame[i]);
    }
    free(c);
    return result;
}

// ---- the script ----

struct script {
    const uint8_t *data;
    size_t size, at;
    struct tn_tf_buffer *buffer;
    struct oracle oracle;
    int64_t now_ns;
    struct tf_script_counts *counts;
};

static uint8_t next(struct script *s)
{
    return s->at < s->size ? s->data[s->at++] : 0;
}

static const char *const names[FRAMES] = {"map",   "odom", "base", "arm",   "wrist", "palm",
                                          "index", "tip",  "lens", "glove", "world", "cup"};

static int64_t stamp_of(uint8_t b)
{
    return 1000 * S + b * 100 * MS;
}

/// Small turns, so that no two of them are opposite.
static struct tn_pose pose_of(uint8_t b)
{
    static const struct tn_vec3 axes[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0, 0.8}};
    double angle_rad = ((b >> 2) % 8) * 0.1;
    struct tn_pose pose = {.p = {b * 0.25, (b % 7) - 3.0, -(b % 5) * 1.5},
                           .q = tn_quat_from_axis_angle(axes[b % 4], angle_rad)};
    if (b & 0x80)
        pose.q = (struct tn_quat){-pose.q.x, -pose.q.y, -pose.q.z, -pose.q.w};
    return pose;
}

static struct tn_tf_input input_of(const char *parent, const char *child, int64_t now_ns)
{
    return (struct tn_tf_input){.parent = parent,
                                .child = child,
                                .parent_size = (uint32_t)strlen(parent),
                                .child_size = (uint32_t)strlen(child),
                                .now_steady_ns = now_ns};
}

static const char *run_insert(struct script *s, bool is_static)
{
    int parent = next(s) % FRAMES, child = next(s) % FRAMES;
    struct tn_tf_input in = input_of(names[parent], names[child], s->now_ns);
    in.stamp_ns = is_static ? 0 : stamp_of(next(s));
    in.T_parent_child = pose_of(next(s));
    in.is_static = is_static;
    struct told told = {in.stamp_ns, parent, in.T_parent_child};
    enum tn_result expected = tell(&s->oracle, parent, child, told, is_static, s->now_ns);
    if (tn_tf_buffer_insert(s->buffer, &in) != expected)
        return "an insertion returned something else than expected";
    s->counts->inserted += expected == TN_OK;
    s->counts->refused += expected != TN_OK;
    return NULL;
}

static bool is_near(const struct motion *a, struct tn_pose pose)
{
    struct motion b = from_pose(pose);
    double size = 1;
    for (int i = 0; i < 3; i++)
        size += fabs(a->p[i]);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(a->p[i] - b.p[i]) <= NEAR * size))
            return false;
        for (int j = 0; j < 3; j++)
            if (!(fabs(a->R[i][j] - b.R[i][j]) <= NEAR))
                return false;
    }
    return true;
}

static const char *check_lookup(struct script *s, int target, int source, int64_t time_ns)
{
    struct tn_tf_result found = {.stamp_ns = -77};
    struct tn_error err = {0};
    struct motion expected;
    int64_t expected_ns = 0;
    enum tn_result result =
        tn_tf_buffer_lookup(s->buffer, names[target], names[source], time_ns, &found, &err);
    if (target == source)
        return result == TN_OK ? NULL : "a frame in itself was not found";
    if (!s->oracle.is_known[target] || !s->oracle.is_known[source])
        return result == TN_ERR_NOT_FOUND ? NULL : "a frame nobody told of is known";
    enum tn_result right =
        oracle_lookup(&s->oracle, target, source, time_ns, &expected, &expected_ns);
    if ((result == TN_OK) != (err.text[0] == '\0'))
        return "a failure without a text, or a text without a failure";
    s->counts->found += result == TN_OK;
    s->counts->not_found += result != TN_OK;
    if (result != right)
        return "a lookup returned another code than expected";
    if (result != TN_OK)
        return found.stamp_ns == -77 ? NULL : "a lookup that failed wrote a result";
    if (found.stamp_ns != expected_ns)
        return "a lookup found another time than expected";
    return is_near(&expected, found.T_target_source) ? NULL : "a lookup found another pose";
}

static const char *run_lookup(struct script *s)
{
    int target = next(s) % FRAMES, source = next(s) % FRAMES;
    uint8_t when = next(s);
    return check_lookup(s, target, source, when < 64 ? 0 : 1000 * S + (when - 64) * 150 * MS);
}

/// Through time: the same as two lookups.
static const char *run_travel(struct script *s)
{
    int target = next(s) % FRAMES, source = next(s) % FRAMES, fixed = next(s) % FRAMES;
    struct tn_tf_travel travel = {names[target], stamp_of(next(s)), names[source],
                                  stamp_of(next(s)), names[fixed]};
    struct tn_tf_result found, one, two;
    struct tn_error err = {0};
    enum tn_result result = tn_tf_buffer_lookup_travel(s->buffer, &travel, &found, &err);
    bool is_known =
        s->oracle.is_known[target] && s->oracle.is_known[source] && s->oracle.is_known[fixed];
    if (!is_known)
        return result == TN_ERR_NOT_FOUND ? NULL : "a frame nobody told of is known";
    enum tn_result first = tn_tf_buffer_lookup(s->buffer, travel.fixed, travel.source,
                                               travel.source_time_ns, &one, NULL);
    enum tn_result second = tn_tf_buffer_lookup(s->buffer, travel.target, travel.fixed,
                                                travel.target_time_ns, &two, NULL);
    if (result != (first != TN_OK ? first : second))
        return "a lookup through time differs from its two halves";
    if (result != TN_OK)
        return NULL;
    struct motion a = from_pose(two.T_target_source), b = from_pose(one.T_target_source);
    struct motion both = compose(&a, &b);
    return is_near(&both, found.T_target_source) ? NULL : "a lookup through time found elsewhere";
}

static double raw_double(struct script *s)
{
    uint8_t bytes[8];
    double value;
    for (int i = 0; i < 8; i++)
        bytes[i] = next(s);
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// Bytes of a stranger; the frame is none of the oracle's.
static void insert_raw(struct script *s)
{
    char name[300];
    uint32_t size = next(s);
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    name[0] = '~';
    for (uint32_t i = 1; i < 4; i++)
        name[i] = (char)next(s);
    struct tn_tf_input in = input_of("~", name, s->now_ns);
    in.child_size = size % 4 == 0 ? size + 3 : size % 4 + 1;
    double bits = raw_double(s);
    memcpy(&in.stamp_ns, &bits, sizeof in.stamp_ns);
    double *values[] = {&in.T_parent_child.p.x, &in.T_parent_child.p.y, &in.T_parent_child.q.x,
                        &in.T_parent_child.q.w};
    for (int i = 0; i < 4; i++)
        *values[i] = next(s) < 200 ? 0.5 * i - 0.5 : raw_double(s);
    in.is_static = next(s) % 2;
    (void)tn_tf_buffer_insert(s->buffer, &in);
}

static const char *run_other(struct script *s)
{
    switch (next(s) % 4) {
    case 0:
        tn_tf_buffer_clear(s->buffer);
        for (int i = 0; i < FRAMES; i++)
            if (!s->oracle.frames[i].is_static)
                s->oracle.frames[i].n = 0;
        return NULL;
    case 1:
        s->now_ns += 4 * S;
        return NULL;
    default:
        insert_raw(s);
        return NULL;
    }
}

static const char *run_op(struct script *s)
{
    switch (next(s) % 8) {
    case 0:
    case 1:
    case 2:
        return run_insert(s, false);
    case 3:
        return run_insert(s, true);
    case 4:
    case 5:
        return run_lookup(s);
    case 6:
        return run_travel(s);
    default:
        return run_other(s);
    }
}

const char *tf_script_run(const uint8_t *data, size_t size, struct tf_script_counts *counts)
{
    struct tn_tf_buffer_options options = tn_tf_buffer_options_default();
    struct script *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    // nothing is ever forgotten for want of room: what takes a place takes some bytes of the script
    options.max_frames = FRAMES + 3 + (uint32_t)(size / 16);
    options.max_entries = options.max_frame_entries = 8 + (uint32_t)(size / 4);
    *s = (struct script){.data = data, .size = size, .now_ns = 5000 * S, .counts = counts};
    if (tn_tf_buffer_create(&options, &s->buffer, NULL) != TN_OK)
        abort();
    const char *wrong = NULL;
    for (int i = 0; i < MAX_OPS && s->at < size && wrong == NULL; i++)
        wrong = run_op(s);
    // in the end each in each, now and then
    for (int i = 0; i < FRAMES * FRAMES && wrong == NULL; i++)
        wrong = check_lookup(s, i / FRAMES, i % FRAMES, i % 3 == 0 ? 1005 * S : 0);
    tn_tf_buffer_destroy(&s->buffer);
    for (int i = 0; i < FRAMES; i++)
        free(s->oracle.frames[i].told);
    free(s);
    return wrong;
}

// ---- tiny limits ----

static const char *check_limits(const struct tn_tf_buffer *buffer,
                                const struct tn_tf_buffer_options *options)
{
    struct tn_tf_frame_info info;
    uint32_t n_frames = 0, n_entries = 0;
    while (tn_tf_buffer_frame(buffer, n_frames, &info) == TN_OK) {
        n_frames++;
        n_entries += info.is_static ? 0 : info.n_entries;
        if (info.n_entries > 0 && info.parent[0] == '\0')
            return "a parent was forgotten before its children";
        if (!info.is_static && info.n_entries > options->max_frame_entries)
            return "a history is too long";
        if (!info.is_static && info.newest_ns - info.oldest_ns > options->cache_ns)
            return "a history goes too far back";
    }
    return n_frames > options->max_frames || n_entries > options->max_entries ? "too much is held"
                                                                              : NULL;
}

const char *tf_script_run_tiny(const uint8_t *data, size_t size)
{
    struct tn_tf_buffer_options options = {CACHE, 9 * S, 5, 7, 4};
    struct script s = {.data = data, .size = size, .now_ns = 5000 * S};
    if (tn_tf_buffer_create(&options, &s.buffer, NULL) != TN_OK)
        abort();
    const char *wrong = NULL;
    for (int i = 0; i < MAX_OPS && s.at < size && wrong == NULL; i++) {
        uint8_t op = next(&s);
        int parent = next(&s) % FRAMES, child = next(&s) % FRAMES;
        struct tn_tf_input in = input_of(names[parent], names[child], s.now_ns);
        in.stamp_ns = stamp_of(next(&s));
        in.T_parent_child = pose_of(op);
        in.is_static = op % 8 == 0;
        (void)tn_tf_buffer_insert(s.buffer, &in);
        s.now_ns += op % 16 == 1 ? 3 * S : 0;
        if (op % 64 == 2)
            tn_tf_buffer_clear(s.buffer);
        if (op % 64 == 3)
            insert_raw(&s);
        wrong = check_limits(s.buffer, &options);
        for (int k = 0; k < 4 && wrong == NULL; k++) {
            struct tn_tf_result found;
            if (tn_tf_buffer_lookup(s.buffer, names[(parent + k) % FRAMES], names[child],
                                    k == 1 ? in.stamp_ns : 0, &found, NULL) == TN_OK &&
                !tn_pose_is_finite(found.T_target_source))
                wrong = "a pose is not finite";
        }
    }
    tn_tf_buffer_destroy(&s.buffer);
    return wrong;
}
