import { SEVERITY_LEVELS } from '../../telemetry/log-severity.js';
import Type from 'typebox';
import { page, pageSize, serviceName, traceId as idOfTrace } from './trace-schemas.js';
import { attributes, choice, count, instant, listOf, record, text } from './schema-builders.js';

const timestamp = instant(
  'When the entry was written; where it does not say, when it was observed.',
  '2026-03-14T09:26:55.402Z',
);
const severityLevel = choice(
  SEVERITY_LEVELS,
  'Severity, by its number: 1 to 4 Trace, 5 to 8 Debug, 9 to 12 Information, 13 to 16 Warning, 17 to 20 Error, 21 to 24 Fatal.',
  'Error',
);
const body = text('The message.', 'payment of order 4711 failed: read timed out');
const attributesOf = attributes('Attributes of the entry.');
const id = text('Opaque id of the entry.', '0000000000002711-0007');
const traceId = text(
  'Id of the trace that it belongs to; empty where it belongs to none.',
  '5b8efff798038103d269b633813fc60c',
);
const spanId = text('Id of the span that it belongs to; empty where it belongs to none.', 'eee19b7ec3c1b174');
export const LogEntry = record('LogEntry', 'A log entry as a search shows it.', {
  id,
  timestamp,
  severityLevel,
  body,
  serviceName,
  traceId,
  spanId,
  attributes: attributesOf,
});

export const LogPage = record('LogPage', 'One page of the log entries that were found, newest first.', {
  items: listOf(LogEntry, 'The newest first.'),
  totalCount: count('Entries that were found, on all pages together; exact.', 1),
  page,
  pageSize,
});

export const LogDetail = record('LogDetail', 'One log entry with its resource.', {
  id,
  timestamp,
  severityLevel,
  severityNumber: Type.Integer({
    minimum: 1,
    maximum: 24,
    description: 'Severity as OpenTelemetry numbers it; 9 where the entry has none.',
    examples: [17],
  }),
  body,
  serviceName,
  traceId,
  spanId,
  attributes: attributesOf,
  resource: attributes('Attributes of the resource that wrote it.'),
});

export const TraceLog = record('TraceLog', 'A log entry as the list of its trace shows it.', {
  timestamp,
  severityLevel,
  body,
  serviceName,
  spanId,
  attributes: attributesOf,
});
export const TraceLogs = record('TraceLogs', 'The log entries of one trace.', {
  traceId: idOfTrace,
  logs: listOf(TraceLog, 'The oldest first; empty where the trace has none.'),
});

export const LogFilterOptions = record('LogFilterOptions', 'Values that log entries can be filtered by.', {
  severityLevels: listOf(severityLevel, 'Levels of severity.'),
  serviceNames: listOf(text('Name of a service.', 'checkout'), 'Names of the services.'),
  attributeKeys: listOf(text('Key of an attribute.', 'order.id'), 'Keys of attributes.'),
});
