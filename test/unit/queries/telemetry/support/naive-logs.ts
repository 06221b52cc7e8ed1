import type { LogQuery } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import { severityLevel } from '../../../../../src/telemetry/log-severity.js';
import { matchesTextQuery, parseTextQuery } from '../../../../../src/telemetry/full-text.js';
import { compare } from './naive-traces.js';
import type { GivenLog, Values } from './requests.js';

/** Reference implementation of log search; `logs` are in order of arrival. */
export function naiveFindLogs(logs: readonly GivenLog[], query: LogQuery): { items: GivenLog[]; totalCount: number } {
  const found = logs.map((log, arrival) => ({ log, arrival })).filter(({ log }) => meets(log, query));
  found.sort((a, b) => compare(b.log.time, a.log.time) || b.arrival - a.arrival);
  const from = (query.page - 1) * query.pageSize;
  return { items: found.slice(from, from + query.pageSize).map(({ log }) => log), totalCount: found.length };
}

function meets(
  log: GivenLog,
  { range, severityLevel: level, serviceName, body, traceId, spanId, attributes = {} }: LogQuery,
): boolean {
  const carried = { 'service.name': log.service, ...log.resource };
  return (
    log.time >= BigInt(range.fromUs) * 1000n &&
    log.time < BigInt(range.toUs) * 1000n &&
    (level === undefined || severityLevel(log.severity ?? 9) === level) &&
    (serviceName === undefined || log.service === serviceName) &&
    (body === undefined || matchesTextQuery(parseTextQuery(body), log.body)) &&
    (traceId === undefined || log.traceId === traceId) &&
    (spanId === undefined || log.spanId === spanId) &&
    Object.entries(attributes).every(([key, value]) => has(log.attributes, key, value) || has(carried, key, value))
  );
}

function has(values: Values | undefined, key: string, value: string): boolean {
  return values?.[key] !== undefined && String(values[key]) === value;
}
