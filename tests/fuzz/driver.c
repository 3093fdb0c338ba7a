/* Replays files through a fuzz target: the corpora as an ordinary test. usage: replay_X FILE|DIR...
 */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    /* Exactly as long as the file, so that a sanitizer sees a read behind its end. */
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    if (size < 0 || data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 1;
}

static int replay(const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return replay_file(path);
    }
    int n = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char inside[4096];
        struct stat info;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (stat(inside, &info) == 0 && S_ISREG(info.st_mode)) {
            n += replay_file(inside);
        }
    }
    closedir(dir);
    return n;
}

int main(int argc, char **argv) {
    int n = 0;
    for (int i = 1; i < argc; i++) {
        n += replay(argv[i]);
    }
    printf("%d inputs replayed, %lu of them good\n", n, fuzz_accepted);
    return fuzz_accepted == 0;
}
