import { LOG_ID_BLOOMS, LOG_IDS, LOG_PLACES } from '../read-models/blocks/log-columns.js';
import { hashPair, words32 } from '../read-models/blocks/words32.js';
import type { Attributes } from '../telemetry/attributes.js';
import { parseId, SPAN_ID_BYTES } from '../telemetry/ids.js';
import { resourceAt } from '../telemetry/otlp/outline.js';
import type { LogDetail } from './answers.js';
import { logEntries } from './logs/log-entries.js';
import { parseLogId } from './logs/log-id.js';
import { byTime, logPlace, type LogPlace } from './logs/log-place.js';
import { placeAt, type Records } from './records.js';
import type { LogSnapshot } from './snapshot.js';

/** The log record with this id, else the newest one of the span with this id; undefined when there is neither. */
export async function logDetail(snapshot: LogSnapshot, records: Records, id: string): Promise<LogDetail | undefined> {
  const place = (await findById(snapshot, id)) ?? (await newestOfSpan(snapshot, id));
  if (place === undefined) return undefined;
  const [entry] = await logEntries(records, [place]);
  return entry && { ...entry, resource: await resourceOf(place, records) };
}

/** Empty once the log has let go of it. */
async function resourceOf({ block, row }: LogPlace, records: Records): Promise<Attributes> {
  const place = placeAt(await block.read(LOG_PLACES), row);
  const [resource] = await records.read([place], (body, { offset }) => resourceAt(body, offset).attributes);
  return resource ?? {};
}

/** Only what stands in a block exists: an id of a record that was rejected or has expired is unknown. */
async function findById({ blocks, turn }: LogSnapshot, id: string): Promise<LogPlace | undefined> {
  const wanted = parseLogId(id);
  if (wanted === undefined) return undefined;
  for (const block of blocks) {
    if (wanted.revision < block.document.minRevision || wanted.revision > block.document.maxRevision) continue;
    await turn.giveWay();
    const { revision, ordinal } = await block.read(LOG_PLACES);
    for (let row = 0; row < revision.length; row++) {
      if (revision[row] === wanted.revision && ordinal[row] === wanted.ordinal) return logPlace(block, row);
    }
  }
  return undefined;
}

async function newestOfSpan({ blocks, turn }: LogSnapshot, id: string): Promise<LogPlace | undefined> {
  const bytes = parseId(id, SPAN_ID_BYTES);
  if (bytes === undefined) return undefined;
  const [a, b] = words32(bytes);
  let newest: LogPlace | undefined;
  for (const block of blocks) {
    await turn.giveWay();
    if (!(await block.read(LOG_ID_BLOOMS)).spans.has(hashPair(a, b))) continue;
    const { spans } = await block.read(LOG_IDS);
    for (let row = 0; row < block.document.rows; row++) {
      if (spans[row * 2] !== a || spans[row * 2 + 1] !== b) continue;
      await turn.giveWay();
      const place = await logPlace(block, row);
      if (newest === undefined || byTime(place, newest) > 0) newest = place;
    }
  }
  return newest;
}
