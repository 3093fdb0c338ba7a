/* `tenure completion`: scripts for shells, which ask `tenure completion words` what a line may go
 * on with. That is made from the tables that --help is made from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"

/* What is being typed: `word` begins with `fixed` bytes that all proposals share. */
typedef struct typed {
    tenure_context *ctx;
    const char *word;
    size_t fixed;
} typed;

static void propose(const typed *t, const char *a, const char *b, const char *end,
                    const char *what) {
    char rest[256];
    (void)snprintf(rest, sizeof rest, "%s%s%s", a, b, end);
    const char *have = t->word + t->fixed;
    if (strncmp(rest, have, strlen(have)) == 0) {
        printf("%.*s%s\t%.*s\n", (int)t->fixed, t->word, rest,
               what != NULL ? (int)strcspn(what, ";") : 0, what != NULL ? what : "");
    }
}

static void propose_choices(const typed *t, const char *before, const char *choices) {
    char one[64];
    while (choices != NULL && *choices != '\0') {
        size_t n = strcspn(choices, "|");
        (void)snprintf(one, sizeof one, "%.*s", (int)n, choices);
        propose(t, before, one, "", NULL);
        choices += n + (choices[n] == '|');
    }
}

static void propose_entries(const typed *t, tenure_list list, const char *end) {
    tenure_entry e = {.struct_size = sizeof e};
    for (size_t i = 0; tenure_list_get(t->ctx, list, i, &e); i++) {
        propose(t, e.name, "", end, e.summary);
    }
}

/* The options of the backend of that index, and what they may be. */
static void propose_backend_options(const typed *t, size_t index) {
    tenure_option o = {.struct_size = sizeof o};
    char before[64];
    for (size_t k = 0; tenure_list_option(t->ctx, TENURE_LIST_BACKENDS, index, k, &o); k++) {
        bool listed = o.kind == TENURE_OPTION_CHOICE || o.kind == TENURE_OPTION_FLAG;
        (void)snprintf(before, sizeof before, "%s=", o.name);
        propose(t, before, "", "", o.help);
        if (listed && strncmp(t->word + t->fixed, before, strlen(before)) == 0) {
            propose_choices(t, before, o.values);
        }
    }
}

/* KIND, or behind it a separator and its options. */
static void propose_backend(typed t, char separator) {
    tenure_entry e = {.struct_size = sizeof e};
    const char *kind = t.word + t.fixed, *end = strchr(kind, separator);
    size_t len = end != NULL ? (size_t)(end - kind) : 0;
    if (end != NULL) {
        t.fixed = (size_t)(strrchr(t.word, separator) + 1 - t.word);
    }
    for (size_t i = 0; tenure_list_get(t.ctx, TENURE_LIST_BACKENDS, i, &e); i++) {
        if (end == NULL) {
            propose(&t, e.name, "", separator == '.' && e.n_options > 0 ? "." : "", e.summary);
        } else if (strlen(e.name) == len && strncmp(e.name, kind, len) == 0) {
            propose_backend_options(&t, i);
        }
    }
}

static void propose_passes(typed t) {
    const char *comma = strrchr(t.word + t.fixed, ',');
    if (comma != NULL) {
        t.fixed = (size_t)(comma + 1 - t.word);
    }
    propose_entries(&t, TENURE_LIST_PIPELINES, "");
    propose_entries(&t, TENURE_LIST_PASSES, "");
}

static void propose_value(const typed *t, const tenure_option *o) {
    const char *arg = o->values != NULL ? o->values : "";
    if (strcmp(o->name, "emit") == 0 && o->kind != TENURE_OPTION_CHOICE) {
        propose_backend(*t, ',');
    } else if (strcmp(o->name, "emit-opt") == 0) {
        propose_backend(*t, '.');
    } else if (strcmp(arg, "PASS") == 0) {
        propose_entries(t, TENURE_LIST_PASSES, "");
    } else if (strcmp(arg, "PIPELINE") == 0) {
        propose_passes(*t);
    } else if (o->kind == TENURE_OPTION_CHOICE || o->kind == TENURE_OPTION_FLAG) {
        propose_choices(t, "", o->kind == TENURE_OPTION_FLAG ? "true|false" : o->values);
    } else if (o->kind == TENURE_OPTION_FILE || strcmp(arg, "FILE") == 0) {
        puts(":files");
    }
}

/* Whether the word is that option: --NAME, or its letter. */
static bool is_option(const tenure_option *o, const char *word, size_t len) {
    bool by_letter = len == 2 && word[0] == '-' && word[1] == o->letter;
    bool by_name = len > 2 && word[0] == '-' && word[1] == '-' &&
                   ((strlen(o->name) == len - 2 && strncmp(o->name, word + 2, len - 2) == 0) ||
                    (o->alias != NULL && strlen(o->alias) == len - 2 &&
                     strncmp(o->alias, word + 2, len - 2) == 0));
    return by_letter || by_name;
}

static bool find_option(const tenure_options *options, const char *word, size_t len,
                        tenure_option *out) {
    for (size_t i = 0; tenure_options_get(options, i, out); i++) {
        if (is_option(out, word, len)) {
            return true;
        }
    }
    return false;
}

static void propose_options(const typed *t, const tenure_options *options) {
    tenure_option o = {.struct_size = sizeof o};
    bool negated = strncmp(t->word, "--no", 4) == 0;
    for (size_t i = 0; tenure_options_get(options, i, &o); i++) {
        bool flag = o.kind == TENURE_OPTION_FLAG;
        if (o.name[1] == '\0') {
            propose_choices(t, t->word[1] != '-' ? "-O" : "--O", o.values);
            continue;
        }
        propose(t, "--", o.name, flag ? "" : "=", o.help);
        if (flag && negated) {
            propose(t, "--no-", o.name, "", NULL);
        }
    }
    propose(t, "--help", "", "", "print help");
}

static void propose_commands(const typed *t) {
    for (const tn_command *k = tn_commands; k->name != NULL; k++) {
        propose(t, k->name, "", "", k->summary);
    }
}

static void propose_argument(const typed *t, const tn_command *command) {
    if (command->run == tn_cmd_help || command->run == tn_cmd_man) {
        propose_commands(t);
    } else if (command->run == tn_cmd_completion) {
        propose_choices(t, "", "bash|zsh|fish");
    } else if (command->most > 0) {
        puts(":files");
    }
}

static void propose_first(const typed *t) {
    const char *name, *what;
    propose_commands(t);
    for (size_t i = 0; t->word[0] == '-' && tn_cli_global(i, &name, &what); i++) {
        propose(t, name, "", "", what);
    }
}

/* The last of the words behind a command's name, n of them. */
static void propose_last(typed t, const tn_command *command, const char *const *words, int n) {
    tenure_option o = {.struct_size = sizeof o};
    tenure_options *options = tenure_options_for(t.ctx, command->name);
    const char *before = n > 1 ? words[n - 2] : "", *equal = strchr(t.word, '=');
    if (equal != NULL && strncmp(t.word, "--", 2) == 0) {
        if (find_option(options, t.word, (size_t)(equal - t.word), &o)) {
            t.fixed = (size_t)(equal + 1 - t.word);
            propose_value(&t, &o);
        }
    } else if (find_option(options, before, strlen(before), &o) && o.kind != TENURE_OPTION_FLAG) {
        propose_value(&t, &o);
    } else if (t.word[0] == '-') {
        propose_options(&t, options);
    } else {
        propose_argument(&t, command);
    }
    tenure_options_free(options);
}

static void propose_words(tn_cli *c) {
    const char *const *words = c->args + 1;
    int n = c->n_args - 1;
    typed t = {c->ctx, n > 0 ? words[n - 1] : "", 0};
    const tn_command *command = n > 1 ? tn_cli_find(words[0]) : NULL;
    if (n <= 1) {
        propose_first(&t);
    } else if (command != NULL) {
        propose_last(t, command, words + 1, n - 1);
    }
}

/* Bash ends words at = and :, so what is before the last of them stands in the line already. */
static const char bash_script[] =
    "# bash completion for tenure\n"
    "_tenure() {\n"
    "    local words line word=\n"
    "    read -ra words <<<\"${COMP_LINE:0:COMP_POINT}\"\n"
    "    case ${COMP_LINE:0:COMP_POINT} in *[[:space:]]) words+=(\"\") ;; esac\n"
    "    word=${words[${#words[@]}-1]}\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            compopt -o filenames\n"
    "            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"${word##*=}\")\n"
    "        else\n"
    "            line=${line%%$'\\t'*}\n"
    "            [[ $line == *[=.] ]] && compopt -o nospace\n"
    "            COMPREPLY+=(\"${line#\"${word%\"${word##*[=:]}\"}\"}\")\n"
    "        fi\n"
    "    done < <(\"${words[0]}\" completion words -- \"${words[@]:1}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _tenure tenure\n";

static const char zsh_script[] =
    "#compdef tenure\n"
    "_tenure() {\n"
    "    local line\n"
    "    local -a proposed whole open\n"
    "    proposed=(\"${(@f)$(\"${(Q)words[1]}\" completion words -- \"${(@Q)words[2,CURRENT]}\" "
    "2>/dev/null)}\")\n"
    "    for line in $proposed; do\n"
    "        case $line in\n"
    "            (:files) compset -P '--*='; _files ;;\n"
    "            (*[=.]$'\\t'*) open+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "            (?*) whole+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "        esac\n"
    "    done\n"
    "    _describe tenure whole\n"
    "    _describe tenure open -S ''\n"
    "}\n"
    "if [[ $funcstack[1] == _tenure ]]; then _tenure \"$@\"; else compdef _tenure tenure; fi\n";

static const char fish_script[] =
    "# fish completion for tenure\n"
    "function __tenure_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l word (commandline -ct)\n"
    "    for line in ($words[1] completion words -- $words[2..-1] \"$word\" 2>/dev/null)\n"
    "        if test \"$line\" = :files\n"
    "            set -l before (string match -r '^--[^=]*=' -- \"$word\"; or echo)\n"
    "            for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "
    "\"$word\"))\n"
    "                echo $before$path\n"
    "            end\n"
    "        else\n"
    "            echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c tenure -f -a '(__tenure_complete)'\n";

tenure_status tn_cmd_completion(tn_cli *c) {
    static const char *const scripts[][2] = {
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    if (strcmp(c->args[0], "words") == 0) {
        propose_words(c);
        return tn_out_flush();
    }
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        if (strcmp(c->args[0], scripts[i][0]) == 0) {
            fputs(scripts[i][1], stdout);
            return tn_out_flush();
        }
    }
    return tn_cli_error(TENURE_USAGE, NULL, "there is completion for bash, zsh and fish, not '%s'",
                        c->args[0]);
}
