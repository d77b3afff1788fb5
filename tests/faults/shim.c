/* Preloaded: one write of a chosen file stops early, as a disk, a signal or a death may have it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char suffix[256];
static int left;
static size_t most;
static int deadly;

/* The n-th write of a file whose path ends in `end` takes `bytes` bytes; then the process dies,
   or goes on as if nothing had happened. */
void shim_arm(const char *end, int n, size_t bytes, int kill_then)
{
    snprintf(suffix, sizeof suffix, "%s", end);
    left = n;
    most = bytes;
    deadly = kill_then;
}

static int meant(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0)
        return 0;
    path[size] = 0;
    size_t tail = strlen(suffix);
    return (size_t)size >= tail && strcmp(path + size - tail, suffix) == 0;
}

ssize_t write(int fd, const void *data, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (!real)
        real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (left <= 0 || !meant(fd) || --left > 0 || size <= most)
        return real(fd, data, size);
    ssize_t done = real(fd, data, most);
    if (deadly)
        kill(getpid(), SIGKILL);
    return done;
}
