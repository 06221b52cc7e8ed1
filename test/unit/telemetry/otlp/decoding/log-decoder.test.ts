import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toHex } from '../../../../../src/telemetry/trace-identifiers.js';
import { createLogColumns, type LogColumns } from '../../../../../src/telemetry/columns/log-batch-columns.js';
import { LogTemplateExtractor } from '../../../../../src/telemetry/log-template.js';
import { decodeLogs } from '../../../../../src/telemetry/otlp/decoding/log-decoder.js';
import { decodeLogRecord } from '../../../../../src/telemetry/otlp/decoding/record-decoder.js';
import { findRecordAt, readResourceAt } from '../../../../../src/telemetry/otlp/decoding/record-resource.js';
import { toUnixNanos } from '../../../../../src/telemetry/unix-time.js';
import { computeAttributeToken, EVENT_NAME_KEY } from '../../../../../src/telemetry/attribute-tokens.js';
import { extractWords } from '../../../../../src/telemetry/full-text.js';
import { officialEncode } from '../../../../support/official-otlp.js';
import { logRequest, type KeyValue, type LogRecord } from '../../../../support/otlp-model.js';
import {
  attributesOf,
  exceptionOf,
  type ReadScope,
  scopeAt,
  serviceOf,
  toReadScope,
  valueOf,
} from '../../../../support/otlp-oracle.js';

const RECEIVED_MS = 1_760_000_000_123;
const LAST_EXACT_NS = 2n ** 53n * 1000n;

function wordsAt(columns: LogColumns, row: number): string[] {
  const ids = columns.wordIds.slice(row === 0 ? 0 : columns.wordEnd[row - 1], columns.wordEnd[row]);
  return Array.from(ids, (id) => columns.words.text(id));
}

interface Expected {
  readonly log: LogRecord;
  readonly resource: readonly KeyValue[];
  readonly scope: ReadScope;
}

function assertRow(columns: LogColumns, row: number, { log, resource, scope }: Expected, body: Uint8Array): void {
  const sentTime = log.timeUnixNano || log.observedTimeUnixNano || BigInt(RECEIVED_MS) * 1_000_000n;
  if (sentTime < LAST_EXACT_NS) assert.equal(toUnixNanos(columns.timeUs[row], columns.timeNs[row]), sentTime);
  assert.equal(columns.severity[row], log.severityNumber === 0 || log.severityNumber > 24 ? 9 : log.severityNumber);
  assert.equal(columns.strings.text(columns.service[row]), serviceOf(resource));
  assert.equal(
    toHex(columns.traceId, row * 16, row * 16 + 16),
    log.traceId.length === 16 ? toHex(log.traceId) : '0'.repeat(32),
  );
  assert.equal(
    toHex(columns.spanId, row * 8, row * 8 + 8),
    log.spanId.length === 8 ? toHex(log.spanId) : '0'.repeat(16),
  );
  const attributes = attributesOf(log.attributes);
  assert.equal(columns.exception[row], attributes.has('exception.type') || attributes.has('exception.message') ? 1 : 0);
  const exception = exceptionOf(log.attributes);
  assert.equal(columns.strings.text(columns.exceptionType[row]), exception?.type ?? '');
  assert.equal(columns.strings.text(columns.exceptionMessage[row]), exception?.message ?? '');
  assert.equal(columns.templates.text(columns.template[row]), templateOf(String(valueOf(log.body))));
  assert.deepEqual(wordsAt(columns, row), extractWords(String(valueOf(log.body))));
  const from = row === 0 ? 0 : columns.tokenEnd[row - 1];
  assert.deepEqual(
    [...columns.tokens.slice(from, columns.tokenEnd[row])],
    [...attributes, ...(log.eventName === '' ? [] : [[EVENT_NAME_KEY, log.eventName] as const])].map(
      ([key, value]) => computeAttributeToken(key, String(value)).token,
    ),
  );
  assert.deepEqual(findRecordAt(body, columns.ordinal[row]), {
    offset: columns.offset[row],
    length: columns.length[row],
  });
  const record = decodeLogRecord(body, columns.offset[row], columns.length[row]);
  assert.deepEqual(
    { ...record, attributes: new Map(Object.entries(record.attributes)) },
    {
      time: log.timeUnixNano,
      observedTime: log.observedTimeUnixNano,
      severityNumber: log.severityNumber,
      severityText: log.severityText,
      body: String(valueOf(log.body)),
      eventName: log.eventName,
      attributes,
      droppedAttributesCount: log.droppedAttributesCount,
      flags: log.flags,
      traceId: knownId(log.traceId, 16),
      spanId: knownId(log.spanId, 8),
    },
  );
  assert.deepEqual(
    new Map(Object.entries(readResourceAt(body, columns.offset[row]).attributes)),
    attributesOf(resource),
  );
  assert.deepEqual(scopeAt(body, columns.offset[row]), scope);
}

function knownId(id: Uint8Array, size: number): string {
  return id.length === size && id.some((byte) => byte !== 0) ? toHex(id) : '';
}

function templateOf(text: string): string {
  const template = new LogTemplateExtractor();
  const bytes = Buffer.from(text);
  template.extract(bytes, 0, bytes.length);
  return Buffer.from(template.bytes.subarray(0, template.length)).toString();
}

describe('log decoder', () => {
  it('agrees with the official encoder on every field of random requests', () => {
    const columns = createLogColumns(1);
    fc.assert(
      fc.property(logRequest, (request) => {
        const body = officialEncode('logs', request);
        const logs = request.resourceLogs.flatMap(({ resource, scopeLogs }) =>
          scopeLogs.flatMap(({ scope, logRecords }) =>
            logRecords.map((log) => ({ log, resource: resource?.attributes ?? [], scope: toReadScope(scope) })),
          ),
        );
        columns.clear();
        decodeLogs(body, 1, [], RECEIVED_MS, columns);
        assert.equal(columns.count, logs.length);
        logs.forEach((expected, row) => assertRow(columns, row, expected, body));
        assert.equal(findRecordAt(body, logs.length), undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('counts the rejected records in the ordinal of the others', () => {
    const record = { timeUnixNano: 1n, body: { stringValue: 'one two One' } };
    const columns = createLogColumns();
    decodeLogs(
      officialEncode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record, record, record] }] }] }),
      4,
      [0, 1],
      RECEIVED_MS,
      columns,
    );
    assert.equal(columns.count, 1);
    assert.equal(columns.ordinal[0], 2);
    assert.equal(columns.revision[0], 4);
    assert.deepEqual(wordsAt(columns, 0), ['one', 'two', 'one']);
    assert.equal(columns.templates.text(columns.template[0]), 'one two One');
  });

  it('keeps the order of 1,024 words of a body; of more it keeps the distinct ones', () => {
    const word = (n: number): string => `w${n % 700}`;
    const bodies = [1024, 1025, 3, 1025].map((count) => Array.from({ length: count }, (_, n) => word(n)));
    const logRecords = bodies.map((words) => ({ body: { stringValue: words.join(' ') } }));
    const columns = createLogColumns(1);
    decodeLogs(
      officialEncode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
      0,
      [],
      RECEIVED_MS,
      columns,
    );
    const distinct = [...new Set(bodies[1])];
    assert.deepEqual(
      bodies.map((_, row) => wordsAt(columns, row)),
      [bodies[0], distinct, bodies[2], distinct],
    );
    assert.deepEqual([...columns.unordered.subarray(0, 4)], [0, 1, 0, 1]);
  });

  it('starts new interners with clear() once they hold too many strings', () => {
    const bodies = Array.from({ length: 70_000 }, (_, n) => ({ body: { stringValue: `w${n}` } }));
    const columns = createLogColumns();
    decodeLogs(
      officialEncode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: bodies }] }] }),
      0,
      [],
      RECEIVED_MS,
      columns,
    );
    assert.equal(columns.words.text(columns.wordIds[69_999]), 'w69999');
    columns.clear();
    assert.equal(columns.words.size, 0);
    assert.equal(columns.count, 0);
  });
});
