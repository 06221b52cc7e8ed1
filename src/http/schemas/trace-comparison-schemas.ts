import Type from 'typebox';
import { choice, count, inlineRecord, instant, listOf, record, text, whole } from './schema-builders.js';
import { serviceName, traceId } from './trace-schemas.js';

const SIDES = ['both', 'current', 'baseline'] as const;
const presence = choice(SIDES, 'Which of the traces has it.', 'both');
const operationName = text('Name of the span.', 'POST /orders');

export const ComparedTrace = record('ComparedTrace', 'One of two traces that are compared.', {
  traceId,
  serviceName: text('Service of the root span; while no root has arrived, of the earliest span.', 'checkout'),
  operationName: text('Name of that span.', 'POST /orders'),
  startTime: instant('When its earliest span started.', '2026-03-14T09:26:53.589Z'),
  durationNs: count('From there to the end of its last span, in nanoseconds.', 1_840_115_302),
  spanCount: count('Number of spans.', 14),
  errorCount: count('Spans with the status ERROR.', 1),
});

const PathFigures = record('PathFigures', 'Figures of the spans of one path in one trace; all 0 if it has none.', {
  count: count('Number of spans.', 1),
  errorCount: count('Spans with the status ERROR.', 0),
  durationNs: count('Sum of their durations, in nanoseconds.', 1_204_000_118),
  selfTimeNs: count('Sum of the time in which no child of the span runs, in nanoseconds.', 310_442_007),
});

export const ComparedPath = record('ComparedPath', 'Spans with the same services and operations from the top down.', {
  depth: count(
    'Number of spans above. The path that this one extends is the last one before it with a smaller depth.',
    1,
  ),
  serviceName,
  operationName,
  presence,
  current: PathFigures,
  baseline: PathFigures,
  difference: inlineRecord('Current less baseline.', {
    count: whole('Spans.', 0),
    errorCount: whole('Spans with the status ERROR.', 0),
    durationNs: whole('Sum of durations, in nanoseconds.', 980_114_871),
    selfTimeNs: whole('Sum of self times, in nanoseconds.', -11_204_553),
  }),
});

export const ComparedErrors = record('ComparedErrors', 'Exceptions of one error group in one service.', {
  groupId: text('Id of the error group.', '9f8a1c0d52b34e67a1b2c3d4e5f60718'),
  serviceName,
  exceptionType: text('Type of the exception.', 'java.net.SocketTimeoutException'),
  messagePattern: text('Its message, with `*` for what varies.', 'Read timed out after * ms'),
  presence,
  currentCount: count('Exceptions in the current trace.', 1),
  baselineCount: count('Exceptions in the baseline.', 0),
});

export const TraceComparison = record('TraceComparison', 'Comparison of two traces.', {
  current: ComparedTrace,
  baseline: ComparedTrace,
  paths: listOf(ComparedPath, 'Depth first, in the order in which the traces have them.'),
  errors: listOf(ComparedErrors, 'Those that one trace alone has first; empty if neither has exceptions.'),
  damagedRecords: Type.Optional(
    count(
      'Spans and log entries of both traces whose stored records are damaged: exceptions may be missing. Absent if there are none.',
      1,
    ),
  ),
});
