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

/** What every search takes: a window of time, and a page of what lies in it. */
export class SearchModel {
  @Description('Start of the window, which belongs to it.', '2026-03-14T09:00:00Z')
  @IsInstant()
  @Required()
  rangeStart!: string;

  @Description('End of the window, which does not belong to it.', '2026-03-14T10:00:00Z')
  @IsAfter('rangeStart')
  @IsInstant()
  @Required()
  rangeEnd!: string;

  @Description('Which page of what was found; the first is 1.', 1)
  @WholeNumber(1, MAX_PAGE)
  page = 1;

  @Description('Items of a page.', 20)
  @WholeNumber(1, 100)
  pageSize = 20;
}

/** Body of a log search. `body` is full text: all words, `prefix*`, `"a phrase"`. */
@ModelSchema({ description: 'Which log entries are wanted: those that meet all conditions.' })
export class LogListFilterModel extends SearchModel {
  @Description('Exactly this level of severity.', 'Error')
  @IsOptional()
  @OneOf(SEVERITY_LEVELS)
  severityLevel?: SeverityLevel;

  @Description('Name of the service.', 'checkout')
  @IsOptional()
  @Text()
  serviceName?: string;

  @Description('Full text of the message: all words, in any case; `prefix*`, `"a phrase"`.', 'payment failed')
  @IsOptional()
  @Text()
  body?: string;

  @Description('Id of a trace, in any case.', '5b8efff798038103d269b633813fc60c')
  @IsOptional()
  @Text()
  traceId?: string;

  @Description('Id of a span, in any case.', 'eee19b7ec3c1b174')
  @IsOptional()
  @Text()
  spanId?: string;

  @Description(
    'Attributes of the entry, all of which must be there with these values. Compared by their string form.',
    { 'order.id': 4711 },
  )
  @IsOptional()
  @IsScalarMap()
  attributes?: ScalarMap;
}

const STATUSES: readonly SpanStatus[] = ['OK', 'ERROR'];

/** Body of a trace search. Durations are inclusive bounds in ms. */
@ModelSchema({
  description:
    'Which traces are wanted. A trace is found when one of its spans meets all conditions; without any, by its root.',
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

  @Description('Shortest duration, which counts. Milliseconds.', 500)
  @IsOptional()
  @WholeNumber(0)
  minDuration?: number;

  @Description('Longest duration, which counts. Milliseconds.', 60_000)
  @IsOptional()
  @IsNotBelow('minDuration')
  @WholeNumber(0)
  maxDuration?: number;

  @Description('Status of the span.', 'ERROR')
  @IsOptional()
  @OneOf(STATUSES)
  status?: SpanStatus;

  @Description(
    'Attributes of the span or its resource, all of which must be there with these values. Compared by their string form.',
    { 'http.route': '/orders' },
  )
  @IsOptional()
  @IsScalarMap()
  tags?: ScalarMap;
}
