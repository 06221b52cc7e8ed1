import { IsIn, IsOptional } from 'class-validator';
import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/severity.js';
import { SearchModel } from './search.js';
import { IsScalarMap, Text, type ScalarMap } from './rules.js';

/** Body of a log search. `body` is full text: all words, `prefix*`, `"a phrase"`. */
export class LogListFilterModel extends SearchModel {
  @IsOptional() @IsIn(SEVERITY_LEVELS)
  severityLevel?: SeverityLevel;

  @IsOptional() @Text()
  serviceName?: string;

  @IsOptional() @Text()
  body?: string;

  @IsOptional() @Text()
  traceId?: string;

  @IsOptional() @Text()
  spanId?: string;

  @IsOptional() @IsScalarMap()
  attributes?: ScalarMap;
}
