import assert from 'node:assert/strict';
import { Subject } from 'rxjs';
import type { Health } from '../../src/component.js';
import { createApp, type AppOptions } from '../../src/http/app.js';
import { LiveStreamHub } from '../../src/http/live/live-stream-hub.js';
import { buildOpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import { ROUTES } from '../../src/http/routes.js';
import { createApiServer, type ApiServer, type ApiServerOptions } from '../../src/http/api-server.js';
import type { ChangeHint } from '../../src/streams/live/live-feed.js';
import { DescribedApi } from './described-api.js';
import { credentialsOf, FakeAccess, fakeVerifier, type CallerName } from './fake-access.js';
import { fakeAdministration, type FakeAdministration, type FakeGrids } from './fake-administration.js';
import { FakeAlertRules } from './fake-alert-rules.js';
import { FakeAssistant } from './fake-assistant.js';
import { FakeAssistantCommands } from './fake-assistant-commands.js';
import type { FakeSlos } from './fake-slos.js';
import type { FakeViews } from './fake-views.js';
import type { FakeChartCommands } from './fake-chart-commands.js';
import { fakeCharts, type FakeCharts, type FakeRenderer } from './fake-charts.js';
import { FakeDiagnostics } from './fake-diagnostics.js';
import { FakeRecordRules } from './fake-record-rules.js';
import { fakeIncidents, type FakeIncidents } from './fake-incidents.js';
import { fakeNotifications, type FakeNotifications } from './fake-notifications.js';
import { FakeTelemetry } from './fake-telemetry.js';
import { FakeUsage } from './fake-usage.js';

export const PUBLIC_URL = 'https://hindsight.example/base';

export interface CallOptions {
  /** Default: `owner`. */
  readonly as?: CallerName;
  /** Version header; null: none. Default: `2.0`. */
  readonly version?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, a form as multipart, a string unchanged without a media type. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** `bytes` as UTF-8. */
  readonly text: string;
  /** The body as a JSON object; fails the test if it is none. */
  json(): Record<string, unknown>;
}

/** A running API server on fakes, and a client that sends version and credentials. */
export interface TestApi {
  readonly port: number;
  readonly server: ApiServer;
  readonly access: FakeAccess;
  readonly telemetry: FakeTelemetry;
  readonly diagnostics: FakeDiagnostics;
  readonly recordRules: FakeRecordRules;
  readonly alertRules: FakeAlertRules;
  readonly notifications: FakeNotifications;
  readonly incidents: FakeIncidents;
  readonly grids: FakeGrids;
  readonly administration: FakeAdministration;
  readonly charts: FakeCharts;
  readonly renderer: FakeRenderer;
  readonly chartCommands: FakeChartCommands;
  readonly views: FakeViews;
  readonly sloCommands: FakeSlos;
  readonly assistant: FakeAssistant;
  readonly assistantCommands: FakeAssistantCommands;
  readonly usage: FakeUsage;
  /** Source of change hints for the live streams. */
  readonly hints: Subject<ChangeHint>;
  readonly live: LiveStreamHub;
  /** Advances the clock of the live streams by a second. */
  tick(): void;
  /** Component states reported by `/ready`; tests may change them. */
  readonly checks: Map<string, Health>;
  readonly log: LogLine[];
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
}

export interface LogLine {
  readonly level: 'debug' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Starts an API server on fakes. Rate limits are off unless `overrides` set them. */
export async function startApi({
  limits,
  port: wanted = 0,
  ...overrides
}: Partial<AppOptions> & Partial<Pick<ApiServerOptions, 'limits' | 'port'>> = {}): Promise<TestApi> {
  const access = new FakeAccess();
  const telemetry = new FakeTelemetry();
  const diagnostics = new FakeDiagnostics();
  const recordRules = new FakeRecordRules();
  const alertRules = new FakeAlertRules();
  const ofGrids = fakeAdministration();
  const ofCharts = fakeCharts();
  const ofNotifications = { ...fakeNotifications(), ...fakeIncidents() };
  const ofAssistant = {
    assistant: new FakeAssistant(),
    assistantCommands: new FakeAssistantCommands(),
    usage: new FakeUsage(),
  };
  const hints = new Subject<ChangeHint>();
  let tick = (): void => undefined;
  const live = new LiveStreamHub({
    hints,
    diagnostics,
    maxStreamsPerGrid: 5,
    maxStreams: 6,
    every: (_ms, run) => ((tick = run), () => (tick = () => undefined)),
  });
  live.start();
  const checks = new Map<string, Health>([
    ['event-store', { ok: true }],
    ['read-models', { ok: true }],
  ]);
  const log: LogLine[] = [];
  const app = createApp({
    publicUrl: PUBLIC_URL,
    ports: {
      telemetry,
      diagnostics,
      recordRules,
      live,
      alertRules,
      ...ofGrids,
      ...ofCharts,
      ...ofNotifications,
      ...ofAssistant,
    },
    access,
    verifyBearer: fakeVerifier,
    rateLimits: { userPerMinute: 0, gridPerMinute: 0 },
    checks: async () => Object.fromEntries(checks),
    metrics: async () => 'hindsight_up 1\n',
    log: {
      debug: (message, fields = {}) => void log.push({ level: 'debug', message, fields }),
      warn: (message, fields = {}) => void log.push({ level: 'warn', message, fields }),
      error: (message, fields = {}) => void log.push({ level: 'error', message, fields }),
    },
    ...overrides,
  });
  const server = createApiServer({ app, bindAddress: '127.0.0.1', port: wanted, publicUrl: PUBLIC_URL, limits });
  const port = await server.listen();
  const checked = overrides.routes === undefined ? asDescribed : (reply: Reply): Reply => reply;
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Reply> =>
    checked(await send(`http://127.0.0.1:${port}${path}`, method, options), method, path);
  return {
    port,
    server,
    access,
    telemetry,
    diagnostics,
    recordRules,
    alertRules,
    ...ofGrids,
    ...ofCharts,
    ...ofNotifications,
    ...ofAssistant,
    hints,
    live,
    checks,
    log,
    call,
    tick: () => tick(),
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    stop: () => {
      live.stop();
      return server.close();
    },
  };
}

/** The OpenAPI document against which every response is validated. */
export const DESCRIBED = new DescribedApi(
  buildOpenApiDocument({
    publicUrl: PUBLIC_URL,
    otlpUrl: 'https://hindsight.example:4318',
    hasMetrics: true,
    routes: ROUTES,
  }),
);

/** Asserts that the response matches the OpenAPI document. */
function asDescribed(reply: Reply, method: string, path: string): Reply {
  DESCRIBED.check(method, path, reply);
  return reply;
}

async function send(
  url: string,
  method: string,
  { as = 'owner', version = '2.0', headers = {}, body }: CallOptions,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...credentialsOf(as),
      ...(version !== null && { 'X-Api-Version': version }),
      ...(body !== undefined &&
        typeof body !== 'string' &&
        !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: bytesOf(body) }),
  });
  return readReply(response);
}

function bytesOf(body: unknown): Uint8Array | FormData | string {
  if (body instanceof FormData) return body;
  return typeof body === 'string' ? Buffer.from(body) : JSON.stringify(body);
}

async function readReply(response: Response): Promise<Reply> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, bytes, text, json: () => asObject(text) };
}

function asObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  assert.ok(isObject(value), `expected a JSON object, got ${text.slice(0, 200)}`);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The variable members of a problem document. */
export interface ExpectedProblem {
  readonly status: number;
  readonly slug: string;
  /** The fields in `errors`, in any order; absent: no `errors` member. */
  readonly fields?: readonly string[];
}

/** Header values; null if absent. */
export function headersOf({ headers }: Reply, ...names: readonly string[]): (string | null)[] {
  return names.map((name) => headers.get(name));
}

/** The ETag; fails the test if there is none. */
export function tagOf({ headers }: Reply): string {
  return headers.get('etag') ?? assert.fail('no ETag');
}

/** Asserts a valid problem document: media type, exactly the specified members, and no internals. */
export function assertProblem(reply: Reply, { status, slug, fields }: ExpectedProblem, instance?: string): void {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.headers.get('content-type'), 'application/problem+json');
  const problem = reply.json();
  assert.equal(problem['type'], `${PUBLIC_URL}/problems/${slug}`);
  assert.equal(problem['status'], status);
  const members = ['type', 'title', 'status', 'detail', 'instance', ...(fields === undefined ? [] : ['errors'])];
  assert.deepEqual(Object.keys(problem), members);
  for (const member of ['title', 'detail', 'instance']) assert.equal(typeof problem[member], 'string', member);
  if (instance !== undefined) assert.equal(problem['instance'], instance);
  if (fields !== undefined)
    assert.deepEqual(
      faults(problem)
        .map((fault) => fault['field'])
        .sort(),
      [...fields].sort(),
    );
  assert.doesNotMatch(reply.text, /node_modules|\.js:\d+|<html/i);
}

/** The `errors` of a problem document; each must have a field and a message. */
export function faults(problem: Record<string, unknown>): Record<string, unknown>[] {
  const errors: unknown = problem['errors'];
  assert.ok(Array.isArray(errors));
  return errors.map((fault: unknown) => {
    assert.ok(isObject(fault) && typeof fault['field'] === 'string' && typeof fault['message'] === 'string');
    assert.deepEqual(Object.keys(fault), ['field', 'message']);
    return fault;
  });
}
