import { Description, ModelSchema } from './field-metadata.js';
import {
  IsAfter,
  IsInstant,
  IsNotBelow,
  IsScalarMap,
  MAX_PAGE,
  OneOf,
  Required,
  type ScalarMap,
  Text,
  WholeNumber,
} from './field-validators.js';
import { IsOptional } from 'class-validator';
import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/log-severity.js';
import type { SpanStatus } from '../../queries/telemetry/telemetry-query-types.js';

/** Fields of every search: a time window and a page. */
export class SearchModel {
  @Description('Start of the window (inclusive).', '2026-03-14T09:00:00Z')
  @IsInstant()
  @Required()
  rangeStart!: string;

  @Description('End of the window (exclusive).', '2026-03-14T10:00:00Z')
  @IsAfter('rangeStart')
  @IsInstant()
  @Required()
  rangeEnd!: string;

  @Description('Page number; the first page is 1.', 1)
  @WholeNumber(1, MAX_PAGE)
  page = 1;

  @Description('Items per page.', 20)
  @WholeNumber(1, 100)
  pageSize = 20;
}

/** Body of a log search. */
@ModelSchema({ description: 'Filter for log entries. An entry must meet all conditions.' })
export class LogListFilterModel extends SearchModel {
  @Description('Severity level (exact match).', 'Error')
  @IsOptional()
  @OneOf(SEVERITY_LEVELS)
  severityLevel?: SeverityLevel;

  @Description('Name of the service.', 'checkout')
  @IsOptional()
  @Text()
  serviceName?: string;

  @Description(
    'Full-text search in the message: all words must match (case-insensitive); supports `prefix*` and `"a phrase"`.',
    'payment failed',
  )
  @IsOptional()
  @Text()
  body?: string;

  @Description('Id of a trace (case-insensitive).', '5b8efff798038103d269b633813fc60c')
  @IsOptional()
  @Text()
  traceId?: string;

  @Description('Id of a span (case-insensitive).', 'eee19b7ec3c1b174')
  @IsOptional()
  @Text()
  spanId?: string;

  @Description(
    'Attributes of the entry. All of them must be present with these values; values are compared as strings.',
    { 'order.id': 4711 },
  )
  @IsOptional()
  @IsScalarMap()
  attributes?: ScalarMap;
}

const STATUSES: readonly SpanStatus[] = ['OK', 'ERROR'];

/** Body of a trace search. */
@ModelSchema({
  description:
    'Filter for traces. A trace matches if one of its spans meets all conditions; without conditions, the root span must be in the range.',
})
export class TraceListFilterModel extends SearchModel {
  @Description('Name of the service.', 'checkout')
  @IsOptional()
  @Text()
  serviceName?: string;

  @Description('Name of the span.', 'POST /orders')
  @IsOptional()
  @Text()
  operationName?: string;

  @Description('Minimum duration (inclusive). Milliseconds.', 500)
  @IsOptional()
  @WholeNumber(0)
  minDuration?: number;

  @Description('Maximum duration (inclusive). Milliseconds.', 60_000)
  @IsOptional()
  @IsNotBelow('minDuration')
  @WholeNumber(0)
  maxDuration?: number;

  @Description('Status of the span.', 'ERROR')
  @IsOptional()
  @OneOf(STATUSES)
  status?: SpanStatus;

  @Description(
    'Attributes of the span or its resource. All of them must be present with these values; values are compared as strings.',
    { 'http.route': '/orders' },
  )
  @IsOptional()
  @IsScalarMap()
  tags?: ScalarMap;
}
