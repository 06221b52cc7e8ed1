// Loaded into every thread of the measured service (`--import`): writes the coverage since the last time when the main thread gets SIGUSR2.
import { takeCoverage } from 'node:v8';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const channel = new BroadcastChannel('take-coverage');
channel.onmessage = () => takeCoverage();
channel.unref();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    channel.postMessage('');
    takeCoverage();
  });
}
