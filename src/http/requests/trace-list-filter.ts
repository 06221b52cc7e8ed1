import { IsOptional } from 'class-validator';
import type { SpanStatus } from '../../queries/answers.js';
import { Means, Whole } from './field-schemas.js';
import { SearchModel } from './search.js';
import { IsNotBelow, IsScalarMap, OneOf, Text, WholeNumber, type ScalarMap } from './rules.js';

const STATUSES: readonly SpanStatus[] = ['OK', 'ERROR'];

/** Body of a trace search. Durations are inclusive bounds in ms. */
@Whole({ description: 'Which traces are wanted. A trace is found when one of its spans meets all conditions; without any, by its root.' })
export class TraceListFilterModel extends SearchModel {
  @Means('Name of the service.', 'checkout')
  @IsOptional() @Text()
  serviceName?: string;

  @Means('Name of the span.', 'POST /orders')
  @IsOptional() @Text()
  operationName?: string;

  @Means('Shortest duration, which counts. Milliseconds.', 500)
  @IsOptional() @WholeNumber(0)
  minDuration?: number;

  @Means('Longest duration, which counts. Milliseconds.', 60_000)
  @IsOptional() @IsNotBelow('minDuration') @WholeNumber(0)
  maxDuration?: number;

  @Means('Status of the span.', 'ERROR')
  @IsOptional() @OneOf(STATUSES)
  status?: SpanStatus;

  @Means('Attributes of the span or its resource, all of which must be there with these values. Compared by their string form.', { 'http.route': '/orders' })
  @IsOptional() @IsScalarMap()
  tags?: ScalarMap;
}
