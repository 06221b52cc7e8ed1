// Loaded into every thread of the measured service (`--import`): records the entry file of the thread, and writes the coverage
// since the last time when the main thread gets SIGUSR2.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { takeCoverage } from 'node:v8';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

writeFileSync(join(process.env.DEPTH_THREADS, String(threadId)), basename(process.argv[1] ?? ''));
const channel = new BroadcastChannel('take-coverage');
channel.onmessage = () => takeCoverage();
channel.unref();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    channel.postMessage('');
    takeCoverage();
  });
}
