/*
 * A disk under the program that loses power, breaks or is slow, by LD_PRELOAD. It knows of each database file what a disk
 * would still have after a cut: a shadow file that takes over writes when the file is synced, and not before.
 * Cut: the shadows, with any part of the writes not yet synced, take the place of the files, and the process is killed.
 * Shared memory (-shm) does not outlive a process, and unlinking counts as durable at once. Syncs do not reach the real
 * disk: what is durable is decided here.
 *
 * It checks itself, because a write that it takes for another file's would look like a loss of the program: whatever a
 * descriptor was, it counts only as the file that it is, and at a cut what is durable and what is not must add up to what
 * the program sees, byte for byte. Where they do not it ends the process with 97.
 *
 * DISK_DIR: folder whose files are watched. DISK_SHADOWS: folder of the shadows. DISK_CONTROL: file with `struct control`.
 * DISK_TRACE: file to append every operation to, as test/support/power-cut/trace.ts reads it; may be left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES 64
#define DESCRIPTORS 65536
#define SECTOR 512

/* Laid out as test/support/power-cut/faulty-disk.ts writes it. */
struct control {
  int32_t cut_after;    /* cut at so many writes and syncs from now; 0: never */
  uint32_t seed;        /* of what is kept of the writes that were not synced */
  int32_t sync_errno;   /* fails syncs: the writes before them are lost for good, as in Linux */
  int32_t sync_fails;   /* so many of them; -1: all */
  int32_t sync_delay;   /* ms */
  int32_t write_errno;  /* fails all writes that make a file longer */
  int32_t lies;         /* 1: syncs of the write-ahead log do nothing and say that they did, as synchronous=NORMAL */
  int32_t keep;         /* 1: a process that starts finds on the disk what its predecessor had synced, and no more */
  int32_t syncs;        /* counted here */
  char match[32];       /* faults hit files whose name ends like this; a cut hits all */
};

struct write { struct write *next; off_t at; size_t size; int truncate; char data[]; };
struct file { char path[PATH_MAX]; dev_t dev; ino_t ino; int shadow; int nameless; int astray; struct write *first, **last; };

/* An operation as it is traced; `size` bytes follow. */
struct operation { int32_t kind, file; int64_t at, size; };
enum { OPENED = 'o', CREATED = 'c', WRITTEN = 'w', TRUNCATED = 't', SYNCED = 's', UNSYNCED = 'f', NAMES_SYNCED = 'n', UNLINKED = 'u' };

static struct control *control;
static struct file files[FILES];
static int file_count;
static unsigned char file_of[DESCRIPTORS]; /* index + 1; FILES + 1 is the folder; a hint, see `find` */
static int trace = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *dir, *shadows;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void start(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  dir = getenv("DISK_DIR");
  shadows = getenv("DISK_SHADOWS");
  const char *name = getenv("DISK_CONTROL");
  int fd = name == NULL ? -1 : real_open(name, O_RDWR);
  if (fd < 0 || dir == NULL || shadows == NULL) { dir = NULL; return; }
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  real_close(fd);
  if (mapped == MAP_FAILED) dir = NULL;
  else control = mapped;
  const char *traced = getenv("DISK_TRACE");
  if (traced != NULL) trace = real_open(traced, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(int kind, const struct file *file, off_t at, const void *data, size_t size) {
  if (trace < 0) return;
  struct operation operation = { kind, file == NULL ? -1 : (int)(file - files), at, size };
  if (real_write(trace, &operation, sizeof operation) != sizeof operation) abort();
  if (real_write(trace, data, size) != (ssize_t)size) abort();
}

static int is_watched(const char *path) {
  if (dir == NULL || strncmp(path, dir, strlen(dir)) != 0) return 0;
  const char *name = strrchr(path, '/');
  return (strstr(name, "events.db") != NULL || strstr(name, "read-models.db") != NULL) && strstr(name, "-shm") == NULL;
}

static void shadow_name(char *out, const struct file *file) {
  snprintf(out, PATH_MAX, "%s%s", shadows, strrchr(file->path, '/'));
}

static void copy(int from, int to) {
  char buffer[65536];
  off_t at = 0;
  for (ssize_t n; (n = pread(from, buffer, sizeof buffer, at)) > 0; at += n) real_pwrite(to, buffer, n, at);
}

static void watch(int fd, const char *path, int created) {
  struct stat info;
  if (fd < 0 || fd >= DESCRIPTORS) return;
  file_of[fd] = 0; /* it may have been closed past us */
  if (fstat(fd, &info) != 0) return;
  if (S_ISDIR(info.st_mode)) { if (dir != NULL && strcmp(path, dir) == 0) file_of[fd] = FILES + 1; return; }
  if (!is_watched(path)) return;
  for (int i = 0; i < file_count; i++)
    if (files[i].ino == info.st_ino && files[i].dev == info.st_dev && files[i].shadow >= 0) { file_of[fd] = i + 1; return; }
  if (file_count == FILES) abort();
  struct file *file = &files[file_count++];
  char name[PATH_MAX];
  snprintf(file->path, PATH_MAX, "%s", path);
  file->dev = info.st_dev;
  file->ino = info.st_ino;
  file->nameless = created;
  file->last = &file->first;
  shadow_name(name, file);
  int known = control->keep && access(name, F_OK) == 0;
  file->shadow = real_open(name, known ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC, 0600);
  int source = real_open(path, O_RDONLY);
  if (file->shadow < 0 || source < 0) abort();
  if (!known) copy(source, file->shadow);
  file->astray = known;
  real_close(source);
  file_of[fd] = file_count;
  note(created ? CREATED : OPENED, file, 0, path, strlen(path));
}

/*
 * Descriptors are closed past us (libuv makes the system call itself) and then belong to files that are no concern of
 * ours: what was written to those once counted as written to the write-ahead log, and a cut took the log with it.
 */
static struct file *find(int fd) {
  struct stat info;
  if (dir == NULL || fd < 0 || fd >= DESCRIPTORS || file_of[fd] == 0 || file_of[fd] > FILES) return NULL;
  struct file *file = &files[file_of[fd] - 1];
  return file->shadow >= 0 && fstat(fd, &info) == 0 && info.st_ino == file->ino && info.st_dev == file->dev ? file : NULL;
}

static int is_folder(int fd) {
  struct stat info;
  return dir != NULL && fd >= 0 && fd < DESCRIPTORS && file_of[fd] == FILES + 1 && fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
}

static void apply(struct file *file, const struct write *write, size_t from, size_t to) {
  if (write->truncate) real_ftruncate(file->shadow, write->at);
  else real_pwrite(file->shadow, write->data + from, to - from, write->at + from);
}

static void forget(struct file *file) {
  for (struct write *each = file->first, *next; each != NULL; each = next) { next = each->next; free(each); }
  file->first = NULL;
  file->last = &file->first;
}

static void remember(struct file *file, const void *data, size_t size, off_t at, int truncate) {
  struct write *write = malloc(sizeof *write + size);
  *write = (struct write){ .at = at, .size = size, .truncate = truncate };
  if (size > 0) memcpy(write->data, data, size);
  *file->last = write;
  file->last = &write->next;
}

/* What of the writes since the last sync had reached the disk: nothing, all up to one that is torn, or any sectors. */
static void tear(struct file *file) {
  int count = 0;
  for (struct write *each = file->first; each != NULL; each = each->next) count++;
  int manner = rand_r(&control->seed) % 3, kept = count == 0 ? 0 : rand_r(&control->seed) % (count + 1);
  for (struct write *each = file->first; manner > 0 && each != NULL; each = each->next) {
    size_t sectors = (each->size + SECTOR - 1) / SECTOR;
    if (manner == 1 && kept-- > 0) apply(file, each, 0, each->size);
    else if (manner == 1) { if (sectors > 0) apply(file, each, 0, rand_r(&control->seed) % sectors * SECTOR); break; }
    else if (each->truncate) { if (rand_r(&control->seed) % 2) apply(file, each, 0, 0); }
    else for (size_t from = 0; from < each->size; from += SECTOR)
      if (rand_r(&control->seed) % 2) apply(file, each, from, from + SECTOR < each->size ? from + SECTOR : each->size);
  }
}

static void lost_track(const struct file *file, const char *why) {
  dprintf(2, "the disk of the test has lost track of %s: %s\n", file->path, why);
  _exit(97);
}

/* What the program would see of the file, made of what is durable and what is not; to be freed. */
static char *seen_of(const struct file *file, off_t *size) {
  struct stat kept;
  if (fstat(file->shadow, &kept) != 0) abort();
  off_t room = kept.st_size, end = kept.st_size;
  for (const struct write *each = file->first; each != NULL; each = each->next) if (each->at + (off_t)each->size > room) room = each->at + each->size;
  char *bytes = calloc(1, room + 1);
  for (off_t at = 0, n; at < end && (n = pread(file->shadow, bytes + at, end - at, at)) > 0; at += n);
  for (const struct write *each = file->first; each != NULL; each = each->next) {
    if (each->truncate && each->at < end) memset(bytes + each->at, 0, end - each->at);
    if (each->truncate) end = each->at;
    else memcpy(bytes + each->at, each->data, each->size);
    if (each->at + (off_t)each->size > end) end = each->at + each->size;
  }
  *size = end;
  return bytes;
}

static void prove_all_of(const struct file *file) {
  struct stat info;
  if (file->astray || file->shadow < 0) return;
  int fd = real_open(file->path, O_RDONLY);
  if (fd < 0 || fstat(fd, &info) != 0) lost_track(file, "it is gone");
  if (info.st_ino != file->ino || info.st_dev != file->dev) lost_track(file, "another file has its name");
  off_t size;
  char *expected = seen_of(file, &size), *seen = malloc(info.st_size + 1);
  if (size != info.st_size) lost_track(file, "it has another size");
  for (off_t at = 0, n; at < size && (n = pread(fd, seen + at, size - at, at)) > 0; at += n);
  if (memcmp(expected, seen, size) != 0) lost_track(file, "it has other bytes");
  free(expected);
  free(seen);
  real_close(fd);
}

static void cut(void) {
  for (int i = 0; i < file_count; i++) prove_all_of(&files[i]);
  for (int i = 0; i < file_count; i++) {
    struct file *file = &files[i];
    char name[PATH_MAX];
    if (file->shadow < 0) continue;
    tear(file);
    shadow_name(name, file);
    if (file->nameless && rand_r(&control->seed) % 2) real_unlink(file->path);
    else if (rename(name, file->path) != 0) abort();
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int is_hit(const struct file *file) {
  size_t length = strlen(file->path), end = strnlen(control->match, sizeof control->match);
  return end <= length && strncmp(file->path + length - end, control->match, end) == 0;
}

/* With the lock held; the cut comes before the write or sync that it is counted at. */
static void count_down(void) {
  if (control->cut_after > 0 && --control->cut_after == 0) cut();
}

static int refuses(const struct file *file, int fd, off_t end) {
  struct stat info;
  if (control->write_errno == 0 || !is_hit(file) || fstat(fd, &info) != 0 || end <= info.st_size) return 0;
  errno = control->write_errno;
  return 1;
}

static ssize_t write_at(struct file *file, int fd, const void *data, size_t size, off_t at) {
  pthread_mutex_lock(&lock);
  ssize_t done = -1;
  count_down();
  if (!refuses(file, fd, at + (off_t)size) && (done = real_pwrite(fd, data, size, at)) > 0) {
    remember(file, data, done, at, 0);
    note(WRITTEN, file, at, data, done);
  }
  pthread_mutex_unlock(&lock);
  return done;
}

/* After a sync the disk has what the program sees: looked at where it shows at once, at the size and at the start. */
static void prove(const struct file *file, int fd) {
  struct stat seen, kept;
  char ours[64] = { 0 }, theirs[64] = { 0 };
  if (file->astray || file->shadow < 0 || file->first != NULL) return;
  if (fstat(fd, &seen) != 0 || fstat(file->shadow, &kept) != 0 || pread(fd, theirs, sizeof theirs, 0) < 0) return;
  if (pread(file->shadow, ours, sizeof ours, 0) >= 0 && seen.st_size == kept.st_size && memcmp(ours, theirs, sizeof ours) == 0) return;
  lost_track(file, "a sync left something out");
}

static int sync_file(int fd) {
  struct file *file = find(fd);
  if (file != NULL && is_hit(file) && control->sync_delay > 0) usleep(control->sync_delay * 1000);
  pthread_mutex_lock(&lock);
  int result = 0;
  if (file != NULL) {
    count_down();
    control->syncs++;
    if (is_hit(file) && control->sync_errno != 0 && control->sync_fails != 0) {
      if (control->sync_fails > 0) control->sync_fails--;
      forget(file);
      file->astray = 1;
      note(UNSYNCED, file, 0, NULL, 0);
      errno = control->sync_errno;
      result = -1;
    } else if (!(control->lies && strstr(file->path, "events.db-wal") != NULL)) {
      for (struct write *each = file->first; each != NULL; each = each->next) apply(file, each, 0, each->size);
      forget(file);
      note(SYNCED, file, 0, NULL, 0);
      prove(file, fd);
    }
  } else if (is_folder(fd)) {
    for (int i = 0; i < file_count; i++) files[i].nameless = 0;
    note(NAMES_SYNCED, NULL, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static int open_watched(const char *path, int flags, mode_t mode) {
  if (dir == NULL || strncmp(path, dir, strlen(dir)) != 0) return real_open(path, flags, mode);
  pthread_mutex_lock(&lock);
  int created = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
  int fd = real_open(path, flags, mode);
  int error = errno;
  watch(fd, path, created);
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

static mode_t mode_of(int flags, va_list rest) { return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_watched(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_watched(path, flags, mode);
}

int close(int fd) {
  if (dir != NULL && fd >= 0 && fd < DESCRIPTORS) file_of[fd] = 0;
  return real_close(fd);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  struct file *file = find(fd);
  return file == NULL ? real_pwrite(fd, data, size, at) : write_at(file, fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }

ssize_t write(int fd, const void *data, size_t size) {
  struct file *file = find(fd);
  if (file == NULL) return real_write(fd, data, size);
  off_t at = lseek(fd, 0, SEEK_CUR);
  ssize_t done = write_at(file, fd, data, size, at);
  if (done > 0) lseek(fd, at + done, SEEK_SET);
  return done;
}

int ftruncate64(int fd, off64_t size) {
  struct file *file = find(fd);
  if (file == NULL) return real_ftruncate(fd, size);
  pthread_mutex_lock(&lock);
  count_down();
  int result = real_ftruncate(fd, size);
  if (result == 0) {
    remember(file, NULL, 0, size, 1);
    note(TRUNCATED, file, size, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int fdatasync(int fd) { return sync_file(fd); }

int fsync(int fd) { return sync_file(fd); }

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < file_count; i++)
    if (files[i].shadow >= 0 && strcmp(files[i].path, path) == 0) {
      char name[PATH_MAX];
      shadow_name(name, &files[i]);
      real_unlink(name);
      real_close(files[i].shadow);
      files[i].shadow = -1;
      forget(&files[i]);
      note(UNLINKED, &files[i], 0, NULL, 0);
    }
  int result = real_unlink(path);
  pthread_mutex_unlock(&lock);
  return result;
}
