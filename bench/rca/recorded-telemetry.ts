import { LogTemplateExtractor } from '../../src/telemetry/log-template.js';
import type { PlainPoint, PlainSpan } from '../../test/support/naive-rollups.js';
import type { RecordedRequest } from './fault-recordings.js';
import { parsePlainTelemetry, type RecordedLog } from './otlp-json-telemetry.js';

/** All telemetry of one case, in order of arrival. */
export interface RecordedTelemetry {
  readonly spans: readonly PlainSpan[];
  readonly logs: readonly RecordedLog[];
  readonly points: readonly PlainPoint[];
}

/** Parses the requests of a case; log bodies become templates as in the service. */
export function readTelemetry(requests: readonly RecordedRequest[]): RecordedTelemetry {
  const [spans, logs, points]: [PlainSpan[], RecordedLog[], PlainPoint[]] = [[], [], []];
  const templateOf = createTemplater();
  for (const { body } of requests) {
    const batch = parsePlainTelemetry(body, templateOf);
    for (const each of batch.spans) spans.push(each);
    for (const each of batch.logs) logs.push(each);
    for (const each of batch.points) points.push(each);
  }
  return { spans, logs, points };
}

function createTemplater(): (body: string) => string {
  const template = new LogTemplateExtractor();
  return (body) => {
    const bytes = Buffer.from(body);
    template.extract(bytes, 0, bytes.length);
    return Buffer.from(template.bytes.subarray(0, template.length)).toString();
  };
}
