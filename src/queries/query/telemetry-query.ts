import type { Query, QueryAnswer } from './query-model.js';
import type { RecordSource } from './columns/record-batch.js';
import { answerRecords } from './record-query.js';
import { answerSeries } from './series-query.js';
import { answerTable } from './table-query.js';

/** Answers a query from the records of its signal. */
export function answerQuery(query: Query, source: RecordSource): Promise<QueryAnswer> {
  if (query.select.length === 0) return answerRecords(query, source);
  return query.stepSeconds === undefined ? answerTable(query, source) : answerSeries(query, query.stepSeconds, source);
}
