import { EMPTY_SLOTS, type Slots } from '../understanding/slots.js';
import type { QuestionCondition, QuestionQuery } from './question-query.js';

/**
 * What a question was about that was answered by a query, in the terms of intents: a follow-up such as "why?" or "is it
 * getting worse?" is about the same. Conditions that no intent has are named, so that an answer that ignores them is
 * refused.
 */
export function describeQuerySubject({ conditions, time }: QuestionQuery): Slots {
  const found = conditions.reduce<Slots>(
    (slots, condition) => ({ ...slots, ...toSlots(condition, slots) }),
    EMPTY_SLOTS,
  );
  return { ...found, ...(time !== undefined && time.kind !== 'event' && { time }) };
}

function toSlots(condition: QuestionCondition, { services, tags, queried = [] }: Slots): Partial<Slots> {
  if (condition.kind === 'in') {
    const [value, ...others] = condition.values;
    if (condition.field === 'service') return { services: [...services, ...condition.values] };
    if (others.length === 0) {
      if (condition.field === 'operation') return { operation: value };
      if (condition.field === 'status' && (value === 'ERROR' || value === 'OK')) return { status: value };
      if (condition.field.includes('.')) return { tags: { ...tags, [condition.field]: value } };
    }
  }
  if (condition.kind === 'callee') return { services: [...services, condition.name] };
  return { queried: [...queried, nameCondition(condition)] };
}

function nameCondition(condition: QuestionCondition): string {
  switch (condition.kind) {
    case 'in':
      return `${condition.field} ${condition.values.join(' or ')}`;
    case 'compare':
      return `${condition.field} ${condition.sign} ${condition.value}`;
    case 'exists':
      return condition.field;
    case 'text':
      return condition.phrase;
    case 'callee':
      return condition.name;
    case 'not':
      return `not ${nameCondition(condition.term)}`;
    default:
      return condition.terms.map(nameCondition).join(condition.kind === 'any' ? ' or ' : ' and ');
  }
}
