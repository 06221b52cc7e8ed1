/** One argument of a tool: its JSON schema, and a validator for it. */
export interface ArgumentField {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  /** What the value must be, such as `a text`; undefined if it is valid. */
  validate(value: unknown): string | undefined;
}

export type ArgumentFields<Arguments extends object> = { readonly [Name in keyof Arguments]-?: ArgumentField };

/** Maximum length of a text argument in UTF-16 units, as in API requests. */
const MAX_TEXT_LENGTH = 4_096;

const MAX_FILTERS = 64;

export function textField(description: string): ArgumentField {
  return createField(
    { type: 'string', description, maxLength: MAX_TEXT_LENGTH },
    isText,
    `a string of at most ${MAX_TEXT_LENGTH} characters`,
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

/** Several of the values, separated by commas. */
export function enumListField(values: readonly string[], description: string): ArgumentField {
  const one = `(?:${values.join('|')})`;
  const pattern = `^${one}(?:,${one})*$`;
  const isList = new RegExp(pattern);
  return createField(
    { type: 'string', pattern, description: `${description} Separated by commas: ${values.join(', ')}.` },
    (value) => isText(value) && isList.test(value as string),
    `some of ${values.join(', ')}, separated by commas`,
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

/**
 * Creates schema and validator of a tool from one table. `together` checks conditions that involve several arguments.
 */
export function defineArguments<Arguments extends object>(
  fields: ArgumentFields<Arguments>,
  validateTogether: (args: Arguments) => string | undefined = () => undefined,
): { readonly parameters: Readonly<Record<string, unknown>>; validate(args: unknown): string | undefined } {
  const fieldsByName = new Map(Object.entries<ArgumentField>(fields));
  const properties = Object.fromEntries([...fieldsByName].map(([name, { schema }]) => [name, schema]));
  const requiredNames = [...fieldsByName]
    .filter(([, { required: isRequired }]) => isRequired === true)
    .map(([name]) => name);
  return {
    parameters: { type: 'object', properties, required: requiredNames, additionalProperties: false },
    validate(args) {
      if (!isObject(args)) return 'The arguments must be an object.';
      const faults = findFaults(fieldsByName, requiredNames, args);
      return faults.length > 0 ? faults.join(' ') : validateTogether(args as Arguments);
    },
  };
}

function findFaults(
  fieldsByName: ReadonlyMap<string, ArgumentField>,
  requiredNames: readonly string[],
  args: Readonly<Record<string, unknown>>,
): string[] {
  const names = Object.keys(args).filter((name) => args[name] !== undefined);
  const missing = requiredNames.filter((name) => !names.includes(name)).map((name) => `${name} is required.`);
  const unknown = names
    .filter((name) => !fieldsByName.has(name))
    .map((name) => `${JSON.stringify(name.slice(0, 100))} is not an argument of this tool.`);
  const wrong = names.flatMap((name) => {
    const fault = fieldsByName.get(name)?.validate(args[name]);
    return fault === undefined ? [] : [`${name} must be ${fault}.`];
  });
  return [...missing, ...unknown, ...wrong];
}

function createField(
  schema: Readonly<Record<string, unknown>>,
  isRight: (value: unknown) => boolean,
  expected: string,
): ArgumentField {
  return { schema, validate: (value) => (isRight(value) ? undefined : expected) };
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

/** Seconds are optional, the offset is required: without it the time would be ambiguous. */
const ISO_DATETIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const NS_PER_MS = 1_000_000n;

/**
 * ms since 1970 of an ISO 8601 datetime, rounded down; undefined for anything else, and for dates that do not exist.
 */
export function parseDatetimeMs(value: unknown): number | undefined {
  const [, day] = (typeof value === 'string' ? ISO_DATETIME.exec(value) : null) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const ms = Date.parse(value as string);
  const isInCalendar = Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isInCalendar && Number.isFinite(ms) ? ms : undefined;
}

/** For validated arguments. */
export function toEpochMs(iso: string): number {
  const ms = parseDatetimeMs(iso);
  if (ms === undefined) throw new TypeError('An argument that was checked is no datetime');
  return ms;
}

export function toIsoString(ms: number): string {
  return new Date(ms).toISOString();
}

/** With ms, rounded down, as the API formats times of spans and logs. */
export function nanosToIsoString(nanos: bigint): string {
  return toIsoString(Number(nanos / NS_PER_MS));
}
