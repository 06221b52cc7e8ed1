import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.js';
import { waitUntil } from '../support/wait-until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Includes the check of the build; a loaded machine needs some seconds to start a service (ms). */
const READY_MS = 120_000;

/** Child process ids by parent process id. */
function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const line of execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')) {
    const [pid, parent, state] = line.trim().split(/\s+/);
    if (!state.startsWith('Z')) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(pid)]);
  }
  return children;
}

/** The process and its descendants, parents first. */
function processTree(pid: number, children = childrenByParent()): number[] {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => processTree(child, children))];
}

function isRunning(pid: number): boolean {
  return [...childrenByParent().values()].some((pids) => pids.includes(pid));
}

describe('npm start', function () {
  this.timeout(READY_MS + 60_000);
  let folder: string;
  let npm: ChildProcess;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-npm-'));
  });
  afterEach(() => {
    for (const pid of processTree(npm.pid!)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Resolves once the service is ready. */
  async function start(script: string): Promise<void> {
    const port = await freePort();
    const environment = {
      DATA_DIR: join(folder, 'data'),
      HTTP_PORT: String(port),
      OTLP_HTTP_PORT: '0',
      OTLP_GRPC_PORT: '0',
    };
    npm = spawn('npm', ['run', script], { cwd: ROOT, env: { ...process.env, ...environment }, stdio: 'ignore' });
    const isReady = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await waitUntil(isReady, 'the service is ready', READY_MS);
  }

  /** Starts the script once for each process of its chain, and sends one of the signals, in turn, to that process. */
  async function assertStopsAll(script: string, signals: readonly NodeJS.Signals[]): Promise<void> {
    for (let depth = 0; ; depth++) {
      await start(script);
      const tree = processTree(npm.pid!);
      const exited = once(npm, 'exit');
      process.kill(tree[depth], signals[depth % signals.length]);
      assert.deepEqual(await exited, [0, null], `process ${depth} of ${tree.length}`);
      await waitUntil(() => !tree.some(isRunning), 'nothing is left');
      if (depth === tree.length - 1) return;
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`stops all processes of npm run start and exits 0, whichever process receives ${signal}`, () =>
      assertStopsAll('start', [signal]));

  it('stops all processes of npm run demo and exits 0, whichever process receives SIGTERM or SIGINT', () =>
    assertStopsAll('demo', ['SIGTERM', 'SIGINT']));
});
