import { describeField } from './field-catalogue.js';
import type { Aggregate, AnswerColumn, Cell, FieldReference, QuerySignal } from './query-model.js';

/** Aggregates whose values have the unit of their field. */
const KEEPS_UNIT: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'p50', 'p75', 'p90', 'p95', 'p99']);
const KEEPS_TIME: ReadonlySet<string> = new Set(['min', 'max']);

export function describeGroup(signal: QuerySignal, field: FieldReference): AnswerColumn {
  const { type, unit } = describeField(signal, field);
  return { name: field.text, type, unit };
}

export function describeAggregate(signal: QuerySignal, { fn, field, as }: Aggregate): AnswerColumn {
  if (fn === 'rate') return { name: as, type: 'number', unit: '1/s' };
  if (fn === 'errorRate') return { name: as, type: 'number', unit: '%' };
  if (field === undefined || !KEEPS_UNIT.has(fn)) return { name: as, type: 'number', unit: '' };
  const { type, unit } = describeField(signal, field);
  return { name: as, type: type === 'time' && KEEPS_TIME.has(fn) ? 'time' : 'number', unit };
}

/** Values of a group as the answer has them: attributes in their string form, as conditions compare them; times as ISO 8601. */
export function presentCells(signal: QuerySignal, fields: readonly FieldReference[], key: readonly Cell[]): Cell[] {
  return key.map((cell, at) => {
    const { type } = describeField(signal, fields[at]);
    if (typeof cell !== 'number' || type === 'number') return cell;
    return type === 'time' ? new Date(cell).toISOString() : String(cell);
  });
}
