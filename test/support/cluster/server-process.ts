import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerMessage, ServerRequest } from './test-server.js';

/** A test server in a separate process, so that it uses another core and its data outlives the service. */
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
    return new ServerProcess(child, (await nextMessage(child)).url!);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Closes all its connections; resolves when done. */
  cut(): Promise<void> {
    return this.request('cut');
  }

  /** Closes all its connections and rejects new ones until `comeBack`; it keeps its data. */
  goAway(): Promise<void> {
    return this.request('goAway');
  }

  comeBack(): Promise<void> {
    return this.request('comeBack');
  }

  /** Stops the process until `thaw`: connections stay open, and new ones are accepted by the system, without responses. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async dispose(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private async request(request: ServerRequest): Promise<void> {
    const done = nextMessage(this.child);
    this.child.send(request);
    await done;
  }
}

/** The next message of the process; rejects if it exits before. */
async function nextMessage(child: ChildProcess): Promise<ServerMessage> {
  const received = new AbortController();
  const ended = once(child, 'exit', { signal: received.signal }).then(([code]) =>
    Promise.reject<ServerMessage>(new Error(`a test server ended with ${code}`)),
  );
  const message = once(child, 'message').then(([first]) => first as ServerMessage);
  try {
    return await Promise.race([message, ended]);
  } finally {
    ended.catch(() => undefined); // its end is no longer awaited
    received.abort();
  }
}
