import assert from 'node:assert/strict';
import type { BlackBox } from '../../support/black-box.js';
import { ChartClient } from '../../support/chart-client.js';
import { KIND, logsOf, spansOf, STATUS, traceId, spanId } from '../../support/otlp-requests.js';
import { waitUntil } from '../../support/wait-until.js';
import { exportRequests, shopTraffic } from '../../support/shop-traffic.js';
import { sha256 } from '../../../src/auth/api-key-secret.js';

const MINUTE_MS = 60_000;
const SEED = 11;

/** Ended three minutes before the first composition starts, so that answers about it no longer change. */
const TO_MS = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 3 * MINUTE_MS;
const FROM_MS = TO_MS - 10 * MINUTE_MS;
const RANGE = { rangeStart: new Date(FROM_MS).toISOString(), rangeEnd: new Date(TO_MS).toISOString() };
const RANGE_QUERY = `rangeStart=${RANGE.rangeStart}&rangeEnd=${RANGE.rangeEnd}`;

const DIAGNOSTICS = [
  'health',
  'diagnosis',
  'services',
  'slowest-endpoints',
  'timeline',
  'trends',
  'pressure',
  'service/gateway',
];

const ARCHIVE = 'archive';
const OF_ARCHIVE = { traceId: traceId(0xa11), spanId: spanId(0xa11) };

/** Ten minutes of shop traces, logs, and a growing queue: the same for every composition of a run. */
export async function recordThePast(box: BlackBox): Promise<void> {
  const traffic = shopTraffic({ seed: SEED, traces: 150, fromMs: FROM_MS, toMs: TO_MS });
  const at = (minute: number): bigint => BigInt(FROM_MS + minute * MINUTE_MS + 30_000) * 1_000_000n;
  const failing = {
    ...OF_ARCHIVE,
    name: 'store',
    kind: KIND.server,
    start: at(4),
    end: at(4) + 20_000_000n,
    status: { code: STATUS.error },
  };
  await box.record('traces', ...exportRequests(traffic, SEED), spansOf(ARCHIVE, failing));
  const words = Array.from({ length: 10 }, (_, minute) => ({
    time: at(minute),
    severityNumber: minute % 3 === 0 ? 17 : 9,
    body: `disk of shelf ${minute} is full`,
    ...(minute === 4 && OF_ARCHIVE),
  }));
  await box.record('logs', logsOf(ARCHIVE, ...words));
  await box.record(
    'metrics',
    queueRequest(Array.from({ length: 10 }, (_, minute) => ({ atNs: at(minute), depth: 10 + 3 * minute }))),
  );
}

/** Responses about that past by request, without the ids of the Grid and its charts. */
export async function pastAnswers(box: BlackBox): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {
    'slow traces': await bodyOf(box.traces({ ...RANGE, minDuration: 100, pageSize: 20 })),
    'traces that failed': await bodyOf(box.traces({ ...RANGE, status: 'ERROR', pageSize: 50 })),
    'logs by a word': await bodyOf(box.logs({ ...RANGE, body: 'shelf', pageSize: 20 })),
    'one trace': await bodyOf(box.trace(`correlations/${OF_ARCHIVE.traceId}/spans`)),
    'its words': await bodyOf(box.trace(`correlations/${OF_ARCHIVE.traceId}/logs`)),
  };
  for (const suffix of DIAGNOSTICS)
    answers[suffix] = await bodyOf(box.api.get(`/apm/diagnostics/${box.gridId}/${suffix}?${RANGE_QUERY}`));
  return { ...answers, ...(await drawings(box)) };
}

/** A chart of requests and one of a metric: their data points, and the digest of a rendered image. */
async function drawings(box: BlackBox): Promise<Readonly<Record<string, unknown>>> {
  const charting = await ChartClient.with(box);
  const rate = await charting.create({ metric: 'request_rate', serviceName: 'gateway' });
  await waitUntil(
    async () => (await box.api.get(`/apm/charts/${box.gridId}/charts/${rate}`)).status === 200,
    'the chart is projected',
    20_000,
  );
  const drawn = await box.api.bytes('GET', `/apm/charts/${box.gridId}/charts/${rate}/render?${RANGE_QUERY}`);
  assert.deepEqual([drawn.status, Buffer.from(drawn.body).subarray(1, 4).toString()], [200, 'PNG']);
  const [{ series: requests }, { series: depth }] = await Promise.all([
    charting.rangeData(rate, `?${RANGE_QUERY}`),
    charting.show({ metric: 'queue.depth', aggregation: 'avg' }, FROM_MS, TO_MS),
  ]);
  assert.ok(requests.length > 0 && depth.length > 0, 'charts have something to show');
  return {
    'a chart of requests': requests,
    'a chart of a metric': depth,
    'a picture': sha256(Buffer.from(drawn.body).toString('base64')),
  };
}

async function bodyOf(asked: Promise<{ readonly status: number; readonly body: unknown }>): Promise<unknown> {
  const { status, body } = await asked;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

function queueRequest(points: readonly { readonly atNs: bigint; readonly depth: number }[]): object {
  const dataPoints = points.map(({ atNs, depth }) => ({ timeUnixNano: String(atNs), asDouble: depth }));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: ARCHIVE } }] };
  return {
    resourceMetrics: [
      { resource, scopeMetrics: [{ metrics: [{ name: 'queue.depth', unit: '1', gauge: { dataPoints } }] }] },
    ],
  };
}
