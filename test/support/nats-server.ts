import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killOnExit } from './cluster/child-processes.js';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

const PROGRAM = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', 'nats-server'].find(
  (path) => !spawnSync(path, ['--version']).error,
);

/** Timeout (ms) for the greeting of a running server. */
const GREETS_WITHIN_MS = 500;

export const HAS_NATS = PROGRAM !== undefined;

/** Title suffix with the missing package. */
export const NATS_NEEDS = HAS_NATS ? '' : ' (apt-get install nats-server)';

/** A NATS server with JetStream as a child process, on a loopback port that remains the same across restarts. */
export class NatsServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly options: readonly string[],
    private readonly hasJetStream = true,
  ) {}

  /** @param options additional arguments of the program */
  static async start(...options: readonly string[]): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), mkdtempSync(join(tmpdir(), 'hindsight-nats-')), options);
    await server.start();
    return server;
  }

  static async startWithoutJetStream(): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), mkdtempSync(join(tmpdir(), 'hindsight-nats-')), [], false);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://${this.address}`;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const own = ['-a', '127.0.0.1', '-p', String(this.port), ...(this.hasJetStream ? ['-js', '-sd', this.folder] : [])];
    this.#process = spawn(PROGRAM!, [...own, ...this.options], { stdio: 'ignore' });
    killOnExit(this.#process);
    await waitUntil(() => connects(this.port), 'NATS takes connections');
  }

  /** Suspends the server: connections stay open without responses. Resolves when suspended. */
  async freeze(): Promise<void> {
    this.#process?.kill('SIGSTOP');
    await waitUntil(async () => !(await connects(this.port)), 'NATS hangs');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Kills the server and keeps its store. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Deletes the store of a killed server. */
  loseStore(): void {
    rmSync(join(this.folder, 'jetstream'), { recursive: true, force: true });
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function connects(port: number): Promise<boolean> {
  const socket = dial(port, '127.0.0.1');
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(GREETS_WITHIN_MS) });
    return true;
  } catch {
    // The port is closed or does not respond.
    return false;
  } finally {
    socket.destroy();
  }
}
