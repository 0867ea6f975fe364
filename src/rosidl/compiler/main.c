// SPDX-License-Identifier: Apache-2.0
// tendon-rosidl: the interface compiler as a command
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rosidl/compiler/compiler.h"

// room for all interface texts of a large workspace
#define ARENA_SIZE ((size_t)64 << 20)

// packages without straight-line code
#define MAX_INTERPRETED 64

static const char usage[] =
    "usage: tendon-rosidl generate --root DIR… --include DIR --source DIR [--table NAME]\n"
    "           [--interpret PACKAGE…] PACKAGE…\n"
    "           writes DIR/<package>.h and DIR/<package>.c, and DIR/all_<NAME>.{h,c} with a table "
    "of\n"
    "           all messages; packages behind --interpret get no straight-line code\n"
    "       tendon-rosidl hash --root DIR… TYPE…\n"
    "           prints the type hash of pkg/msg/Type, pkg/srv/Name, pkg/srv/Name_Request, "
    "pkg/action/Name, …\n"
    "       tendon-rosidl hash --text TYPE [--root DIR…] [FILE]\n"
    "           the same for a \"ros2msg\" text with its dependencies (default: standard input)\n"
    "       tendon-rosidl list --root DIR… PACKAGE…\n"
    "           prints the messages, services and service parts of packages\n"
    "       tendon-rosidl idl --root DIR… TYPE…\n"
    "           prints OMG IDL with the type names of ROS 2\n"
    "Several roots are searched in their order; each holds "
    "<package>/{msg,srv,action}/<Type>.{msg,srv,action}.\n";

struct command {
    struct tn_idl idl;
    struct tn_error err;
    const char *include;
    const char *source;
    const char *text_type;
    const char *table;
    const char *interpreted[MAX_INTERPRETED]; ///< (n_interpreted)
    uint32_t n_interpreted;
    char **words;
    uint32_t n_words;
};

static enum tn_result load_packages(struct command *command)
{
    for (uint32_t i = 0; i < command->n_words; i++) {
        enum tn_result result =
            tn_idl_load_package(&command->idl, command->words[i], &command->err);
        if (result != TN_OK) {
            return result;
        }
    }
    return tn_idl_resolve(&command->idl, &command->err);
}

static enum tn_result load_types(struct command *command)
{
    for (uint32_t i = 0; i < command->n_words; i++) {
        enum tn_result result = tn_idl_load(&command->idl, command->words[i], &command->err);
        if (result != TN_OK) {
            return result;
        }
    }
    return tn_idl_resolve(&command->idl, &command->err);
}

typedef enum tn_result emit_fn(const struct tn_idl *idl, const char *package, FILE *out);

// writes DIRECTORY/PREFIX<name>SUFFIX, where `name` is that of a package or table
static enum tn_result write_file(struct command *command, const char *directory, const char *prefix,
                                 const char *name, const char *suffix, emit_fn *emit)
{
    char path[1024];
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        return tn_error_at(&command->err, TN_ERR_IO, directory, 0, 0, "cannot be made: %s",
                           strerror(errno));
    }
    snprintf(path, sizeof path, "%s/%s%s%s", directory, prefix, name, suffix);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return tn_error_at(&command->err, TN_ERR_IO, path, 0, 0, "cannot be written: %s",
                           strerror(errno));
    }
    enum tn_result result = emit(&command->idl, name, out);
    if (fclose(out) != 0 && result == TN_OK) {
        result = TN_ERR_IO;
    }
    if (result != TN_OK) {
        return tn_error_at(&command->err, result, path, 0, 0, "cannot be written: %s",
                           tn_result_text(result));
    }
    return TN_OK;
}

static enum tn_result write_table(struct command *command)
{
    enum tn_result result = write_file(command, command->include, "all_", command->table, ".h",
                                       tn_idl_emit_table_header);
    if (result == TN_OK) {
        result = write_file(command, command->source, "all_", command->table, ".c",
                            tn_idl_emit_table_source);
    }
    return result;
}

static enum tn_result run_generate(struct command *command)
{
    if (command->include == NULL || command->source == NULL) {
        return tn_error_set(&command->err, TN_ERR_INVALID_ARGUMENT,
                            "generate needs --include DIR and --source DIR");
    }
    enum tn_result result = load_packages(command);
    for (uint32_t i = 0; i < command->n_interpreted && result == TN_OK; i++) {
        result = tn_idl_interpret(&command->idl, command->interpreted[i], &command->err);
    }
    for (uint32_t i = 0; i < command->n_words && result == TN_OK; i++) {
        const char *package = command->words[i];
        result = write_file(command, command->include, "", package, ".h", tn_idl_emit_header);
        if (result == TN_OK) {
            result = write_file(command, command->source, "", package, ".c", tn_idl_emit_source);
        }
    }
    if (command->table != NULL && result == TN_OK) {
        result = write_table(command);
    }
    return result;
}

static enum tn_result print_hash(struct command *command, const char *full_name)
{
    char hash[TN_IDL_HASH_SIZE];
    const struct tn_idl_struct *type = tn_idl_find(&command->idl, full_name);
    enum tn_result result =
        type != NULL ? tn_idl_hash(&command->idl, type, hash) : TN_ERR_NOT_FOUND;
    if (result != TN_OK) {
        return tn_error_set(&command->err, result, "no hash for %.100s: %s", full_name,
                            tn_result_text(result));
    }
    printf("%s %s\n", full_name, hash);
    return TN_OK;
}

static enum tn_result read_text(struct command *command, FILE *in, const char *file)
{
    // schemas hold many texts
    size_t capacity = (size_t)16 * TN_IDL_MAX_TEXT;
    char *text = malloc(capacity);
    if (text == NULL) {
        return tn_error_set(&command->err, TN_ERR_NO_MEMORY, "no memory for %s", file);
    }
    size_t size = fread(text, 1, capacity, in);
    enum tn_result result =
        tn_idl_parse_schema(&command->idl, command->text_type, file, text, size, &command->err);
    free(text);
    return result;
}

static enum tn_result run_hash_text(struct command *command)
{
    const char *path = command->n_words > 0 ? command->words[0] : "standard input";
    FILE *in = command->n_words > 0 ? fopen(path, "r") : stdin;
    if (in == NULL) {
        return tn_error_at(&command->err, TN_ERR_IO, path, 0, 0, "cannot be opened: %s",
                           strerror(errno));
    }
    enum tn_result result = read_text(command, in, path);
    if (in != stdin) {
        fclose(in);
    }
    if (result == TN_OK) {
        result = tn_idl_resolve(&command->idl, &command->err);
    }
    return result == TN_OK ? print_hash(command, command->text_type) : result;
}

static enum tn_result run_hash(struct command *command)
{
    if (command->text_type != NULL) {
        return run_hash_text(command);
    }
    enum tn_result result = load_types(command);
    for (uint32_t i = 0; i < command->n_words && result == TN_OK; i++) {
        result = print_hash(command, command->words[i]);
    }
    return result;
}

static bool is_asked_for(const struct command *command, const char *package)
{
    for (uint32_t i = 0; i < command->n_words; i++) {
        if (strcmp(command->words[i], package) == 0) {
            return true;
        }
    }
    return false;
}

static enum tn_result run_list(struct command *command)
{
    enum tn_result result = load_packages(command);
    const struct tn_idl_struct *type = result == TN_OK ? command->idl.structs : NULL;
    for (; type != NULL; type = type->next) {
        if (is_asked_for(command, type->package)) {
            puts(type->full_name);
        }
    }
    return result;
}

static enum tn_result run_idl(struct command *command)
{
    enum tn_result result = load_types(command);
    const char **names = calloc(command->n_words + 1, sizeof *names);
    if (result == TN_OK && names != NULL) {
        for (uint32_t i = 0; i < command->n_words; i++) {
            names[i] = command->words[i];
        }
        result = tn_idl_emit_idl(&command->idl, names, command->n_words, stdout, &command->err);
    }
    free(names);
    return result;
}

static enum tn_result parse_options(struct command *command, int argc, char **argv)
{
    static const struct option options[] = {
        {"root", required_argument, NULL, 'r'},
        {"include", required_argument, NULL, 'i'},
        {"source", required_argument, NULL, 's'},
        {"text", required_argument, NULL, 't'},
        {"table", required_argument, NULL, 'a'},
        {"interpret", required_argument, NULL, 'n'},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'r':
            if (tn_idl_add_root(&command->idl, optarg, &command->err) != TN_OK) {
                return TN_ERR_LIMIT;
            }
            break;
        case 'i':
            command->include = optarg;
            break;
        case 's':
            command->source = optarg;
            break;
        case 'a':
            command->table = optarg;
            break;
        case 'n':
            if (command->n_interpreted == MAX_INTERPRETED) {
                return tn_error_set(&command->err, TN_ERR_LIMIT, "more than %d times --interpret",
                                    MAX_INTERPRETED);
            }
            command->interpreted[command->n_interpreted++] = optarg;
            break;
        case 't':
            command->text_type = optarg;
            break;
        default:
            return tn_error_set(&command->err, TN_ERR_INVALID_ARGUMENT, "unknown option\n%s",
                                "run tendon-rosidl without arguments for its usage");
        }
    }
    command->words = argv + optind;
    command->n_words = (uint32_t)(argc - optind);
    return TN_OK;
}

static enum tn_result run(struct command *command, const char *verb)
{
    if (strcmp(verb, "generate") == 0) {
        return run_generate(command);
    }
    if (strcmp(verb, "hash") == 0) {
        return run_hash(command);
    }
    if (strcmp(verb, "list") == 0) {
        return run_list(command);
    }
    if (strcmp(verb, "idl") == 0) {
        return run_idl(command);
    }
    return tn_error_set(&command->err, TN_ERR_INVALID_ARGUMENT,
                        "found command '%.40s', expected generate, hash, list or idl", verb);
}

int main(int argc, char **argv)
{
    struct tn_arena arena;
    struct command command = {0};
    if (argc < 2) {
        fputs(usage, stderr);
        return 2;
    }
    if (tn_arena_create(&arena, ARENA_SIZE) != TN_OK) {
        fputs("tendon-rosidl: not enough memory\n", stderr);
        return 1;
    }
    tn_idl_init(&command.idl, &arena);
    enum tn_result result = parse_options(&command, argc - 1, argv + 1);
    if (result == TN_OK) {
        result = run(&command, argv[1]);
    }
    if (result != TN_OK) {
        char text[TN_ERROR_TEXT_MAX + TN_ERROR_FILE_MAX + 64];
        fprintf(stderr, "%s\n", tn_error_format(&command.err, text, sizeof text));
    }
    tn_arena_destroy(&arena);
    return result == TN_OK ? 0 : 1;
}
