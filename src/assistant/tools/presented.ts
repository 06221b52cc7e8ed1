import { isoOf } from './instant.js';

/** Members of answers that are moments: ms since 1970 in a query's answer, ISO strings in the API and in a tool's. */
const MOMENTS = ['timestamp', 'triggeredAt', 'firstDetected', 'detectedAt', 'rangeStart', 'rangeEnd', 'createdAt', 'updatedAt'] as const;
type Moment = (typeof MOMENTS)[number];

/** An answer as the API prints it. */
export type Presented<Answer> = Answer extends readonly (infer Item)[]
  ? readonly Presented<Item>[]
  : Answer extends object
    ? { readonly [Name in keyof Answer]: Name extends Moment ? string : Presented<Answer[Name]> }
    : Answer;

/** Not for answers with attributes: their names are anybody's. */
export function presented<Answer>(answer: Answer): Presented<Answer> {
  return converted(answer) as Presented<Answer>;
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isMoment(name, member) ? isoOf(member) : converted(member)]));
}

function isMoment(name: string, member: unknown): member is number {
  return typeof member === 'number' && (MOMENTS as readonly string[]).includes(name);
}
