import { INTRINSIC_FIELDS } from '../query/field-catalogue.js';
import { parseWhere } from '../query/language/where-parser.js';
import { type FieldReference, type Predicate, type QuerySignal, SIGNALS } from '../query/query-model.js';

/** Narrows charts to the records that meet a condition. */
export interface ChartFilter {
  /** Condition in the syntax of queries, valid for at least one signal. */
  readonly where: string;
  /** Present if the condition is that the service has this name: all that charts of metrics can be narrowed by. */
  readonly serviceName?: string;
}

/** What is wrong with a condition for records of every signal; undefined if it is valid for one of them. */
export function findFilterFault(where: string): string | undefined {
  const faults = SIGNALS.flatMap((signal) => {
    const parsed = parseWhere(signal, where);
    return 'fault' in parsed ? [parsed.fault.message] : [];
  });
  return faults.length === SIGNALS.length ? faults[0] : undefined;
}

/** The filter of a valid condition; undefined for a blank one, which every record meets. */
export function toChartFilter(condition: string): ChartFilter | undefined {
  const where = condition.trim();
  if (where === '') return undefined;
  const parsed = parseWhere('spans', where);
  const serviceName = 'predicate' in parsed ? findService(parsed.predicate) : undefined;
  // Charts of metrics take an empty name for the whole Grid.
  return serviceName === undefined || serviceName === '' ? { where } : { where, serviceName };
}

function findService(predicate: Predicate | undefined): string | undefined {
  if (predicate?.kind !== 'in' || predicate.values.length !== 1) return undefined;
  const { field, values } = predicate;
  return field.scope === 'intrinsic' && field.name === 'service' ? values[0].text : undefined;
}

/** The predicate of a filter for records of a signal, or why they cannot meet it. */
export function compileFilter(signal: QuerySignal, { where }: ChartFilter): Predicate | string {
  const parsed = parseWhere(signal, where);
  return 'fault' in parsed ? parsed.fault.message : parsed.predicate!;
}

/**
 * Says of a filter that it names a field that only records of other signals have. It counts as an attribute of that name,
 * which these may have; names with a scope are meant as attributes.
 */
export function explainForeignField(signal: QuerySignal, filter: Predicate): string | undefined {
  const isForeign = ({ text, name, scope }: FieldReference): boolean =>
    scope !== 'intrinsic' &&
    text === name &&
    SIGNALS.some((other) => INTRINSIC_FIELDS[other].some((field) => field.name === name));
  const foreign = listFields(filter).find(isForeign);
  return foreign && `${foreign.text} is no field of ${signal}: it was taken for an attribute.`;
}

function listFields(predicate: Predicate): readonly FieldReference[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.terms.flatMap(listFields);
    case 'not':
      return listFields(predicate.term);
    case 'text':
      return [];
    default:
      return [predicate.field];
  }
}
