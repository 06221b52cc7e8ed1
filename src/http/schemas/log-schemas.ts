import { SEVERITY_LEVELS } from '../../telemetry/log-severity.js';
import Type from 'typebox';
import {
  droppedAttributesCount,
  flags,
  page,
  pageSize,
  scope,
  serviceName,
  traceId as requiredTraceId,
} from './trace-schemas.js';
import {
  attributes,
  choice,
  count,
  damageMarker,
  instant,
  listOf,
  nullable,
  record,
  text,
  unixNanos,
} from './schema-builders.js';

const timestamp = instant('When the entry was written or, if unknown, observed.', '2026-03-14T09:26:55.402Z');
const severityLevel = choice(
  SEVERITY_LEVELS,
  'Severity level, by severity number: 1 to 4 Trace, 5 to 8 Debug, 9 to 12 Information, 13 to 16 Warning, 17 to 20 Error, 21 to 24 Fatal.',
  'Error',
);
const body = text('Message of the entry.', 'payment of order 4711 failed: read timed out');
const entryAttributes = attributes('Attributes of the entry.');
const id = text('Opaque id of the entry.', '0000000000002711-0007');
const damaged = damageMarker('body and attributes are empty');
const traceId = text('Id of the trace of the entry; empty if there is none.', '5b8efff798038103d269b633813fc60c');
const spanId = text('Id of the span of the entry; empty if there is none.', 'eee19b7ec3c1b174');
export const LogEntry = record('LogEntry', 'A log entry in a search result.', {
  id,
  timestamp,
  severityLevel,
  body,
  serviceName,
  traceId,
  spanId,
  attributes: entryAttributes,
  damaged,
});

export const LogPage = record('LogPage', 'One page of matching log entries, newest first.', {
  items: listOf(LogEntry, 'Sorted by time, newest first.'),
  totalCount: count('Exact number of matching entries on all pages.', 1),
  page,
  pageSize,
  damagedRecords: Type.Optional(
    count(
      'Entries whose stored records are damaged and whose text could therefore not be compared with a phrase; neither in items nor in totalCount. Absent if there are none.',
      1,
    ),
  ),
});

export const LogDetail = record('LogDetail', 'A log entry with its resource.', {
  id,
  timestamp,
  severityLevel,
  severityNumber: Type.Integer({
    minimum: 1,
    maximum: 24,
    description: 'OpenTelemetry severity number; 9 if the entry has none.',
    examples: [17],
  }),
  body,
  serviceName,
  traceId,
  spanId,
  attributes: entryAttributes,
  resource: attributes('Attributes of the resource that wrote the entry.'),
  scope,
  eventName: text('Name of the event if the entry is one; otherwise empty.', 'order.rejected'),
  severityText: text('Severity as the sender named it; empty if not sent.', 'ERROR'),
  timeUnixNano: unixNanos('When the entry was written or, if unknown, observed.', '1773480415402000317'),
  observedTime: nullable(
    instant('When a collector observed the entry.', '2026-03-14T09:26:55.431Z'),
    'When a collector observed the entry; null if not sent.',
  ),
  flags,
  droppedAttributesCount,
  damaged: damageMarker('body, attributes, resource and scope are empty'),
});

export const TraceLog = record('TraceLog', 'A log entry of a trace.', {
  timestamp,
  severityLevel,
  body,
  serviceName,
  spanId,
  attributes: entryAttributes,
  damaged,
});
export const TraceLogs = record('TraceLogs', 'The log entries of one trace.', {
  traceId: requiredTraceId,
  logs: listOf(TraceLog, 'Sorted by time, oldest first; empty if the trace has none.'),
});

export const LogFilterOptions = record('LogFilterOptions', 'Values for filtering log entries.', {
  severityLevels: listOf(severityLevel, 'Severity levels.'),
  serviceNames: listOf(text('Name of a service.', 'checkout'), 'Service names.'),
  attributeKeys: listOf(text('Key of an attribute.', 'order.id'), 'Attribute keys.'),
});
