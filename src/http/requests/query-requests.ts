import { Allow, IsOptional } from 'class-validator';
import { validateViewText, VIEW_BOUNDS } from '../../commands/views/view-decider.js';
import type { FieldError } from '../../errors.js';
import { compileDifferences, compileQuery, type QueryDefinition } from '../../queries/query/query-compiler.js';
import {
  AGGREGATES,
  QUERY_BOUNDS,
  SIGNALS,
  type AggregateFunction,
  type QuerySignal,
} from '../../queries/query/query-model.js';
import { Description, FieldSchema, ModelSchema, Note, ReadOnlyFields, type JsonSchema } from './field-metadata.js';
import { IsAfter, IsInstant, nonBlankTextSchema, Required, textSchema } from './field-validators.js';
import { FollowsDomainRules } from './request-parser.js';

export const FIELD_NAME_SCHEMA = nonBlankTextSchema(QUERY_BOUNDS.nameLength);

export const SELECTED_FUNCTION_SCHEMA: JsonSchema = {
  $id: 'QueryFunction',
  type: 'object',
  description: 'A function over the records of each group: one column of the answer.',
  required: ['fn'],
  properties: {
    fn: {
      type: 'string',
      enum: [...AGGREGATES],
      description:
        'Function. `errorRate` is the percentage of spans with status ERROR, or of log records of level Error and Fatal.',
      examples: ['p99'],
    },
    field: {
      ...FIELD_NAME_SCHEMA,
      description:
        'Field whose values are aggregated. Required except for `count` (with a field: records that have it), `rate` and `errorRate`.',
      examples: ['duration'],
    },
    as: {
      ...FIELD_NAME_SCHEMA,
      description: 'Name of the column; by default such as `p99(duration)`.',
      examples: ['slow'],
    },
  },
  additionalProperties: false,
};

const ORDER: JsonSchema = {
  $id: 'QueryOrder',
  type: 'object',
  description: 'One key of the order.',
  required: ['by'],
  properties: {
    by: {
      ...FIELD_NAME_SCHEMA,
      description: 'A column of the answer; without `select` any field of the records.',
      examples: ['count'],
    },
    descending: { type: 'boolean', description: 'Whether the largest come first.', examples: [true] },
  },
  additionalProperties: false,
};

/** What every query has in common. */
export class QueryModel implements QueryDefinition {
  @Description('What to read.', 'spans')
  @FieldSchema({ type: 'string', enum: [...SIGNALS] })
  @Required()
  signal!: QuerySignal;

  @Description(
    'Condition that records must meet: comparisons of fields (`=` `!=` `>` `>=` `<` `<=` `=~` `!~` `in (…)` `exists(…)`) joined by `and`, `or`, `not` and parentheses. Words and "phrases" search the bodies of logs. Empty: every record.',
    'service = checkout and duration > 250ms',
  )
  @FieldSchema(textSchema(QUERY_BOUNDS.whereLength))
  @Allow()
  where?: string;

  @Description('Fields to group by.', ['customer.tier'])
  @FieldSchema({ type: 'array', maxItems: QUERY_BOUNDS.groupBy, uniqueItems: true, items: FIELD_NAME_SCHEMA })
  @Allow()
  groupBy?: readonly string[];

  @Description('Functions over the records of each group. Without any, the answer lists the records themselves.')
  @FieldSchema({ type: 'array', maxItems: QUERY_BOUNDS.select, items: SELECTED_FUNCTION_SCHEMA })
  @Allow()
  select?: readonly { readonly fn: AggregateFunction; readonly field?: string; readonly as?: string }[];

  @Description('Length of a step in seconds: the answer is then a series for each group.', 60)
  @Note(`At most ${QUERY_BOUNDS.steps} steps, and ${QUERY_BOUNDS.points} points over all series.`)
  @FieldSchema({
    type: 'integer',
    minimum: QUERY_BOUNDS.stepSeconds.min,
    maximum: QUERY_BOUNDS.stepSeconds.max,
  })
  @Allow()
  stepSeconds?: number;

  @Description('Order of the rows or series. By default the largest first column, and the newest records first.')
  @FieldSchema({ type: 'array', maxItems: QUERY_BOUNDS.orderBy, items: ORDER })
  @Allow()
  orderBy?: readonly { readonly by: string; readonly descending?: boolean }[];

  @Description('Maximum number of rows or series; by default 100 rows or 10 series.', 100)
  @FieldSchema({ type: 'integer', minimum: 1, maximum: QUERY_BOUNDS.limit })
  @Allow()
  limit?: number;
}

/** Body of a query. */
@FollowsDomainRules(validateQueryRequest)
@ModelSchema({
  description:
    'A query over spans, logs or metrics. Either `rangeStart` and `rangeEnd`, or `asOf`, or neither: then the last 15 minutes.',
  examples: [
    {
      signal: 'spans',
      where: 'service = checkout and duration > 250ms',
      groupBy: ['customer.tier'],
      select: [{ fn: 'count' }, { fn: 'p99', field: 'duration' }],
      orderBy: [{ by: 'count', descending: true }],
      limit: 100,
      rangeStart: '2026-03-14T09:00:00Z',
      rangeEnd: '2026-03-14T10:00:00Z',
    },
  ],
})
export class QueryRequestModel extends QueryModel {
  @Description('Start of the range (inclusive).', '2026-03-14T09:00:00Z')
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of the range (exclusive).', '2026-03-14T10:00:00Z')
  @IsOptional()
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;

  @Description(
    'Evaluate as of this time: over the 15 minutes before it, without spans that ended later. Cannot be combined with a range.',
    '2026-03-14T09:30:00Z',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;
}

function validateQueryRequest(request: QueryRequestModel): FieldError[] {
  const compiled = compileQuery(request);
  return [...('errors' in compiled ? compiled.errors : []), ...validateTimes(request)];
}

export function validateTimes({
  rangeStart,
  rangeEnd,
  asOf,
}: Pick<QueryRequestModel, 'rangeStart' | 'rangeEnd' | 'asOf'>): FieldError[] {
  const errors: FieldError[] = [];
  if (asOf !== undefined && (rangeStart ?? rangeEnd) !== undefined)
    errors.push({ field: 'asOf', message: 'must not be given together with rangeStart or rangeEnd' });
  if (rangeStart !== undefined && rangeEnd === undefined)
    errors.push({ field: 'rangeEnd', message: 'is required with rangeStart' });
  if (rangeEnd !== undefined && rangeStart === undefined)
    errors.push({ field: 'rangeStart', message: 'is required with rangeEnd' });
  return errors;
}

/** A view without its id: a query with a name. */
@FollowsDomainRules(validateView)
@ReadOnlyFields('id', 'createdAt', 'updatedAt')
@ModelSchema({
  description: 'A saved query. The range is chosen when the view is opened.',
  examples: [
    {
      name: 'Latency by customer tier',
      description: 'p99 of each tier, for the weekly review',
      signal: 'spans',
      where: 'service = checkout',
      groupBy: ['customer.tier'],
      select: [{ fn: 'count' }, { fn: 'p99', field: 'duration' }],
      limit: 100,
    },
  ],
})
export class ViewModel extends QueryModel {
  @Description('Name of the view.', 'Latency by customer tier')
  @FieldSchema(nonBlankTextSchema(VIEW_BOUNDS.nameLength))
  @Required()
  name!: string;

  @Description('What the view is for.', 'p99 of each tier, for the weekly review')
  @FieldSchema(textSchema(VIEW_BOUNDS.descriptionLength))
  @Allow()
  description = '';
}

function validateView(view: ViewModel): FieldError[] {
  const compiled = compileQuery(view);
  return [...validateViewText(view), ...('errors' in compiled ? compiled.errors : [])];
}

/** Body of a comparison. */
@FollowsDomainRules(validateDifferencesRequest)
@ModelSchema({
  description:
    'Two sets of records: those that meet `selection`, and the others that meet `where`. Times as in a query.',
  examples: [
    {
      signal: 'spans',
      where: 'service = checkout',
      selection: 'duration > 1s',
      rangeStart: '2026-03-14T09:00:00Z',
      rangeEnd: '2026-03-14T10:00:00Z',
    },
  ],
})
export class DifferencesRequestModel {
  @Description('What to read.', 'spans')
  @FieldSchema({ type: 'string', enum: [...SIGNALS] })
  @Required()
  signal!: QuerySignal;

  @Description('Condition of all records that are compared, as in a query. Empty: every record.', 'service = checkout')
  @FieldSchema(textSchema(QUERY_BOUNDS.whereLength))
  @Allow()
  where?: string;

  @Description('Condition of the selection, as in a query.', 'duration > 1s')
  @FieldSchema(nonBlankTextSchema(QUERY_BOUNDS.whereLength))
  @Required()
  selection!: string;

  @Description('Start of the range (inclusive).', '2026-03-14T09:00:00Z')
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of the range (exclusive).', '2026-03-14T10:00:00Z')
  @IsOptional()
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;

  @Description(
    'Evaluate as of this time: over the 15 minutes before it, without spans that ended later. Cannot be combined with a range.',
    '2026-03-14T09:30:00Z',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;
}

function validateDifferencesRequest(request: DifferencesRequestModel): FieldError[] {
  const compiled = compileDifferences(request);
  return [...('errors' in compiled ? compiled.errors : []), ...validateTimes(request)];
}
