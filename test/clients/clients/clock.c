/* The clock of a stage: every program that is started with this before its own libraries reads the time of day
   so many seconds ahead as a file says. How long things take (the other clocks, and with them all timers) stays
   as it is. Built and named by clock.ts. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long seconds_ahead(void) {
  const char *file = getenv("SECONDS_AHEAD");
  if (file == NULL) return 0;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  char text[32];
  long size = syscall(SYS_read, descriptor, text, sizeof text - 1);
  syscall(SYS_close, descriptor);
  text[size < 0 ? 0 : size] = '\0';
  return atol(text);
}

int clock_gettime(clockid_t which, struct timespec *now) {
  if (syscall(SYS_clock_gettime, which, now) != 0) return -1;
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) now->tv_sec += seconds_ahead();
  return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *also) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (also != NULL) *also = now.tv_sec;
  return now.tv_sec;
}
