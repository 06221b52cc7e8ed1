import { decodeLogRecord, decodeSpanRecord } from '../../../telemetry/otlp/decoding/record-decoder.js';
import { readScopeAt, type Scope } from '../../../telemetry/otlp/decoding/record-resource.js';
import type { FieldReference } from '../query-model.js';
import type { FieldValue } from './field-column.js';

/** Reads one field of a stored record: a list for events and links, which a record may have any number of. */
export type StoredFieldReader<Stored> = (record: Stored) => FieldValue | readonly FieldValue[];

/** A span or log record with its scope, decoded from the body of a request. */
export type StoredSpan = ReturnType<typeof decodeSpanRecord> & { readonly scope: Scope };
export type StoredLog = ReturnType<typeof decodeLogRecord> & { readonly scope: Scope };

export function decodeStoredSpan(body: Uint8Array, offset: number, length: number, withScope: boolean): StoredSpan {
  return Object.assign(decodeSpanRecord(body, offset, length), {
    scope: withScope ? readScopeAt(body, offset) : NO_SCOPE,
  });
}

export function decodeStoredLog(body: Uint8Array, offset: number, length: number, withScope: boolean): StoredLog {
  return Object.assign(decodeLogRecord(body, offset, length), {
    scope: withScope ? readScopeAt(body, offset) : NO_SCOPE,
  });
}

const NO_SCOPE: Scope = { name: '', version: '', attributes: {} };

/** Empty texts of the wire format are absent fields. */
const presentText = (text: string): FieldValue => (text === '' ? undefined : text);

const SPAN_FIELDS: Readonly<Record<string, StoredFieldReader<StoredSpan>>> = {
  statusMessage: ({ statusMessage }) => presentText(statusMessage),
  traceState: ({ traceState }) => presentText(traceState),
  flags: ({ flags }) => flags,
  droppedAttributesCount: (span) => span.droppedAttributesCount,
  droppedEventsCount: (span) => span.droppedEventsCount,
  droppedLinksCount: (span) => span.droppedLinksCount,
};

const LOG_FIELDS: Readonly<Record<string, StoredFieldReader<StoredLog>>> = {
  body: ({ body }) => body,
  eventName: ({ eventName }) => presentText(eventName),
  severityText: ({ severityText }) => presentText(severityText),
  flags: ({ flags }) => flags,
  droppedAttributesCount: (log) => log.droppedAttributesCount,
  observedTime: ({ observedTime }) => (observedTime === 0n ? undefined : Number(observedTime) / 1e6),
};

/** Reader of a field of spans that no column has. */
export function findSpanFieldReader({ scope, name }: FieldReference): StoredFieldReader<StoredSpan> {
  switch (scope) {
    case 'intrinsic':
      return SPAN_FIELDS[name];
    case 'scope':
      return ({ scope: found }) => readScopeField(found, name);
    case 'event':
      return ({ events }) => events.map((event) => (name === 'name' ? event.name : event.attributes[name]));
    case 'link':
      return ({ links }) => links.map((link) => (isLinkMember(name) ? presentText(link[name]) : link.attributes[name]));
    default:
      return ({ attributes }) => attributes[name];
  }
}

/** Reader of a field of log records that no column has. */
export function findLogFieldReader({ scope, name }: FieldReference): StoredFieldReader<StoredLog> {
  if (scope === 'intrinsic') return LOG_FIELDS[name];
  if (scope === 'scope') return ({ scope: found }) => readScopeField(found, name);
  return ({ attributes }) => attributes[name];
}

type LinkMember = 'traceId' | 'spanId' | 'traceState';

function isLinkMember(name: string): name is LinkMember {
  return name === 'traceId' || name === 'spanId' || name === 'traceState';
}

function readScopeField(scope: Scope, name: string): FieldValue {
  return name === 'name' || name === 'version' ? presentText(scope[name]) : scope.attributes[name];
}
