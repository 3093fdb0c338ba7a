/* Breaks one rule of the planner after the other (passes/core/rules.h) and shows that each time the
 * rule's own test fails, and that the checker refuses a plan so made. Without a rule broken, all
 * tests pass in this program too. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "passes/core/rules.h"
#include "tests/unit/test_rules.c"

tn_kept_rule tn_broken_rule = TN_KEEP_ALL;

static const char *const rules[] = {
#define RULE(id, text) text,
#include "passes/core/rules.def"
#undef RULE
};

enum { N_TESTS = sizeof tests / sizeof tests[0] };
_Static_assert(N_TESTS == (int)TN_KEEP_ALL, "a test a rule");

/* What a run came to, as an exit code. */
enum { TEST_FAILED = 1, PLAN_REFUSED = 2 };

/* In a process of its own: a test that fails leaves its context behind. */
static int run_one(int test, tn_kept_rule broken) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        tn_broken_rule = broken;
        case_counts_bad = true;
        cmocka_set_message_output(CM_OUTPUT_TAP);
        if (freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL) {
            _exit(127);
        }
        const struct CMUnitTest one[] = {tests[test]};
        int failed = cmocka_run_group_tests(one, NULL, NULL);
        _exit((failed > 0 ? TEST_FAILED : 0) | (case_n_bad > 0 ? PLAN_REFUSED : 0));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        return -1;
    }
    return WEXITSTATUS(status);
}

int main(void) {
    int wrong = 0;
    for (int i = 0; i < N_TESTS; i++) {
        int kept = run_one(i, TN_KEEP_ALL), broken = run_one(i, (tn_kept_rule)i);
        bool good = kept == 0 && broken == (TEST_FAILED | PLAN_REFUSED);
        wrong += !good;
        printf("%s %2d %s: %s\n", good ? "ok  " : "FAIL", i + 1, tests[i].name, rules[i]);
        if (!good) {
            printf("       kept: %d, broken: %d; expected 0, and %d: the test fails (%d) and the "
                   "checker refuses (%d)\n",
                   kept, broken, TEST_FAILED | PLAN_REFUSED, TEST_FAILED, PLAN_REFUSED);
        }
    }
    printf("%d rules broken on purpose, %d noticed by their test and the checker\n", N_TESTS,
           N_TESTS - wrong);
    return wrong > 0;
}
