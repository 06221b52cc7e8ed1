import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readEnvironment, readSettings } from '../src/config/settings.js';

const PROGRAM = fileURLToPath(new URL('../../bin/hindsight.js', import.meta.url));

/** A running Hindsight and how to reach its first Grid. */
export interface DemoService {
  readonly apiUrl: string;
  /**
   * Link that signs in to the portal as Owner of the first Grid; absent without a portal or with a real identity
   * provider.
   */
  readonly portalLink?: string;
  readonly otlpUrl: string;
  readonly gridId: string;
  readonly apiKey: string;
  /** Resolves to the exit code when the service has ended. */
  readonly ended: Promise<number>;
  stop(): Promise<number>;
}

interface ListeningPorts {
  readonly httpPort: number;
  readonly otlpHttpPort: number;
  readonly portal?: string;
}

/** Starts the service with the settings of the environment, as `npm start` does. Rejects when it does not start. */
export async function startService(): Promise<DemoService> {
  const settings = readSettings(readEnvironment());
  // In a process group of its own, Ctrl-C stops the shop first: it sends its last telemetry before the service stops.
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { stdio: ['ignore', 'inherit', 'pipe'], detached: true });
  process.once('exit', () => child.kill());
  const ended = once(child, 'exit').then(([code]) => (code as number | null) ?? 1);
  const { httpPort, otlpHttpPort, portal } = await waitUntilListening(child, ended);
  const { gridId, apiKey } = await readFirstGrid(settings.dataDir);
  const host = settings.bindAddress === '0.0.0.0' || settings.bindAddress === '::' ? '127.0.0.1' : settings.bindAddress;
  const stop = (): Promise<number> => {
    child.kill('SIGTERM');
    return ended;
  };
  const portalLink =
    portal === undefined || settings.authUrl !== undefined || settings.production
      ? undefined
      : new URL(`sign-in?return=/portal/&user=${encodeURIComponent(settings.bootstrapOwner)}`, portal).href;
  return {
    portalLink,
    apiUrl: `http://${host}:${httpPort}`,
    otlpUrl: `http://${host}:${otlpHttpPort}`,
    gridId,
    apiKey,
    ended,
    stop,
  };
}

/** Passes on the log of the service and reads its ports from it. */
function waitUntilListening(child: ChildProcess, ended: Promise<number>): Promise<ListeningPorts> {
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`The service ended with status ${code}; see its log above`)));
    createInterface({ input: child.stderr! }).on('line', (line) => {
      process.stderr.write(`${line}\n`);
      const ports = parseListening(line);
      if (ports !== undefined) resolve(ports);
    });
  });
}

function parseListening(line: string): ListeningPorts | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { message: string; fields: ListeningPorts };
  return entry.message === 'listening' ? entry.fields : undefined;
}

async function readFirstGrid(dataDir: string): Promise<{ gridId: string; apiKey: string }> {
  const file = join(dataDir, 'bootstrap.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { gridId: string; apiKey: string };
  } catch (cause) {
    throw new Error(`Cannot read the API key of the first Grid from ${file}. Choose another DATA_DIR.`, { cause });
  }
}

/** Queries a diagnostic of the first Grid. Rejects with the response unless its status is 200. */
export async function fetchDiagnostic<Answer>(service: DemoService, suffix: string): Promise<Answer> {
  const response = await fetch(diagnosticUrl(service, suffix), { headers: { 'api-key': service.apiKey } });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`/${suffix} responded with status ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Answer;
}

/** The same query as a shell command. */
export function formatCurl(service: DemoService, suffix: string): string {
  return `curl -s -H 'api-key: ${service.apiKey}' '${diagnosticUrl(service, suffix)}'`;
}

function diagnosticUrl({ apiUrl, gridId }: DemoService, suffix: string): string {
  return `${apiUrl}/apm/diagnostics/${gridId}/${suffix}?api-version=2.0`;
}

/** A Hindsight that already runs; its first Grid comes from the BOOTSTRAP settings. Throws when they are missing. */
export function createExternalService({
  otlpUrl,
  apiUrl,
}: {
  readonly otlpUrl: string;
  readonly apiUrl: string;
}): DemoService {
  const { bootstrapGridId: gridId, bootstrapApiKey } = readSettings(readEnvironment());
  if (gridId === undefined || bootstrapApiKey === undefined)
    throw new Error('--to requires BOOTSTRAP_GRID_ID and BOOTSTRAP_API_KEY of that Hindsight');
  return {
    otlpUrl,
    apiUrl,
    gridId,
    apiKey: bootstrapApiKey.reveal(),
    ended: new Promise(() => undefined),
    stop: () => Promise.resolve(0),
  };
}
