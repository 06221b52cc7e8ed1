import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from './cluster/children.js';
import { freePort } from './free-port.js';
import { until } from './service.js';

const PROGRAM = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', 'nats-server'].find(
  (path) => !spawnSync(path, ['--version']).error,
);

/** A server that is there greets whoever connects at once. */
const GREETS_WITHIN_MS = 500;

export const HAS_NATS = PROGRAM !== undefined;

/** For titles: what to do for the tests to run. */
export const NATS_NEEDS = HAS_NATS ? '' : ' (apt-get install nats-server)';

/** A server of NATS with JetStream as a child process, on a loopback port that it keeps over restarts. */
export class NatsServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly options: readonly string[],
    private readonly hasJetStream = true,
  ) {}

  /** `options`: further arguments of the program. */
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

  /** Resolves when the server takes connections. */
  async start(): Promise<void> {
    const own = ['-a', '127.0.0.1', '-p', String(this.port), ...(this.hasJetStream ? ['-js', '-sd', this.folder] : [])];
    this.#process = spawn(PROGRAM!, [...own, ...this.options], { stdio: 'ignore' });
    endWithUs(this.#process);
    await until(() => connects(this.port), 'NATS takes connections');
  }

  /** As a server that hangs: connections stay open, nothing is answered. Resolves when that is so. */
  async freeze(): Promise<void> {
    this.#process?.kill('SIGSTOP');
    await until(async () => !(await connects(this.port)), 'NATS hangs');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** As by a power cut, its store kept. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** What a server keeps is gone; only while it is dead. */
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
    // Nobody listens, or nobody answers.
    return false;
  } finally {
    socket.destroy();
  }
}
