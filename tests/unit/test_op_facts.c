/* Files of kernels' facts: each mistake gives a message that names its place. */
#include "lib/op_facts.h"

#include "tests/unit/unit.h"

/* What stands in a file, and what the message must say behind "facts.json: error: ". */
typedef struct refusal {
    const char *text, *message;
} refusal;

#define OP(entry) "{\"tenure_facts\": 1, \"ops\": [{" entry "}]}"
#define GROUP(entry) "{\"tenure_facts\": 1, \"groups\": [{" entry "}]}"
#define OWN(entry)                                                                                 \
    OP("\"op\": \"Own\", \"sig\": \"X W? -> Y\", \"attrs\": \"axis:int=0 mode:string\", " entry)
#define BYTES(expr) OP("\"op\": \"Conv\", \"workspace\": [{\"bytes\": " expr "}]")

static const refusal files[] = {
    {"{", "not a JSON file of kernels' facts"},
    {"[]", "the top level is not an object"},
    {"{}", "tenure_facts"},
    {"{\"tenure_facts\": 2}", "tenure_facts: this version of tenure reads version 1"},
    {"{\"tenure_facts\": 1, \"op\": []}", "unknown key 'op'; did you mean 'ops'?"},
    {"{\"tenure_facts\": 1, \"ops\": {}}", "ops: expected"},
    {"{\"tenure_facts\": 1, \"ops\": [1]}", "ops[0]"},
    {"{\"tenure_facts\": 1, \"target\": 1}", "target: expected"},
    {"{\"tenure_facts\": 1, \"target\": {\"name\": 1}}", "target.name: expected"},
    {"{\"tenure_facts\": 1, \"target\": {\"cost\": 1}}", "target.cost: unknown key 'cost'"},
    {"{\"tenure_facts\": 1, \"target\": {\"name\": \"t\", \"consts\": {\"a\": 1.5}}}",
     "target.consts.a: expected"},
};

static const refusal ops[] = {
    {OP("\"since\": 1"), "ops[0].op: "},
    {OP("\"op\": \"Convv\""),
     "ops[0].op: the table has no op 'Convv'; did you mean 'Conv'?; an op of your own"},
    {OP("\"op\": \"Conv\", \"workspaec\": []"),
     "ops[0].workspaec: unknown key 'workspaec'; did you mean 'workspace'?"},
    {OP("\"op\": \"Conv\", \"since\": 0"), "ops[0].since: expected an integer between 1"},
    {OP("\"op\": \"Conv\", \"sig\": \"X -> Y\""),
     "ops[0].sig: the definition of 'Conv' says that already"},
    {OP("\"op\": \"Conv\", \"attrs\": \"\""), "ops[0].attrs: the definition"},
    {OP("\"op\": \"Conv\", \"traits\": []"), "ops[0].traits: the definition"},
    {OP("\"op\": \"Conv\", \"params\": \"W\""), "ops[0].params: the definition"},
    {OP("\"op\": \"Conv\", \"types\": {}"),
     "ops[0].types: types of results follow from the definition"},
    {OP("\"op\": \"Own\", \"sig\": \"X Y\""), "ops[0].sig: no '->'"},
    {OP("\"op\": \"Own\", \"sig\": \"X-Z -> Y\""), "ops[0].sig: 'X-Z' is not a name"},
    {OP("\"op\": \"Own\", \"sig\": \"X* Z -> Y\""),
     "ops[0].sig: 'Z' stands behind a name for any number"},
    {OP("\"op\": \"Own\", \"sig\": \"X -> Y\", \"attrs\": \"axis\""),
     "ops[0].attrs: 'axis' is not NAME:TYPE"},
    {OWN("\"params\": \"V\""), "ops[0].params: 'V' is not an operand of the op"},
    {OWN("\"traits\": [\"fast\"]"), "ops[0].traits: expected a list of elementwise"},
    {OWN("\"view\": \"part X\""), "ops[0].view: expected \"none\""},
    {OWN("\"view\": \"whole V\""), "ops[0].view: 'V' is not an operand of the op"},
    {OP("\"op\": \"Reshape\", \"view\": \"whole data\""),
     "ops[0].view: whether a result is a view follows"},
    {OWN("\"inplace\": \"Z over X (same)\""), "ops[0].inplace: 'Z' is not a result of the op"},
    {OWN("\"inplace\": \"Y under X (same)\""), "ops[0].inplace: behind 'Y' comes \"over\""},
    {OWN("\"inplace\": \"Y over V (same)\""), "ops[0].inplace: 'V' is not an operand of the op"},
    {OWN("\"inplace\": \"Y over (same)\""), "ops[0].inplace: no operand is named for 'Y'"},
    {OWN("\"inplace\": \"Y over X (maybe)\""), "ops[0].inplace: what 'Y' claims ends in (same)"},
    {OWN("\"inplace\": \"Y over X (must)\""), "ops[0].inplace: (must) is for definitions"},
    {OP("\"op\": \"Conv\", \"inplace\": \"Y over X (same)\""),
     "ops[0].inplace: the op is not element-wise"},
    {OP("\"op\": \"Shape\", \"shape_only\": \"V\""),
     "ops[0].shape_only: the op reads the elements of 'V'"},
    {OP("\"op\": \"Relu\", \"shape_only\": \"X\""),
     "ops[0].shape_only: the op reads the elements of 'X' by definition"},
};

static const refusal types[] = {
    {OWN("\"types\": []"), "ops[0].types: expected"},
    {OWN("\"types\": {\"Z\": {\"like\": \"X\"}}"), "ops[0].types.Z: no result of the op"},
    {OWN("\"types\": {\"Y\": {\"like\": \"V\"}}"), "ops[0].types.Y.like: expected an operand"},
    {OWN("\"types\": {\"Y\": {\"elem\": \"f33\", \"dims\": []}}"),
     "ops[0].types.Y.elem: expected an element type"},
    {OWN("\"types\": {\"Y\": {\"elem\": \"f32\"}}"),
     "ops[0].types.Y.dims: expected this key, or \"like\""},
    {OWN("\"types\": {\"Y\": {\"dims\": [1]}}"),
     "ops[0].types.Y.elem: expected this key, or \"like\""},
    {OWN("\"types\": {\"Y\": {\"elem\": \"f32\", \"dims\": [\"Y.d0\"]}}"),
     "results are not known here"},
    {OWN("\"types\": {\"Y\": {\"lkie\": \"X\"}}"), "ops[0].types.Y.lkie: unknown key"},
};

static const refusal expressions[] = {
    {OP("\"op\": \"Conv\", \"workspace\": {}"), "ops[0].workspace: expected"},
    {OP("\"op\": \"Conv\", \"workspace\": [{}]"), "ops[0].workspace[0].bytes: expected"},
    {OP("\"op\": \"Conv\", \"workspace\": [{\"bytes\": 1, \"size\": 2}]"),
     "ops[0].workspace[0].size: unknown key"},
    {OP("\"op\": \"Conv\", \"workspace\": [{\"bytes\": 1, \"when\": \"X.d\"}]"),
     "ops[0].workspace[0].when: 'X.d', byte 3: "},
    {OP("\"op\": \"Conv\", \"workspace\": [{\"bytes\": 9, \"cost\": 2}, {\"bytes\": 1, \"cost\": "
        "1}]"),
     "ops[0].workspace[1].cost: ways come in order of their cost"},
    {OP("\"op\": \"Conv\", \"kept\": [{\"bytes\": \"Z.n\"}]"),
     "ops[0].kept[0].bytes: 'Z.n', byte 0: the op has no operand"},
    {BYTES("1.5"), "ops[0].workspace[0].bytes: expected a number, or an expression"},
    {BYTES("\"\""), "byte 0: expected a number, a name or '('"},
    {BYTES("\"X.d1*\""), "'X.d1*', byte 5: expected a number, a name or '('"},
    {BYTES("\"X.d1 W.d0\""), "byte 5: expected an operator or the end"},
    {BYTES("\"(1\""), "byte 2: expected ')'"},
    {BYTES("\"1 ? 2\""), "byte 5: expected ':'"},
    {BYTES("\"min(1)\""), "byte 5: expected ','"},
    {BYTES("\"sin(1)\""), "byte 0: expected min, max, ceil, up or conv before '('"},
    {BYTES("\"X.size\""), "byte 2: expected d0, d[-1], rank, n, bytes, e or const"},
    {BYTES("\"X[a]\""), "byte 2: expected a number of at most 18 digits"},
    {BYTES("\"1234567890123456789\""), "byte 0: expected a number of at most 18 digits"},
    {BYTES("\"attr.axis\""), "byte 5: the op has no attribute of this name"},
    {BYTES("\"attr.auto_pad\""), "byte 5: only attributes that are whole numbers"},
    {BYTES("\"attr.pads\""), "byte 9: expected '['"},
    {BYTES("\"target.mve\""), "byte 7: the target has no constant of this name"},
    {BYTES("\"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1\""),
     "nested too deeply"},
};

#define FORMULA(text)                                                                              \
    OP("\"op\": \"Own\", \"sig\": \"X W V? more* -> Y\", \"attrs\": \"alpha:float=1 beta:float? "  \
       "mode:string=a\", \"shape_only\": \"W\", \"compute\": \"" text "\"")
#define NOT_ALWAYS "the operand is not always there"
#define NO_NUMBER "the attribute is not always a number"
#define TEN(text) text text text text text text text text text text

static const refusal formulas[] = {
    {OWN("\"compute\": 1"), "ops[0].compute: expected a string"},
    {FORMULA(""), "ops[0].compute: '', byte 0: expected a number, a name, '-' or '('"},
    {FORMULA("X +"), "'X +', byte 3: expected a number, a name"},
    {FORMULA("X ** 2"), "'X ** 2', byte 3: expected a number, a name"},
    {FORMULA("X alpha"), "'X alpha', byte 2: expected an operator or the end"},
    {FORMULA("X)"), "byte 1: expected an operator or the end"},
    {FORMULA("(X"), "byte 2: expected an operator or ')'"},
    {FORMULA("max(X)"), "byte 5: expected ',': the function takes 2 arguments"},
    {FORMULA("select(X, 1)"), "byte 11: expected ',': the function takes 3 arguments"},
    {FORMULA("exp(X, 1)"), "byte 5: expected an operator, or ')' behind the last argument"},
    {FORMULA("X * sigmod(X)"), "byte 4: there is no function 'sigmod', did you mean 'Sigmoid'?; "
                               "functions are add, sub, mul,"},
    {FORMULA("Add(X)"), "byte 0: there is no function 'Add', did you mean 'add'?; functions are"},
    {FORMULA("index(X, 3)"), "byte 0: there is no function 'index'"},
    {FORMULA("1 + Z"),
     "byte 4: the op has no operand or attribute 'Z'; it has X, W, V, more, alpha, beta, mode"},
    {FORMULA("X.d0"), "byte 0: the op has no operand or attribute 'X.d0'"},
    {FORMULA("X * W"), "byte 4: " NOT_ALWAYS},
    {FORMULA("X * V"), "byte 4: " NOT_ALWAYS},
    {FORMULA("X * more"), "byte 4: " NOT_ALWAYS},
    {FORMULA("X * beta"), "byte 4: " NO_NUMBER},
    {FORMULA("X * mode"), "byte 4: " NO_NUMBER},
    {FORMULA("1e999 * X"), "byte 0: the number is too large"},
    {FORMULA(TEN(TEN("(")) "X"), "byte 101: nested too deeply"},
    {FORMULA(TEN("Softsign(") "X" TEN(")")), "the formula becomes too large"},
    {FORMULA(TEN(TEN("X + 123456")) "X"), "ops[0].compute: a formula of at most 1000 bytes"},
    {OP("\"op\": \"Own\", \"sig\": \"X -> Y Z\", \"compute\": \"X\""),
     "ops[0].compute: a formula is for ops of one result"},
    {OWN("\"view\": \"whole X\", \"compute\": \"X\""),
     "ops[0].compute: the result is a view: nothing computes it"},
    {OWN("\"workspace\": [{\"bytes\": 1}], \"compute\": \"X\""),
     "ops[0].compute: what a formula computes needs no bytes"},
    {OP("\"op\": \"Relu\", \"compute\": \"X\""),
     "ops[0].compute: the table says what the op computes"},
    {OP("\"op\": \"TopK\", \"compute\": \"X\""), "ops[0].compute: the op is not element-wise"},
    {OP("\"op\": \"Bernoulli\", \"compute\": \"input\""),
     "ops[0].compute: the op gives random numbers"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", \"Relu\"], \"compute\": \"X\""),
     "groups[0].compute: only with \"sig\""},
};

static const refusal groups[] = {
    {GROUP("\"op\": \"F\""), "groups[0].op: a group has either \"chain\" or \"nodes\""},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", \"Relu\"], \"nodes\": [\"a\", \"b\"]"),
     "groups[0].op: a group has either"},
    {GROUP("\"op\": \"Conv\", \"chain\": [\"Conv\", \"Relu\"]"),
     "groups[0].op: the group would become an op that the table defines"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\"]"), "groups[0].chain: a group has two ops or more"},
    {GROUP("\"op\": \"F\", \"nodes\": [\"a\"]"), "groups[0].nodes: a group has two ops or more"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv?\", \"Relu\"]"),
     "groups[0].chain: the first op of a chain cannot be missing"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", 1]"), "groups[0].chain: expected a list of names"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", \"\"]"),
     "groups[0].chain: expected a list of names"},
    {GROUP("\"op\": \"F\", \"nodes\": [\"a\", \"b\"], \"takes\": \"Cast\""),
     "groups[0].takes: only chains take other ops"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", \"Relu\"], \"takes\": \"\""),
     "groups[0].takes: expected"},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", \"Relu\"], \"workspace\": [{\"bytes\": 1}]"),
     "groups[0].workspace: only with \"sig\""},
    {GROUP("\"op\": \"F\", \"chain\": [\"Conv\", \"Relu\"], \"node\": \"a\""),
     "groups[0].node: unknown key 'node'"},
};

typedef struct table {
    const refusal *rows;
    size_t n;
} table;

static tn_status parse(tn_ctx *ctx, void *arg) {
    const refusal *r = arg;
    return tn_op_facts_parse(ctx, "facts.json", r->text, strlen(r->text)) != NULL ? TN_OK
                                                                                  : TN_ERROR;
}

static uint32_t run(const table *t) {
    uint32_t wrong = 0;
    for (size_t i = 0; i < t->n; i++) {
        unit_log log;
        refusal r = t->rows[i];
        tn_ctx *ctx = unit_ctx(&log);
        bool read = tn_guard_run(ctx, parse, &r) == TN_OK;
        const char *end = strchr(log.text, '\n');
        if (read || strncmp(log.text, "facts.json", 10) != 0 ||
            strstr(log.text, r.message) == NULL || end == NULL || end[1] != '\0') {
            print_error("%s\n  wanted %s\n  got %s %s\n", r.text, r.message, log.text,
                        read ? "(read)" : "");
            wrong++;
        }
        tn_ctx_free(ctx);
    }
    return wrong;
}

#define TABLE(rows)                                                                                \
    { rows, sizeof rows / sizeof rows[0] }

static void test_refused(void **state) {
    static const table tables[] = {TABLE(files),       TABLE(ops),      TABLE(types),
                                   TABLE(expressions), TABLE(formulas), TABLE(groups)};
    uint32_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        wrong += run(&tables[i]);
    }
    assert_int_equal(wrong, 0);
}

/* A file without a mistake, cut off anywhere. */
static tn_status cut(tn_ctx *ctx, void *arg) {
    static const char good[] =
        OWN("\"types\": {\"Y\": {\"like\": \"X\"}}, \"workspace\": [{\"bytes\": \"up(X.n, 4)\"}]");
    (void)arg;
    assert_non_null(tn_op_facts_parse(ctx, "facts.json", good, strlen(good)));
    for (size_t n = 0; n < strlen(good); n++) {
        refusal r = {tn_arena_strndup(tn_arena_new(ctx), good, n), ""};
        assert_int_equal(tn_guard_run(ctx, parse, &r), TN_ERROR);
    }
    return TN_OK;
}
UNIT_TEST(cut)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
