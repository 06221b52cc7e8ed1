import { IsIn, IsOptional } from 'class-validator';
import type { SpanStatus } from '../../queries/answers.js';
import { SearchModel } from './search.js';
import { IsNotBelow, IsScalarMap, Text, WholeNumber, type ScalarMap } from './rules.js';

const STATUSES: readonly SpanStatus[] = ['OK', 'ERROR'];

/** Body of a trace search. Durations are inclusive bounds in ms. */
export class TraceListFilterModel extends SearchModel {
  @IsOptional() @Text()
  serviceName?: string;

  @IsOptional() @Text()
  operationName?: string;

  @IsOptional() @WholeNumber(0)
  minDuration?: number;

  @IsOptional() @IsNotBelow('minDuration') @WholeNumber(0)
  maxDuration?: number;

  @IsOptional() @IsIn(STATUSES)
  status?: SpanStatus;

  @IsOptional() @IsScalarMap()
  tags?: ScalarMap;
}
