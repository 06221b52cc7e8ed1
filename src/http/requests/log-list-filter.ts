import { IsOptional } from 'class-validator';
import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/severity.js';
import { Means, Whole } from './field-schemas.js';
import { SearchModel } from './search.js';
import { IsScalarMap, OneOf, Text, type ScalarMap } from './rules.js';

/** Body of a log search. `body` is full text: all words, `prefix*`, `"a phrase"`. */
@Whole({ description: 'Which log entries are wanted: those that meet all conditions.' })
export class LogListFilterModel extends SearchModel {
  @Means('Exactly this level of severity.', 'Error')
  @IsOptional() @OneOf(SEVERITY_LEVELS)
  severityLevel?: SeverityLevel;

  @Means('Name of the service.', 'checkout')
  @IsOptional() @Text()
  serviceName?: string;

  @Means('Full text of the message: all words, in any case; `prefix*`, `"a phrase"`.', 'payment failed')
  @IsOptional() @Text()
  body?: string;

  @Means('Id of a trace, in any case.', '5b8efff798038103d269b633813fc60c')
  @IsOptional() @Text()
  traceId?: string;

  @Means('Id of a span, in any case.', 'eee19b7ec3c1b174')
  @IsOptional() @Text()
  spanId?: string;

  @Means('Attributes of the entry, all of which must be there with these values. Compared by their string form.', { 'order.id': 4711 })
  @IsOptional() @IsScalarMap()
  attributes?: ScalarMap;
}
