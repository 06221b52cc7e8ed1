import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { Subject } from 'rxjs';
import { createApp } from '../src/http/app.js';
import { LiveStreamHub } from '../src/http/live/live-stream-hub.js';
import { createApiServer } from '../src/http/api-server.js';
import { liveDiagnosticsId } from '../src/read-models/documents/live-diagnostics-documents.js';
import type { ChangeHint } from '../src/streams/live/live-feed.js';
import { credentialsOf, FakeAccess, fakeVerifier, GRID_A } from '../test/support/fake-access.js';
import { fakeAdministration } from '../test/support/fake-administration.js';
import { FakeAlertRules } from '../test/support/fake-alert-rules.js';
import { FakeRecordRules } from '../test/support/fake-record-rules.js';
import { fakeIncidents } from '../test/support/fake-incidents.js';
import { fakeNotifications } from '../test/support/fake-notifications.js';
import { FakeAssistant } from '../test/support/fake-assistant.js';
import { FakeAssistantCommands } from '../test/support/fake-assistant-commands.js';
import { fakeCharts } from '../test/support/fake-charts.js';
import { FakeDiagnostics } from '../test/support/fake-diagnostics.js';
import { FakeTelemetry } from '../test/support/fake-telemetry.js';
import { FakeUsage } from '../test/support/fake-usage.js';
import { waitUntil } from '../test/support/wait-until.js';
import { percentile, type Measurement } from './measurement-table.js';

const CHANGES = 50;
const BYTES_PER_MB = 1024 * 1024;

/**
 * Cost of idle clients of the live stream in the serving process, and the time until a change reaches all of them. The
 * clients are a process of their own.
 */
export async function run(clients: number): Promise<Measurement[]> {
  const diagnostics = new FakeDiagnostics();
  const hints = new Subject<ChangeHint>();
  const hub = new LiveStreamHub({ hints, diagnostics });
  hub.start();
  const server = createApiServer({
    app: createBenchApp(hub, diagnostics),
    bindAddress: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost',
  });
  const port = await server.listen();
  await diagnostics.refresh(GRID_A, 'health', await diagnostics.health(GRID_A, {}));
  try {
    // Warm-up clients: code and pools are no cost of a client.
    await runWithClients(port, 100, hub, async () => undefined);
    const before = measureSettledMemory();
    return await runWithClients(port, clients, hub, async (received) => {
      const after = measureSettledMemory();
      const delays = await measureChangeLatencies(diagnostics, hints, received);
      return [
        { name: 'idle clients', value: clients, unit: 'streams' },
        {
          name: 'memory of all of them',
          value: (after.rss - before.rss) / BYTES_PER_MB,
          unit: 'MB',
          note: 'resident, goal < 40',
        },
        { name: 'heap of all of them', value: (after.heapUsed - before.heapUsed) / BYTES_PER_MB, unit: 'MB' },
        { name: 'a change reaches all, p50', value: percentile(delays, 50), unit: 'ms' },
        { name: 'a change reaches all, p99', value: percentile(delays, 99), unit: 'ms' },
      ];
    });
  } finally {
    hub.stop();
    await server.close();
  }
}

function createBenchApp(live: LiveStreamHub, diagnostics: FakeDiagnostics): ReturnType<typeof createApp> {
  const ofAssistant = {
    assistant: new FakeAssistant(),
    assistantCommands: new FakeAssistantCommands(),
    usage: new FakeUsage(),
  };
  const quiet = { debug: () => undefined, warn: () => undefined, error: () => undefined };
  return createApp({
    publicUrl: 'http://localhost',
    ports: {
      telemetry: new FakeTelemetry(),
      diagnostics,
      live,
      alertRules: new FakeAlertRules(),
      recordRules: new FakeRecordRules(),
      ...fakeAdministration(),
      ...fakeCharts(),
      ...fakeNotifications(),
      ...fakeIncidents(),
      ...ofAssistant,
    },
    access: new FakeAccess(),
    verifyBearer: fakeVerifier,
    rateLimits: { userPerMinute: 0, gridPerMinute: 0 },
    checks: async () => ({}),
    log: quiet,
  });
}

/**
 * Runs `work` while clients follow the stream; `work` receives a promise that resolves once all clients have received
 * some number of events.
 */
async function runWithClients<Result>(
  port: number,
  clients: number,
  hub: LiveStreamHub,
  work: (received: (events: number) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const child = fork(fileURLToPath(import.meta.url), [String(port), String(clients)]);
  try {
    await waitUntil(() => hub.size === clients, `${clients} clients follow`);
    let total = 0;
    child.on('message', (events: number) => (total = events));
    const received = async (events: number): Promise<void> => {
      while (total < events * clients) await once(child, 'message');
    };
    await received(1);
    return await work(received);
  } finally {
    child.kill();
    await waitUntil(() => hub.size === 0, 'all clients are gone');
  }
}

async function measureChangeLatencies(
  diagnostics: FakeDiagnostics,
  hints: Subject<ChangeHint>,
  received: (events: number) => Promise<void>,
): Promise<number[]> {
  const delays: number[] = [];
  const answer = diagnostics.documents.get(liveDiagnosticsId(GRID_A, 'health'))?.answer;
  for (let change = 1; change <= CHANGES; change++) {
    const { version } = await diagnostics.refresh(GRID_A, 'health', { ...answer, overallStatus: String(change) });
    const from = performance.now();
    hints.next({ topic: 'diagnosed', gridId: GRID_A, diagnostic: 'health', version });
    await received(1 + change);
    delays.push(performance.now() - from);
  }
  return delays;
}

function measureSettledMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage();
}

/** Client process: opens connections, reads, and reports the number of events received. */
function runClientProcess(port: number, clients: number): void {
  const credentials = Object.entries(credentialsOf('key'))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  let events = 0;
  for (let i = 0; i < clients; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /apm/diagnostics/${GRID_A}/stream?api-version=2.0 HTTP/1.1\r\nHost: bench\r\n${credentials}\r\n`);
    socket.on('data', (chunk) => {
      events += chunk.toString('latin1').split('event: ').length - 1;
      if (events % clients === 0) process.send?.(events);
    });
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  runClientProcess(Number(process.argv[2]), Number(process.argv[3]));
