import { EXCEPTION_MESSAGE, EXCEPTION_STACKTRACE, EXCEPTION_TYPE } from '../../../src/telemetry/attributes.js';
import { LOG_RECORD, SCOPE_ITEMS } from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import type { OtlpWriter } from './otlp-writer.js';
import type { Random } from './random.js';
import { EXCEPTION, SERVICES, TABLES } from './shop.js';

const INFO = 9;
const WARN = 13;
const ERROR = 17;

export function writeLog(writer: OtlpWriter, timeUs: number, random: Random): void {
  const severity = random.pick([5, INFO, INFO, INFO, INFO, INFO, WARN, ERROR]);
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, BigInt(timeUs) * 1000n + BigInt(random.below(1000)));
  writer.writeIntegerField(LOG_RECORD.severityNumber, severity);
  writer.writeTextField(LOG_RECORD.severityText, severity === ERROR ? 'ERROR' : severity === WARN ? 'WARN' : 'INFO');
  const body = writer.beginField(LOG_RECORD.body);
  writer.value(sentence(severity, random));
  writer.endField(body);
  writer.attribute(LOG_RECORD.attribute, 'thread.name', `worker-${random.below(16)}`);
  writer.attribute(LOG_RECORD.attribute, 'app.user.id', `user-${random.below(50_000)}`);
  if (severity === ERROR) {
    writer.attribute(LOG_RECORD.attribute, EXCEPTION_TYPE, EXCEPTION.type);
    writer.attribute(LOG_RECORD.attribute, EXCEPTION_MESSAGE, EXCEPTION.message);
    writer.attribute(LOG_RECORD.attribute, EXCEPTION_STACKTRACE, EXCEPTION.stackTrace);
  }
  if (random.unit() < 0.8) {
    writer.writeBytesField(LOG_RECORD.traceId, random.bytes(16));
    writer.writeBytesField(LOG_RECORD.spanId, random.bytes(8));
  }
  writer.time(LOG_RECORD.observedTime, BigInt(timeUs) * 1000n + 1_000_000n);
  writer.endField(message);
}

function sentence(severity: number, random: Random): string {
  const service = random.pick(SERVICES);
  if (severity === ERROR) return `Request to ${service} failed after ${random.below(5000)} ms: upstream timed out`;
  if (severity === WARN)
    return `Pool of ${service} has ${random.below(5)} connections left, waiting for ${random.pick(TABLES)}`;
  return random.pick([
    `Order ${random.below(1e6)} placed by user-${random.below(50_000)} in ${random.below(900)} ms`,
    `Cache miss for key ${random.pick(TABLES)}:${random.below(10_000)}, loading from ${service}`,
    `Processed ${random.below(200)} rows of ${random.pick(TABLES)} for ${service}`,
    `Handled GET /api/v1/${service}/items with status ${random.pick([200, 201, 204])}`,
  ]);
}
