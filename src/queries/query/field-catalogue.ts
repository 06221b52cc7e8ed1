import { SEVERITY_LEVELS } from '../../telemetry/log-severity.js';
import { METRIC_KINDS } from '../../telemetry/metric-kind.js';
import { SPAN_KINDS } from '../../telemetry/span-kind.js';
import { SPAN_STATUS_CODES } from '../../telemetry/span-status.js';
import {
  FIELD_SCOPES,
  type ColumnType,
  type FieldReference,
  type FieldScope,
  type QuerySignal,
} from './query-model.js';

/** A field that every record of a signal has. */
export interface IntrinsicField {
  readonly name: string;
  readonly type: ColumnType;
  readonly unit: string;
  readonly description: string;
  /** All values that there are; conditions may write them in any case. */
  readonly values?: readonly string[];
  /** The values ascend: `>` and `<` compare their places. */
  readonly isOrdered?: true;
}

const text = (name: string, description: string, values?: readonly string[]): IntrinsicField => ({
  name,
  type: 'string',
  unit: '',
  description,
  ...(values !== undefined && { values }),
});
const number = (name: string, unit: string, description: string): IntrinsicField => ({
  name,
  type: 'number',
  unit,
  description,
});
const time = (name: string, description: string): IntrinsicField => ({ name, type: 'time', unit: '', description });

const SHARED: readonly IntrinsicField[] = [
  text('service', 'Name of the service.'),
  text('traceId', 'Id of the trace, lower-case hex.'),
  text('spanId', 'Id of the span, lower-case hex.'),
  number('flags', '', 'Trace flags.'),
  number('droppedAttributesCount', '', 'Attributes that the sender dropped.'),
];

/** The intrinsic fields of each signal. What the catalogue lacks is an attribute. */
export const INTRINSIC_FIELDS: Readonly<Record<QuerySignal, readonly IntrinsicField[]>> = {
  spans: [
    time('time', 'Start of the span.'),
    ...SHARED,
    text('operation', 'Name of the span.'),
    text('kind', 'Kind of the span.', SPAN_KINDS),
    text('status', 'ERROR, or OK for everything else.', ['OK', 'ERROR']),
    text('statusCode', 'Status as sent.', SPAN_STATUS_CODES),
    text('statusMessage', 'Message of the status.'),
    number('duration', 'ms', 'Duration of the span, exact to the nanosecond.'),
    number(
      'durationBucket',
      'ms',
      'Lower bound of the bucket of the duration: ten to each power of ten, for heatmaps.',
    ),
    text('parentSpanId', 'Id of the parent; absent for a root.'),
    text('traceState', 'W3C trace state.'),
    number('droppedEventsCount', '', 'Events that the sender dropped.'),
    number('droppedLinksCount', '', 'Links that the sender dropped.'),
  ],
  logs: [
    time('time', 'When the entry was written or, if unknown, observed.'),
    ...SHARED,
    { ...text('severity', 'Severity level.', SEVERITY_LEVELS), isOrdered: true },
    number('severityNumber', '', 'OpenTelemetry severity number, 1 to 24.'),
    text('severityText', 'Severity as the sender named it.'),
    text('body', 'Message of the entry.'),
    text('eventName', 'Name of the event if the entry is one.'),
    time('observedTime', 'When a collector observed the entry.'),
  ],
  metrics: [
    time('time', 'Start of the minute.'),
    text('service', 'Name of the service.'),
    text('metric', 'Name of the metric.'),
    text('type', 'Kind of the metric.', METRIC_KINDS),
    text('unit', 'Unit of the metric as sent.'),
    text('instance', 'service.instance.id of the sender.'),
    number('value', '', 'Values of the data points of a minute. Aggregates use their sum, minimum, maximum and count.'),
    number('last', '', 'Value of the newest point of the minute.'),
    number('points', '', 'Number of points.'),
    number('observations', '', 'Number of observations of histograms and summaries, else of points.'),
  ],
};

/** Members of events, links and scopes beside their attributes. */
const SCOPE_MEMBERS: Partial<Record<FieldScope, readonly string[]>> = {
  event: ['name'],
  link: ['traceId', 'spanId', 'traceState'],
  scope: ['name', 'version'],
};

const SCOPES_OF: Readonly<Record<QuerySignal, readonly FieldScope[]>> = {
  spans: ['resource', 'scope', 'span', 'event', 'link'],
  logs: ['resource', 'scope', 'log'],
  metrics: ['point'],
};

export function findIntrinsic(signal: QuerySignal, name: string): IntrinsicField | undefined {
  return INTRINSIC_FIELDS[signal].find((field) => field.name === name);
}

/** True if the field is a member of an event, a link or a scope, not one of its attributes. */
export function isScopeMember({ scope, name }: FieldReference): boolean {
  return SCOPE_MEMBERS[scope]?.includes(name) ?? false;
}

/** Resolves the name of a field of a signal; a message if the signal has no such fields. */
export function resolveField(signal: QuerySignal, text: string): FieldReference | string {
  const dot = text.indexOf('.');
  const scope = FIELD_SCOPES.find((each) => each === text.slice(0, dot));
  if (scope !== undefined) {
    if (SCOPES_OF[signal].includes(scope)) return { text, scope, name: text.slice(dot + 1) };
    // An attribute such as `event.domain` of a log record: the signal has no events that could be meant.
    if (signal === 'metrics' && scope === 'resource')
      return `has no fields "resource.*": of its resource, a metric series keeps only the service and the instance`;
  }
  if (findIntrinsic(signal, text) !== undefined) return { text, scope: 'intrinsic', name: text };
  return { text, scope: signal === 'metrics' ? 'point' : 'any', name: text };
}

/** Type and unit of a field's values. */
export function describeField(signal: QuerySignal, { scope, name }: FieldReference): Omit<IntrinsicField, 'name'> {
  const intrinsic = scope === 'intrinsic' ? findIntrinsic(signal, name) : undefined;
  return intrinsic ?? { type: 'string', unit: '', description: '' };
}
