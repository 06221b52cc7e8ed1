import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));
/** The same program, from compiled modules in place of the bundle: failpoints are planted in modules. */
const UNBUNDLED_PROGRAM = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Timeout (ms): a cluster grants its first leases after about 7 s on an idle machine. */
const FIRST_GRID_MS = 40_000;

interface Listening {
  readonly httpPort: number;
  readonly otlpHttpPort: number;
  readonly otlpGrpcPort: number;
}

export interface Bootstrap {
  readonly gridId: string;
  readonly apiKey: string;
}

/** A separate Hindsight process on a data folder, with free ports. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private listeningAt: Listening | undefined;
  /** Lines of the process log so far. */
  readonly logLines: string[] = [];

  private constructor(
    readonly dataDir: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly program: string,
  ) {}

  /** Creates a data folder unless the environment has DATA_DIR; does not start the process. */
  static async prepare(
    environment: Readonly<Record<string, string>> = {},
    program: string = PROGRAM,
  ): Promise<ServiceProcess> {
    const dataDir = environment.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'hindsight-e2e-')));
    return new ServiceProcess(dataDir, environment, program);
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.prepare(environment);
    await service.start();
    return service;
  }

  /** Resolves when the process is ready. `more`: additional environment of this start. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const program = more.FAILPOINT === undefined ? this.program : UNBUNDLED_PROGRAM;
    const child = spawn(process.execPath, [program, 'serve'], {
      env: {
        ...inherited,
        HTTP_PORT: '0',
        OTLP_HTTP_PORT: '0',
        OTLP_GRPC_PORT: '0',
        DATA_DIR: this.dataDir,
        ...this.environment,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout.resume();
    this.listeningAt = await new Promise<Listening>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        this.logLines.push(line);
        const listening = listeningOf(line);
        if (listening !== undefined) resolve(listening);
      });
      child.once('exit', (code) =>
        reject(new Error(`the service ended with ${code}:\n${this.logLines.slice(-5).join('\n')}`)),
      );
    });
    await waitUntil(async () => (await fetch(`${this.apiUrl}/ready`)).status === 200, 'the service is ready');
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.ports.httpPort}`;
  }
  get otlpHttpUrl(): string {
    return `http://127.0.0.1:${this.ports.otlpHttpPort}`;
  }
  get otlpGrpcUrl(): string {
    return `http://127.0.0.1:${this.ports.otlpGrpcPort}`;
  }
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get ports(): Listening {
    if (this.listeningAt === undefined) throw new Error('the service has not started');
    return this.listeningAt;
  }

  /** The first Grid; in a cluster it is created once leases are granted, some seconds after the start. */
  async bootstrap(): Promise<Bootstrap> {
    const file = join(this.dataDir, 'bootstrap.json');
    await waitUntil(() => existsSync(file), 'the first Grid is made', FIRST_GRID_MS);
    return JSON.parse(await readFile(file, 'utf8')) as Bootstrap;
  }

  /** Sends a signal and resolves to the exit code when the process has exited; null if a signal killed it. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }

  /** Resolves to the exit code when the process exits on its own; null if a signal killed it. */
  async ended(): Promise<number | null> {
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  /** Stops the process and removes its folder. */
  async dispose(): Promise<void> {
    await this.signal('SIGKILL');
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

function listeningOf(line: string): Listening | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { message: string; fields: Listening };
  return entry.message === 'listening' ? entry.fields : undefined;
}
