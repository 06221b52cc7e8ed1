import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Told } from './serve.js';

/** A test server with a process, and so a processor, of its own, and a memory that survives every service. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(name: 'eventstoredb' | 'mongodb'): Promise<ServerProcess> {
    const child = fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--max-old-space-size=4096'],
    });
    return new ServerProcess(child, (await told(child)).url!);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Breaks all its connections. Resolves when that is done. */
  async cut(): Promise<void> {
    const done = told(this.child);
    this.child.send('cut');
    await done;
  }

  async dispose(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

/** What it tells next; rejects when it ends instead. */
async function told(child: ChildProcess): Promise<Told> {
  const heard = new AbortController();
  const ended = once(child, 'exit', { signal: heard.signal }).then(([code]) =>
    Promise.reject<Told>(new Error(`a test server ended with ${code}`)),
  );
  const message = once(child, 'message').then(([first]) => first as Told);
  try {
    return await Promise.race([message, ended]);
  } finally {
    ended.catch(() => undefined); // nobody waits for its end any more
    heard.abort();
  }
}
