import { isSize } from '../../../../src/queries/query/language/quantities.js';
import { parser } from '../../../../src/queries/query/language/where-grammar.generated.js';

/** Writes conditions of the query language, as the builder and the clicks on results add them. */

const PLAIN = /^[^\s"'`(),=!<>~]+$/;
const KEYWORD = /^(and|or|not|in|exists)$/i;
const isPlain = (text: string): boolean => PLAIN.test(text) && !KEYWORD.test(text);

/** The name of a field as conditions write it; undefined for names that the language cannot write. */
export function writeField(name: string): string | undefined {
  if (isPlain(name)) return name;
  return name === '' || name.includes('`') ? undefined : `\`${name}\``;
}

/**
 * A value as conditions write it. Numbers stay without quotes, so that they keep the unit of their field. `isExact`: the
 * text itself is meant, also if it reads like a size such as `5GB`.
 */
export function writeValue(value: string | number, isExact = true): string {
  const text = String(value);
  return isPlain(text) && !(isExact && isSize(text)) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

export type ConditionOperator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '=~' | '!~' | 'exists' | 'not exists';

export const CONDITION_OPERATORS: readonly ConditionOperator[] = [
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  '=~',
  '!~',
  'exists',
  'not exists',
];

/** One condition. A value that is null stands for records without the field. Undefined if it cannot be written. */
export function writeCondition(
  field: string,
  operator: ConditionOperator,
  value: string | number | null,
): string | undefined {
  const name = writeField(field);
  if (name === undefined) return undefined;
  if (operator === 'exists') return `exists(${name})`;
  if (operator === 'not exists' || (value === null && operator === '=')) return `not exists(${name})`;
  return value === null
    ? `exists(${name})`
    : `${name} ${operator} ${writeValue(value, operator === '=' || operator === '!=')}`;
}

/** The condition that both must be met. A condition that stands there already is not added again. */
export function addCondition(where: string, condition: string): string {
  const given = where.trim();
  if (given === '') return condition;
  const top = parser.parse(given).topNode.firstChild;
  const terms = top?.name === 'Conjunction' ? [given, ...listTerms(given)] : [given];
  if (terms.includes(condition)) return given;
  return top?.name === 'Disjunction' ? `(${given}) and ${condition}` : `${given} and ${condition}`;
}

/** The terms of a conjunction as they are written. */
function listTerms(text: string): readonly string[] {
  const terms: string[] = [];
  const pending = [parser.parse(text).topNode.firstChild];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!node) continue;
    if (node.name !== 'Conjunction') {
      terms.push(text.slice(node.from, node.to));
      continue;
    }
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.name !== 'And') pending.push(child);
  }
  return terms;
}
