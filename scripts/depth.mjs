/**
 * `npm run depth`: how many source files run for one request, by V8's own coverage in all threads of a service with a nearly
 * empty Grid. A file counts when one of its functions ran for each of three requests and none ran in idle
 * time; loading it does not count. What other parts of the service do later because of a request does not count either:
 * - after a span, a new alert rule or a query of the Grid the diagnostics thread refreshes the live diagnostics and evaluates
 *   the alert rules, so that thread counts only for requests that ask it, and what derives alerts from its results in the
 *   main thread does not count for a span. For a chat prompt, which asks the thread, such a refresh can run at the same
 *   time: then the figure is too large (about 35 files);
 * - the query that finds out whether the span is searchable is made after the measurement (`trace search` measures queries).
 * `-- --files` names the files.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = '/dist/src/';
/** Threads that write their coverage when asked: main, projector, reader, access, diagnostics. */
const THREADS = 5;
const REPETITIONS = 3;
const folder = mkdtempSync(join(tmpdir(), 'hindsight-depth-'));
const coverage = join(folder, 'coverage');
/** One file a thread, named by its id, with the name of its entry file. */
const threads = join(folder, 'threads');
mkdirSync(coverage);
mkdirSync(threads);
/** Ms within which a span is searchable, also on a busy machine. */
const SEARCHABLE_MS = 2000;

const service = await startService();
try {
  const goals = {
    diagnostic: 30,
    'trace search': 60,
    'span to searchable': 110,
    'create alert rule': 70,
    'chat prompt': 100,
  };
  const idle = await filesOfIdleTime(service.child); // before any connection, whose end is no idle work
  const api = await openApi(service);
  const rows = {};
  for (const [name, request] of Object.entries(requestsOf(api))) {
    await request.send(); // loads what is loaded on first use
    const files = (await filesOfEach(request)).filter((file) => !idle.has(file));
    rows[name] = { files: files.length, goal: goals[name] };
    if (process.argv.includes('--files')) console.log(`${name}:\n  ${files.join('\n  ')}`);
  }
  console.table(rows);
} finally {
  service.child.kill('SIGTERM');
  await service.exited;
  rmSync(folder, { recursive: true, force: true });
}

/** What polls and keeps time runs whether somebody asks or not. */
async function filesOfIdleTime(child) {
  await sleep(3000); // the start has ended
  await takeCoverage(child);
  await sleep(3000);
  return new Set(await takeCoverage(child));
}

/** Files that run for each of several such requests: what happens to run beside one of them does not count. */
async function filesOfEach({ send, check, reactingThreads = [], reactingFiles }) {
  let files;
  for (let n = 0; n < REPETITIONS; n++) {
    await sleep(1500); // what the last request started ends
    await takeCoverage(service.child);
    const result = await send();
    const found = await takeCoverage(service.child, reactingThreads);
    await check?.(result);
    files = files === undefined ? found : files.filter((file) => found.includes(file));
  }
  return reactingFiles === undefined ? files : files.filter((file) => !reactingFiles.test(file));
}

async function startService() {
  const child = spawn(
    process.execPath,
    ['--import', join(ROOT, 'scripts/depth/coverage-hook.mjs'), join(ROOT, 'dist/src/cli/main.js'), 'serve'],
    {
      env: {
        ...process.env,
        DATA_DIR: join(folder, 'data'),
        HTTP_PORT: '0',
        OTLP_HTTP_PORT: '0',
        OTLP_GRPC_PORT: '0',
        NODE_V8_COVERAGE: coverage,
        DEPTH_THREADS: threads,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const ports = await new Promise((resolve, reject) => {
    void exited.then((code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {};
      if (entry.message === 'listening') resolve(entry.fields);
    });
  });
  return { child, exited, ports };
}

/** Asks all threads for the coverage since the last time; the source files that ran in any but the excluded threads, sorted. */
async function takeCoverage(child, excludedThreads = []) {
  const before = new Set(coverageFiles());
  child.kill('SIGUSR2');
  let written = [];
  for (let last = -1; written.length < THREADS || written.length > last;) {
    last = written.length;
    await sleep(300); // until all have been written
    written = coverageFiles().filter((file) => !before.has(file));
  }
  const files = new Set();
  for (const file of written.filter((name) => !excludedThreads.includes(threadOf(name)))) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, file), 'utf8')).result) {
      if (url.includes(SOURCES) && functions.some(hasRun)) files.add(url.slice(url.indexOf(SOURCES) + SOURCES.length));
    }
  }
  return [...files].sort();
}

/** The entry file of the thread that wrote the coverage: Node names the files `coverage-<process>-<time>-<thread>.json`. */
function threadOf(coverageFile) {
  return readFileSync(join(threads, /-(\d+)\.json$/.exec(coverageFile)[1]), 'utf8');
}

function coverageFiles() {
  return readdirSync(coverage).filter((name) => name.endsWith('.json'));
}

/** The function that is the module itself starts at offset 0, and runs when the file is loaded. */
function hasRun({ ranges }) {
  return ranges[0].count > 0 && ranges[0].startOffset > 0;
}

async function openApi({ ports }) {
  const { gridId, apiKey } = JSON.parse(readFileSync(join(folder, 'data/bootstrap.json'), 'utf8'));
  const base = `http://127.0.0.1:${ports.httpPort}`;
  const signIn = await fetch(`${base}/auth/dev/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'hindsight-automation',
      client_secret: 'dev-secret',
      scope: 'api://iapm-api/.default',
    }),
  });
  const { access_token: token } = await signIn.json();
  const call = async (method, path, body, credentials = { 'api-key': apiKey }) => {
    const headers = { ...credentials, 'content-type': 'application/json', 'x-api-version': '2.0' };
    const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  };
  return {
    gridId,
    apiKey,
    call,
    owner: { authorization: `Bearer ${token}` },
    otlp: `http://127.0.0.1:${ports.otlpHttpPort}`,
  };
}

function requestsOf(api) {
  const { gridId, call, owner } = api;
  const search = (more = {}) =>
    call('POST', `/apm/traces/${gridId}`, {
      rangeStart: '2020-01-01T00:00:00Z',
      rangeEnd: '2100-01-01T00:00:00Z',
      serviceName: 'checkout',
      ...more,
    });
  return {
    'span to searchable': {
      send: async () => {
        const traceId = await sendSpan(api);
        await sleep(SEARCHABLE_MS);
        return traceId;
      },
      check: (traceId) => call('GET', `/apm/traces/${gridId}/correlations/${traceId}/spans`),
      reactingThreads: ['diagnostics-thread.js'],
      reactingFiles: /^(policies\/alert|diagnostics\/alerting\/)/,
    },
    diagnostic: { send: () => call('GET', `/apm/diagnostics/${gridId}/health`) },
    'trace search': {
      send: () => search({ status: 'ERROR', tags: { 'customer.tier': 'gold' } }),
      reactingThreads: ['diagnostics-thread.js'],
    },
    'create alert rule': {
      send: () =>
        call(
          'POST',
          `/admin/grids/${gridId}/alert-rules`,
          { name: `rule ${Math.random()}`, metric: 'error_rate', operator: '>', threshold: 5, severity: 'warning' },
          owner,
        ),
      reactingThreads: ['diagnostics-thread.js'],
    },
    'chat prompt': {
      send: async () => {
        const { instanceSecondaryId } = await call('POST', `/assistant/sessions/${gridId}`);
        await call('POST', `/assistant/chat/${instanceSecondaryId}`, {
          prompt: 'Which service has the highest error rate?',
        });
        await call('DELETE', `/assistant/sessions/${instanceSecondaryId}`);
      },
    },
  };
}

async function sendSpan({ otlp, apiKey }) {
  const hex = (digits) => Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  const [traceId, now] = [hex(32), BigInt(Date.now()) * 1_000_000n];
  const attributes = [{ key: 'customer.tier', value: { stringValue: 'gold' } }];
  const span = {
    traceId,
    spanId: hex(16),
    name: 'POST /pay',
    kind: 2,
    startTimeUnixNano: String(now - 250_000_000n),
    endTimeUnixNano: String(now),
    attributes,
    status: { code: 2 },
  };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] };
  const response = await fetch(`${otlp}/v1/traces`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }),
  });
  if (!response.ok) throw new Error(`the span was refused: ${response.status}`);
  return traceId;
}
