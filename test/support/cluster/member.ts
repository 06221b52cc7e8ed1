import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../wait-until.js';
import { killOnExit } from './child-processes.js';
import { freePorts } from './ports.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));
/** Timeout (ms), for a machine that is busy with other work. */
const START_MS = 120_000;

/** One process of a cluster. It keeps its ports, data folder and log file across restarts. */
export class Member {
  private child: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly ports: readonly number[],
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async prepare(name: string, environment: Readonly<Record<string, string>>): Promise<Member> {
    const folder = await mkdtemp(join(tmpdir(), `hindsight-${name}-`));
    await mkdir(join(folder, 'data'), { mode: 0o700 });
    return new Member(name, folder, await freePorts(3), environment);
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.ports[0]}`;
  }
  get otlpHttpUrl(): string {
    return `http://127.0.0.1:${this.ports[1]}`;
  }
  get otlpGrpcUrl(): string {
    return `http://127.0.0.1:${this.ports[2]}`;
  }
  get otlpHttpPort(): number {
    return this.ports[1];
  }
  get pid(): number {
    return this.child?.pid ?? 0;
  }
  get dataDir(): string {
    return join(this.folder, 'data');
  }
  get logFile(): string {
    return join(this.folder, 'log');
  }

  /** Environment of a CLI command that runs next to this process. */
  get settings(): Readonly<Record<string, string>> {
    const [HTTP_PORT, OTLP_HTTP_PORT, OTLP_GRPC_PORT] = this.ports.map(String);
    return { HTTP_PORT, OTLP_HTTP_PORT, OTLP_GRPC_PORT, DATA_DIR: this.dataDir, ...this.environment };
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * Resolves when the process is ready; rejects with the last lines of its log if it exits before. `more`: additional
   * environment of this start.
   */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.spawn(more);
    await this.whenReady();
  }

  /** Starts the process without waiting. */
  spawn(more: Readonly<Record<string, string>> = {}): void {
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const log = openSync(this.logFile, 'a');
    this.child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: { ...inherited, ...this.settings, ...more },
      stdio: ['ignore', 'ignore', log],
    });
    closeSync(log);
    killOnExit(this.child);
  }

  async whenReady(limitMs = START_MS): Promise<void> {
    const isReady = async (): Promise<boolean> => {
      if (!this.isRunning) throw new Error(`${this.name} has ended\n${this.logTail()}`);
      return (await fetch(`${this.apiUrl}/ready`).catch(() => undefined))?.status === 200;
    };
    await waitUntil(isReady, `${this.name} is ready\n`, limitMs).catch(async (error: Error) => {
      const answer = await fetch(`${this.apiUrl}/ready`).then((response) => response.text(), String);
      throw new Error(`${error.message}\n${answer}\n${this.logTail()}`, { cause: error });
    });
  }

  /** Sends a signal and resolves to the exit code when the process has exited; null if the signal killed it. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    if (child === undefined || !this.isRunning) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }

  get logText(): string {
    try {
      return readFileSync(this.logFile, 'utf8');
    } catch {
      return ''; // never started
    }
  }

  /** The last lines of its log. */
  logTail(lines = 15): string {
    return `${this.name}:\n${this.logText.trimEnd().split('\n').slice(-lines).join('\n')}`;
  }

  async dispose(): Promise<void> {
    await this.signal('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}
