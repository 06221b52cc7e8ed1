import { randomUUID } from 'node:crypto';
import { compileQuery, findSeriesFault, placeQuery, type QueryDefinition } from '../../queries/query/query-compiler.js';
import { AGGREGATES, QUERY_BOUNDS, SIGNALS, type QueryAnswer } from '../../queries/query/query-model.js';
import type { Tool } from '../tool.js';
import {
  type ArgumentField,
  defineArguments,
  enumField,
  integerField,
  requiredField,
  textField,
} from './tool-arguments.js';
import { formatCountOrNone } from './tool-builders.js';
import {
  describeWindowArguments,
  findWindowFault,
  toQueryRange,
  UNBOUNDED_WINDOW_FIELDS,
  type WindowArguments,
} from './window-arguments.js';

type QueryArguments = QueryDefinition & WindowArguments;

const US_PER_MS = 1_000;
/** Rows of an answer to a model or an agent, unless it asks for more. */
const DEFAULT_ROWS = 20;

/** Schema of the items of a list. */
interface ItemSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly [keyword: string]: unknown;
}

/** A list whose items the compiler of queries checks, but for members that it does not know. */
const listField = (items: ItemSchema, maxItems: number, description: string): ArgumentField => ({
  schema: { type: 'array', items, minItems: 1, maxItems, description },
  validate(value) {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxItems)
      return `a list of 1 to ${maxItems} items`;
    const { properties } = items;
    return properties === undefined || value.every((item) => hasOnlyMembers(item, properties))
      ? undefined
      : `a list of objects with no other members than ${Object.keys(properties).join(', ')}`;
  },
});

function hasOnlyMembers(item: unknown, properties: object): boolean {
  return (
    typeof item !== 'object' || item === null || Object.keys(item).every((member) => Object.hasOwn(properties, member))
  );
}

const NAME = { type: 'string', minLength: 1, maxLength: QUERY_BOUNDS.nameLength };

/** A query as in docs/query.md, for models, agents and the analyst. */
export const queryTelemetry: Tool<QueryArguments, QueryAnswer> = {
  name: 'QueryTelemetry',
  api: { method: 'POST', path: '/apm/query/{gridSecondaryId}' },
  description:
    'Filters, groups and aggregates spans, logs or metrics exactly, by any field or attribute, as a table or as series over time; without select it lists the records. Use it when no other tool has the figure.',
  ...defineArguments<QueryArguments>(
    {
      ...UNBOUNDED_WINDOW_FIELDS,
      signal: requiredField(enumField(SIGNALS, 'What to read.')),
      where: textField(
        'Condition: = != > >= < <= =~ !~ in (…) exists(…), joined by and, or, not, parentheses. Spans have service, operation, kind, status, duration (duration > 250ms); logs service, severity, body, and words or "phrases" search the body; metrics metric, service, value. Any other name is an attribute.',
      ),
      groupBy: listField(NAME, QUERY_BOUNDS.groupBy, 'Fields whose values make up the groups.'),
      select: listField(
        {
          type: 'object',
          properties: { fn: { type: 'string', enum: AGGREGATES }, field: NAME, as: NAME },
          required: ['fn'],
          additionalProperties: false,
        },
        QUERY_BOUNDS.select,
        'Functions over each group; a field is needed except for count, rate and errorRate.',
      ),
      stepSeconds: integerField(
        QUERY_BOUNDS.stepSeconds.min,
        QUERY_BOUNDS.stepSeconds.max,
        'Length of a step: the answer is then a series for each group.',
      ),
      orderBy: listField(
        {
          type: 'object',
          properties: { by: NAME, descending: { type: 'boolean' } },
          required: ['by'],
          additionalProperties: false,
        },
        QUERY_BOUNDS.orderBy,
        'Columns of the answer; without select, fields of the records.',
      ),
      limit: integerField(1, QUERY_BOUNDS.limit, 'Maximum number of rows or series.'),
    },
    findQueryFault,
  ),
  async run({ queries, gridId, nowMs }, args) {
    const compiled = compileQuery(args);
    if ('errors' in compiled) throw new TypeError('Cannot compile a validated query');
    const range = toQueryRange(args, nowMs);
    const plan = { ...compiled.plan, limit: args.limit ?? DEFAULT_ROWS };
    const query = placeQuery(plan, { gridId, range, nowUs: nowMs * US_PER_MS });
    const answer = await queries.telemetry.runQuery(query, randomUUID());
    const found = 'rows' in answer ? answer.totalRows : answer.totalSeries;
    const unit = 'rows' in answer ? 'row' : 'series';
    const description = `${formatCountOrNone(found, unit, unit === 'row' ? 'rows' : 'series')} of ${args.signal}, ${describeWindowArguments(args)}`;
    return { data: answer, source: { type: 'query', description } };
  },
};

function findQueryFault(args: QueryArguments): string | undefined {
  const windowFault = findWindowFault(args, Infinity);
  if (windowFault !== undefined) return windowFault;
  const compiled = compileQuery(args);
  if ('errors' in compiled) return compiled.errors.map(({ field, message }) => `${field} ${message}.`).join(' ');
  const seriesFault = findSeriesFault(compiled.plan, toQueryRange(args, 0));
  return seriesFault === undefined ? undefined : `stepSeconds ${seriesFault}.`;
}
