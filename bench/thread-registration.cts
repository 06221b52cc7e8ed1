import { appendFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded (`--require`) into each thread of a measured service: writes lines "<thread id> <name>" to the file that
 * BENCH_THREADS_FILE names. Threads without a line belong to libuv's pool, which starts later.
 */
const file = process.env.BENCH_THREADS_FILE;

function register(ids: readonly string[], name: string): void {
  appendFileSync(file!, ids.map((id) => `${id} ${name}\n`).join(''));
}

if (file !== undefined) {
  const own = basename(readlinkSync('/proc/thread-self'));
  if (isMainThread) {
    register([own], 'serving-thread');
    // What exists before the program runs are the threads of V8.
    const others = readdirSync('/proc/self/task').filter((id) => id !== own);
    register(others, 'V8');
  } else {
    register([own], 'worker'); // A thread of the validation pool never gets further.
    setImmediate(() => register([own], basename(process.argv[1], '.js')));
  }
}
