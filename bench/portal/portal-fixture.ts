import { KIND, logsOf, spansOf, type SpanFields } from '../../test/support/otlp-requests.js';
import type { ServiceProcess } from '../../test/support/service.js';
import { measureDrainSeconds } from '../service-metrics.js';

export const TRACE_ID = 'be'.repeat(16);
export const ROWS = 10_000;
const SERVICES = ['storefront', 'checkout', 'payment', 'catalogue', 'inventory'];
/** Children per span, so that the trace has about four levels. */
const CHILDREN = 20;
const BATCH = 500;
const SECOND_NS = 1_000_000_000n;

const formatSpanId = (number: number): string => number.toString(16).padStart(16, '0');

/** A trace of 10,000 spans, and 10,000 log records without trace, all of the last minute. */
export async function recordFixture(service: ServiceProcess): Promise<string> {
  const { gridId, apiKey } = await service.bootstrap();
  const begin = BigInt(Date.now() - 60_000) * 1_000_000n;
  for (let first = 0; first < ROWS; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, i) => first + i);
    const name = SERVICES[(first / BATCH) % SERVICES.length];
    await send(service, apiKey, 'traces', spansOf(name, ...numbers.map((number) => buildSpan(number, begin))));
    await send(
      service,
      apiKey,
      'logs',
      logsOf(
        name,
        ...numbers.map((number) => ({
          time: begin + BigInt(number) * 2_000_000n,
          severityNumber: number % 50 === 0 ? 17 : 9,
          body: `order ${number} was handed to the courier after ${number % 97} ms`,
          attributes: [['order.id', String(number)]] as const,
        })),
      ),
    );
  }
  await measureDrainSeconds(service, 'traces');
  await measureDrainSeconds(service, 'logs');
  return gridId;
}

function buildSpan(number: number, begin: bigint): SpanFields {
  const start = begin + BigInt(number) * 1_000_000n;
  const parent = number === 0 ? {} : { parentSpanId: formatSpanId(Math.floor((number - 1) / CHILDREN) + 1) };
  return {
    traceId: TRACE_ID,
    spanId: formatSpanId(number + 1),
    ...parent,
    name: `step ${number % 40}`,
    kind: number === 0 ? KIND.server : KIND.internal,
    start,
    end: number === 0 ? begin + 20n * SECOND_NS : start + 3_000_000n,
  };
}

async function send(
  service: ServiceProcess,
  apiKey: string,
  signal: 'traces' | 'logs',
  request: object,
): Promise<void> {
  const answer = await fetch(`${service.otlpHttpUrl}/v1/${signal}`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (answer.status !== 200) throw new Error(`${signal} are not taken in: ${answer.status} ${await answer.text()}`);
}
