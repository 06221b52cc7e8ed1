import { instantMs } from './instant.js';

/** One argument of a tool: what a JSON schema says of it, and the same as a guard. */
export interface Field {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  /** What a value must be, such as `a text`; undefined where it is. */
  faultIn(value: unknown): string | undefined;
}

export type Fields<Arguments extends object> = { readonly [Name in keyof Arguments]-?: Field };

/** Longest text that an argument may hold, in UTF-16 units: as long as in a request. */
const MAX_TEXT_LENGTH = 4_096;
const MAX_FILTERS = 64;

export function text(description: string): Field {
  return field({ type: 'string', description, maxLength: MAX_TEXT_LENGTH }, isText, `a text of at most ${MAX_TEXT_LENGTH} characters`);
}

export function instant(description: string): Field {
  const schema = { type: 'string', format: 'date-time', description };
  return field(schema, (value) => instantMs(value) !== undefined, 'an ISO 8601 datetime with Z or an offset');
}

export function oneOf(values: readonly string[], description: string): Field {
  return field({ type: 'string', enum: values, description }, (value) => values.includes(value as string), `one of ${values.join(', ')}`);
}

export function wholeNumber(min: number, max: number, description: string): Field {
  const isWithin = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return field({ type: 'integer', minimum: min, maximum: max, description }, isWithin, `a whole number from ${min} to ${max}`);
}

/** Texts by name, all of which must match. */
export function filters(description: string): Field {
  const schema = { type: 'object', additionalProperties: { type: 'string', maxLength: MAX_TEXT_LENGTH }, maxProperties: MAX_FILTERS, description };
  return field(schema, isFilters, `an object of at most ${MAX_FILTERS} texts`);
}

export function required(optional: Field): Field {
  return { ...optional, required: true };
}

/** Schema and guard of one tool, from one table. `together` says what no single argument can tell. */
export function argumentsOf<Arguments extends object>(
  fields: Fields<Arguments>,
  together: (given: Arguments) => string | undefined = () => undefined,
): { readonly parameters: Readonly<Record<string, unknown>>; faultsIn(given: unknown): string | undefined } {
  const known = new Map(Object.entries<Field>(fields));
  const properties = Object.fromEntries([...known].map(([name, { schema }]) => [name, schema]));
  const needed = [...known].filter(([, { required: isRequired }]) => isRequired === true).map(([name]) => name);
  return {
    parameters: { type: 'object', properties, required: needed, additionalProperties: false },
    faultsIn(given) {
      if (!isObject(given)) return 'The arguments must be an object.';
      const faults = faultsOf(known, needed, given);
      return faults.length > 0 ? faults.join(' ') : together(given as Arguments);
    },
  };
}

function faultsOf(known: ReadonlyMap<string, Field>, needed: readonly string[], given: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const missing = needed.filter((name) => !names.includes(name)).map((name) => `${name} is required.`);
  const unknown = names.filter((name) => !known.has(name)).map((name) => `${JSON.stringify(name.slice(0, 100))} is no argument of this tool.`);
  const wrong = names.flatMap((name) => {
    const fault = known.get(name)?.faultIn(given[name]);
    return fault === undefined ? [] : [`${name} must be ${fault}.`];
  });
  return [...missing, ...unknown, ...wrong];
}

function field(schema: Readonly<Record<string, unknown>>, isRight: (value: unknown) => boolean, expected: string): Field {
  return { schema, faultIn: (value) => (isRight(value) ? undefined : expected) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;
}

function isFilters(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length <= MAX_FILTERS && Object.values(value).every(isText);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
