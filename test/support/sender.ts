import { randomBytes } from 'node:crypto';

/** One export request of `size` records and its outcome. */
export interface Sent {
  readonly signal: 'traces' | 'logs';
  readonly body: string;
  readonly size: number;
  /** `unknown`: without a response, so it may or may not be in the log. */
  outcome: 'unknown' | 'acknowledged' | 'refused';
  /** Status of the last response. */
  status?: number;
}

const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'faults' } }] };

/** A request of root spans of separate traces, so that the number of traces equals the number of stored spans. */
export function rootSpans(size: number): Sent {
  const start = BigInt(Date.now()) * 1_000_000n;
  const spans = Array.from({ length: size }, (_, n) => ({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: `step ${n % 7}`,
    kind: 2,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 5_000_000n),
  }));
  return {
    signal: 'traces',
    size,
    outcome: 'unknown',
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }),
  };
}

/** A request of numbered log records. */
export function logRecords(size: number): Sent {
  const batch = randomBytes(8).toString('hex');
  const logRecordsOfBatch = Array.from({ length: size }, (_, n) => ({
    timeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    severityNumber: 9,
    body: { stringValue: `record ${n} of ${batch}` },
  }));
  return {
    signal: 'logs',
    size,
    outcome: 'unknown',
    body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: logRecordsOfBatch }] }] }),
  };
}

/** Sends a request once; the outcome stays `unknown` without a response. */
export async function send(otlpUrl: string, apiKey: string, request: Sent): Promise<void> {
  try {
    const response = await fetch(`${otlpUrl}/v1/${request.signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: request.body,
    });
    await response.arrayBuffer();
    request.status = response.status;
    request.outcome = response.status === 200 ? 'acknowledged' : 'refused';
  } catch {
    request.outcome = 'unknown';
  }
}

/** Sends until acknowledged, like exporters. */
export async function sendUntilAcknowledged(otlpUrl: string, apiKey: string, request: Sent): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    await send(otlpUrl, apiKey, request);
    if (request.outcome === 'acknowledged') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('never acknowledged');
}
