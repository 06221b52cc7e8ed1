import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PROJECTION_GROUPS } from '../../../src/projections/projection-groups.js';
import { openCheckpointer, openWriter } from '../../../src/streams/adapters/sqlite/event-log-connection.js';
import { EventLogWriter } from '../../../src/streams/adapters/sqlite/event-log-writer.js';
import { encodeAppend } from '../../../src/streams/event-encoding.js';
import { EVENT_TYPES } from '../../../src/streams/events/event-registry.js';
import { eventShapes, SHAPES_FILE, type EventShapes } from './event-shapes.js';
import {
  DIGESTS_FILE,
  FOLDER,
  FROZEN_LOG,
  goldenDigests,
  goldenLog,
  lineOf,
  LOG_FILE,
  type GoldenDigests,
  type GoldenEvent,
} from './golden-log.js';
import { createEventLog, replayAll } from './replay.js';
import { idAt, Scenario, storedFixtures, streamOf } from './scenario.js';

/**
 * Extends the golden log: lines for new event types, digests of new projections and schemas, shapes of new types.
 * Existing entries are not changed: a digest or shape that changed without a new version is a mistake that tests report.
 * Run manually in the root of the project: `node dist/test/support/golden-log/write.js`.
 */
mkdirSync(FOLDER, { recursive: true });
const before = existsSync(LOG_FILE) ? goldenLog() : [];
const events = before.length > 0 ? withNewTypes(before) : new Scenario().build();
writeFileSync(LOG_FILE, events.map((event) => `${lineOf(event)}\n`).join(''));
if (!existsSync(FROZEN_LOG)) freeze(events);
writeJson(DIGESTS_FILE, await digests(existsSync(DIGESTS_FILE) ? goldenDigests() : {}));
const known = existsSync(SHAPES_FILE) ? (JSON.parse(readFileSync(SHAPES_FILE, 'utf8')) as EventShapes) : {};
writeJson(SHAPES_FILE, { ...eventShapes(), ...known });

function withNewTypes(log: readonly GoldenEvent[]): readonly GoldenEvent[] {
  const there = new Set(log.map(({ type }) => type));
  const missing = storedFixtures().filter(({ type }) => EVENT_TYPES.includes(type) && !there.has(type));
  const at = log[log.length - 1].at + 1000;
  return [
    ...log,
    ...missing.map((event, index) => {
      const stream = streamOf(event);
      // Above the numbers of all earlier lines: a store may take an event of a known id for a repeated append.
      return { stream, at, id: idAt(stream, log.length + index), ...event };
    }),
  ];
}

/** New lines change all digests: they are rewritten and must be reviewed together with the lines. */
async function digests(known: GoldenDigests): Promise<GoldenDigests> {
  const { digests: now } = await replayAll(await createEventLog(events));
  const isSameLog = before.length === events.length;
  const schemas = new Map(
    PROJECTION_GROUPS.flatMap(({ projections }) => projections.map(({ name, schema }) => [name, schema] as const)),
  );
  const entries = [...schemas].map(
    ([name, schema]) =>
      [name, isSameLog && known[name]?.schema === schema ? known[name] : { schema, digest: now[name] }] as const,
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function freeze(log: readonly GoldenEvent[]): void {
  let now = 0;
  const writer = new EventLogWriter(
    () => openWriter(FROZEN_LOG),
    () => now,
  );
  for (const { stream, at, ...event } of log) {
    now = at;
    writer.commit([{ stream, expected: 'any', events: encodeAppend([event], Infinity) }]);
  }
  writer.close();
  const checkpointer = openCheckpointer(FROZEN_LOG);
  checkpointer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  checkpointer.close();
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
