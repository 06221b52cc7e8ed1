import { HindsightError } from '../../errors.js';
import {
  compileDifferences,
  compileQuery,
  findSeriesFault,
  placeQuery,
  type QueryPlan,
} from '../../queries/query/query-compiler.js';
import type { Query, QueryAnswer, QueryRange } from '../../queries/query/query-model.js';
import { DifferencesRequestModel, QueryRequestModel } from '../requests/query-requests.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import { DifferencesBody, QueryAnswerBody } from '../schemas/query-schemas.js';
import { StreamedList } from '../responses/send-response.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { runCancellable } from './cancellable-query.js';
import { parseValidatedNanos, toTimeRange } from './value-conversions.js';

const QUERY_ROUTE = { tag: 'Queries', grid: 'path', roles: EVERY_ROLE } as const;
const US_PER_MS = 1_000;
/** As long as the default window of diagnostics. */
const DEFAULT_RANGE_US = 15 * 60 * 1_000_000;

export const queryRoutes: readonly Route[] = [
  defineRoute({
    ...QUERY_ROUTE,
    method: 'POST',
    path: '/apm/query/{gridSecondaryId}',
    operationId: 'runQuery',
    summary: 'Query spans, logs or metrics',
    description:
      'Filters, groups and aggregates all records of a range, or lists them with all stored fields. The language of `where` is described in docs/query.md.',
    body: QueryRequestModel,
    refusals: ['invalid-request', 'overloaded'],
    async run({ telemetry }, { params, body, nowMs, signal }) {
      const query = buildQuery(params.gridSecondaryId, body, nowMs);
      return runCancellable(telemetry, signal, (queryId) => telemetry.runQuery(query, queryId));
    },
    responseSchema: QueryAnswerBody,
    present: presentQueryAnswer,
  }),
  defineRoute({
    ...QUERY_ROUTE,
    method: 'POST',
    path: '/apm/query/{gridSecondaryId}/differences',
    operationId: 'findDifferences',
    summary: 'Find what sets records apart',
    description:
      'Compares the records that meet `selection` with the others that meet `where`: which values of which fields are more frequent, by exact counts. Fields that the conditions name are left out.',
    body: DifferencesRequestModel,
    refusals: ['invalid-request', 'overloaded'],
    async run({ telemetry }, { params, body, nowMs, signal }) {
      const compiled = compileDifferences(body);
      if ('errors' in compiled) throw new TypeError('Cannot compile a validated comparison');
      const query = placeQuery(compiled.plan, { gridId: params.gridSecondaryId, range: resolveRange(body, nowMs) });
      return runCancellable(telemetry, signal, (queryId) => telemetry.findDifferences(query, queryId));
    },
    responseSchema: DifferencesBody,
    present: (answer) => answer,
  }),
];

/** Rejects with `invalid-request` if the series would be too long. */
function buildQuery(gridId: string, body: QueryRequestModel, nowMs: number): Query {
  const plan = compileChecked(body);
  const range = resolveRange(body, nowMs);
  const fault = findSeriesFault(plan, range);
  if (fault !== undefined)
    throw new HindsightError('invalid-request', 'One or more fields are invalid.', [
      { field: 'stepSeconds', message: fault },
    ]);
  return placeQuery(plan, { gridId, range, nowUs: nowMs * US_PER_MS });
}

function compileChecked(body: QueryRequestModel): QueryPlan {
  const compiled = compileQuery(body);
  if ('errors' in compiled) throw new TypeError('Cannot compile a validated query');
  return compiled.plan;
}

/** The given range, or the 15 minutes before `asOf` or before now. */
export function resolveRange(
  { rangeStart, rangeEnd, asOf }: Pick<QueryRequestModel, 'rangeStart' | 'rangeEnd' | 'asOf'>,
  nowMs: number,
): QueryRange {
  if (rangeStart !== undefined && rangeEnd !== undefined) return toTimeRange({ rangeStart, rangeEnd });
  const toUs = asOf === undefined ? nowMs * US_PER_MS : Number(parseValidatedNanos(asOf) / 1000n);
  return { fromUs: toUs - DEFAULT_RANGE_US, toUs, ...(asOf !== undefined && { knownByUs: toUs }) };
}

function presentQueryAnswer(answer: QueryAnswer): ResponseBody<typeof QueryAnswerBody> {
  if ('rows' in answer) return { ...answer, rows: new StreamedList(answer.rows, (row) => row) };
  return { ...answer, series: new StreamedList(answer.series, (series) => series) };
}
