import { parseDatetimeMs } from './tool-datetime.js';

/** One argument of a tool: what a JSON schema says of it, and the same as a guard. */
export interface ArgumentField {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  /** What a value must be, such as `a text`; undefined where it is. */
  faultIn(value: unknown): string | undefined;
}

export type ArgumentFields<Arguments extends object> = { readonly [Name in keyof Arguments]-?: ArgumentField };

/** Longest text that an argument may hold, in UTF-16 units: as long as in a request. */
const MAX_TEXT_LENGTH = 4_096;
const MAX_FILTERS = 64;

export function textField(description: string): ArgumentField {
  return createField(
    { type: 'string', description, maxLength: MAX_TEXT_LENGTH },
    isText,
    `a text of at most ${MAX_TEXT_LENGTH} characters`,
  );
}

export function datetimeField(description: string): ArgumentField {
  const schema = { type: 'string', format: 'date-time', description };
  return createField(
    schema,
    (value) => parseDatetimeMs(value) !== undefined,
    'an ISO 8601 datetime with Z or an offset',
  );
}

export function enumField(values: readonly string[], description: string): ArgumentField {
  return createField(
    { type: 'string', enum: values, description },
    (value) => values.includes(value as string),
    `one of ${values.join(', ')}`,
  );
}

export function integerField(min: number, max: number, description: string): ArgumentField {
  const isWithin = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return createField(
    { type: 'integer', minimum: min, maximum: max, description },
    isWithin,
    `a whole number from ${min} to ${max}`,
  );
}

/** Texts by name, all of which must match. */
export function filtersField(description: string): ArgumentField {
  const schema = {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_TEXT_LENGTH },
    maxProperties: MAX_FILTERS,
    description,
  };
  return createField(schema, isFilters, `an object of at most ${MAX_FILTERS} texts`);
}

export function requiredField(optional: ArgumentField): ArgumentField {
  return { ...optional, required: true };
}

/** Schema and guard of one tool, from one table. `together` says what no single argument can tell. */
export function defineArguments<Arguments extends object>(
  fields: ArgumentFields<Arguments>,
  together: (given: Arguments) => string | undefined = () => undefined,
): { readonly parameters: Readonly<Record<string, unknown>>; faultsIn(given: unknown): string | undefined } {
  const known = new Map(Object.entries<ArgumentField>(fields));
  const properties = Object.fromEntries([...known].map(([name, { schema }]) => [name, schema]));
  const needed = [...known].filter(([, { required: isRequired }]) => isRequired === true).map(([name]) => name);
  return {
    parameters: { type: 'object', properties, required: needed, additionalProperties: false },
    faultsIn(given) {
      if (!isObject(given)) return 'The arguments must be an object.';
      const faults = findFaults(known, needed, given);
      return faults.length > 0 ? faults.join(' ') : together(given as Arguments);
    },
  };
}

function findFaults(
  known: ReadonlyMap<string, ArgumentField>,
  needed: readonly string[],
  given: Readonly<Record<string, unknown>>,
): string[] {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const missing = needed.filter((name) => !names.includes(name)).map((name) => `${name} is required.`);
  const unknown = names
    .filter((name) => !known.has(name))
    .map((name) => `${JSON.stringify(name.slice(0, 100))} is no argument of this tool.`);
  const wrong = names.flatMap((name) => {
    const fault = known.get(name)?.faultIn(given[name]);
    return fault === undefined ? [] : [`${name} must be ${fault}.`];
  });
  return [...missing, ...unknown, ...wrong];
}

function createField(
  schema: Readonly<Record<string, unknown>>,
  isRight: (value: unknown) => boolean,
  expected: string,
): ArgumentField {
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
