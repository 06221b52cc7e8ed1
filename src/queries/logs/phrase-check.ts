import { LOG_PLACES } from '../../read-models/blocks/log-columns.js';
import { decodeLog } from '../../telemetry/otlp/log-record.js';
import { matchesText, type TextQuery } from '../../telemetry/words.js';
import { placeAt, type Records } from '../records.js';
import type { LogBlock } from './log-conditions.js';

/** Of the rows those whose body really matches: postings do not know in which order words stand. */
export async function rowsWithPhrases(block: LogBlock, rows: Uint16Array, records: Records, text: TextQuery): Promise<Uint16Array> {
  const columns = await block.read(LOG_PLACES);
  const places = Array.from(rows, (row) => placeAt(columns, row));
  const matches = await records.read(places, (body, { offset, length }) => matchesText(text, decodeLog(body, offset, length).body));
  return rows.filter((_, index) => matches[index] === true);
}
