import { Description } from './field-metadata.js';
import { Required, Text } from './field-validators.js';

/** Query parameters of a comparison of traces. */
export class TraceComparisonModel {
  @Description('Id of the trace to compare with.', '0af7651916cd43dd8448eb211c80319c')
  @Text()
  @Required()
  baselineTraceId!: string;
}
