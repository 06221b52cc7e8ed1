import {
  atClock,
  byResource,
  createId,
  pick,
  random,
  send,
  toAttributes,
  toException,
  toNanos,
  toText,
  type Sent,
  type Values,
} from './blind-sending.js';

/**
 * Sends `picking-api` beside the services of the demo and of blind-telemetry.ts, from 11:00 UTC of the day on, with
 * words that no other service has. Its version 3.3.0 (12:15) is slow for one model of scanners; one site had no
 * scanners from 13:00 to 13:25.
 */
const CHUNK_MS = 60_000;
const STEP_MS = 1_300;
const SERVICE = 'picking-api';

const [START, DEPLOYED, SCANNERS_LOST, SCANNERS_FOUND] = ['11:00', '12:15', '13:00', '13:25'].map(atClock);

interface Picked {
  readonly resource: Values;
  readonly ids: { readonly traceId: string; readonly spanId: string };
  readonly ms: number;
  readonly durationMs: number;
}

function receive(ms: number, spans: Sent[], logs: Sent[]): void {
  const [site, scanner] = [pick(['gdansk', 'leipzig', 'leipzig', 'porto']), pick(['zx-9', 'zx-9', 'mt-200'])];
  const version = ms >= DEPLOYED ? '3.3.0' : '3.2.0';
  const operation = pick(['POST /picks', 'POST /picks', 'POST /scans', 'GET /shelves/{shelf}']);
  const isFailed = site === 'gdansk' && ms >= SCANNERS_LOST && ms < SCANNERS_FOUND && random() < 0.6;
  const isConflict = !isFailed && operation === 'POST /picks' && random() < 0.08;
  const isSlow = version === '3.3.0' && scanner === 'mt-200';
  const durationMs = 15 + random() * 45 + (isSlow ? 250 + random() * 300 : 0);
  const instance = `picking-${site}-${1 + Math.floor(random() * 2)}`;
  const resource = { 'service.name': SERVICE, 'service.version': version, 'service.instance.id': instance, site };
  const ids = { traceId: createId(16), spanId: createId(8) };
  const [method, route] = operation.split(' ');
  const request = {
    ...{ 'http.request.method': method, 'http.route': route, 'scanner.model': scanner },
    ...{ 'carrier.code': pick(['ups', 'gls', 'dpd']), 'picker.shift': pick(['early', 'late']) },
    ...{ 'order.express': random() < 0.25, 'parcel.weight': Math.floor(100 + random() * 9_900) },
    'http.response.status_code': isFailed ? 503 : isConflict ? 409 : 201,
    ...(random() < 0.6 && { 'voucher.id': `v${Math.floor(random() * 30)}` }),
  };
  const message = `no scanner answers at ${site}`;
  const end = ms + durationMs;
  spans.push({
    resource,
    record: {
      ...{ ...ids, name: operation, kind: 2, startTimeUnixNano: toNanos(ms), endTimeUnixNano: toNanos(end) },
      status: isFailed ? { code: 2, message } : {},
      events: isFailed ? [toException('ScannerOffline', message, end - 1)] : [],
      attributes: toAttributes(request),
    },
  });
  if (!isFailed) callDependencies({ resource, ids, ms, durationMs }, operation, spans);
  const [level, text] = isFailed
    ? [17, message]
    : random() < 0.1
      ? [13, `shelf L-${1 + Math.floor(random() * 40)} is nearly empty`]
      : [9, `${operation.toLowerCase()} done`];
  const log = { timeUnixNano: toNanos(end), ...ids, ...toText(level, text, { 'scanner.model': scanner }) };
  logs.push({ resource, record: log });
}

/** A query of its database in each request, and a label in each pick. */
function callDependencies({ resource, ids, ms, durationMs }: Picked, operation: string, spans: Sent[]): void {
  const call = (name: string, share: number, attributes: Values): void => {
    const times = { startTimeUnixNano: toNanos(ms + 2), endTimeUnixNano: toNanos(ms + 2 + durationMs * share) };
    const record = { traceId: ids.traceId, spanId: createId(8), parentSpanId: ids.spanId, name, kind: 3, ...times };
    spans.push({ resource, record: { ...record, status: {}, attributes: toAttributes(attributes) } });
  };
  const verb = operation.startsWith('GET') ? 'SELECT' : 'UPDATE';
  const shelves = { 'db.system.name': 'postgresql', 'db.namespace': 'shelves_db', 'db.operation.name': verb };
  call(`${verb} shelves`, 0.3, shelves);
  if (operation === 'POST /picks') call('print label', 0.5, { 'peer.service': 'label-printer', 'rpc.system': 'grpc' });
}

async function sendMetrics(toMs: number): Promise<void> {
  const timeUnixNano = toNanos(toMs - 500);
  const batteries = ['r1', 'r2', 'r3'].map((robot, at) => ({
    ...{ timeUnixNano, asDouble: 20 + at * 25 + random() * 20, attributes: toAttributes({ 'robot.id': robot }) },
  }));
  const sorted = ['gdansk', 'leipzig', 'porto'].map((site) => ({
    ...{ startTimeUnixNano: toNanos(toMs - 3_000), timeUnixNano, asInt: String(Math.floor(random() * 9)) },
    attributes: toAttributes({ site }),
  }));
  const metrics = [
    { name: 'robot.battery.level', unit: '%', gauge: { dataPoints: batteries } },
    {
      name: 'parcels.sorted',
      unit: '{parcel}',
      sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: sorted },
    },
    {
      name: 'conveyor.speed',
      unit: 'm/s',
      gauge: { dataPoints: [{ timeUnixNano, asDouble: 0.5 + random() * 1.5 }] },
    },
  ];
  const resource = { attributes: toAttributes({ 'service.name': SERVICE, 'service.instance.id': 'picking-metrics' }) };
  await send('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] });
}

async function sendBetween(fromMs: number, toMs: number): Promise<void> {
  const [spans, logs]: [Sent[], Sent[]] = [[], []];
  for (let ms = fromMs; ms < toMs; ms += STEP_MS) receive(ms + random() * 1_000, spans, logs);
  await send('/v1/traces', { resourceSpans: byResource(spans, 'scopeSpans', 'spans') });
  await send('/v1/logs', { resourceLogs: byResource(logs, 'scopeLogs', 'logRecords') });
  await sendMetrics(toMs);
}

const now = (): number => Date.now() - 1_500;
let sentMs = Math.min(START, now() - CHUNK_MS);
for (const end = now(); sentMs < end; sentMs = Math.min(sentMs + CHUNK_MS, end))
  await sendBetween(sentMs, Math.min(sentMs + CHUNK_MS, end));
console.log('The past has been sent; sending goes on.');
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const end = now();
  await sendBetween(sentMs, end);
  sentMs = end;
}
