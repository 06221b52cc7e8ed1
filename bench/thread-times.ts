import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseCpuSeconds } from './service-metrics.js';

/** Environment of a service whose threads write their names to this file. */
export function createThreadRegistration(file: string): Record<string, string> {
  return {
    BENCH_THREADS_FILE: file,
    NODE_OPTIONS: `--require=${fileURLToPath(new URL('./thread-registration.cjs', import.meta.url))}`,
  };
}

/** What a thread is called in results, by the module that it runs. */
const THREAD_NAMES: Readonly<Record<string, string>> = {
  'append-worker': 'log writer',
  'checkpoint-worker': 'log checkpoints',
  worker: 'validation pool',
  'projector-thread': 'projector',
  'diagnostics-thread': 'diagnostics',
  V8: 'garbage collection and compiler',
};

/** User and system time (s) of a process by kind of thread. Threads that have ended are not included. */
export async function readThreadCpuSeconds(pid: number, registrationFile: string): Promise<Map<string, number>> {
  const lines = existsSync(registrationFile) ? (await readFile(registrationFile, 'utf8')).split('\n') : [];
  const names = new Map(lines.map((line) => line.split(' ', 2) as [string, string]));
  const seconds = new Map<string, number>();
  for (const id of await readdir(`/proc/${pid}/task`)) {
    const stat = await readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) continue;
    const module = names.get(id) ?? 'thread pool of libuv';
    const name = THREAD_NAMES[module] ?? module;
    seconds.set(name, (seconds.get(name) ?? 0) + parseCpuSeconds(stat));
  }
  return seconds;
}
