import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { SILENT_LOGGER } from '../../../../../src/self-telemetry/logger.js';
import { FilePoisonEventJournal } from '../../../../../src/projections/engine/adapters/file/file-poison-event-journal.js';
import type { Fold } from '../../../../../src/projections/projection.js';
import { ProjectionRunner } from '../../../../../src/projections/engine/projection-runner.js';
import { SqliteReadModelStore } from '../../../../../src/read-models/adapters/sqlite/read-model-store.js';
import { LIVE_DEAD_LETTERS } from '../../../../../src/read-models/documents/dead-letter-documents.js';
import { MemoryEventStore } from '../../../../../src/streams/adapters/memory/memory-event-store.js';

/**
 * Projects five events in a folder, of which one aborts the process that folds it. Prints dead letters and folded
 * events.
 */
const [, , folder] = process.argv;
const events = new MemoryEventStore();
for (const id of ['a', 'b', 'c', 'd', 'e'])
  await events.append('mine-1', 'any', [{ id, type: 'Happened.v1', data: {} }]);
const store = new SqliteReadModelStore(join(folder, 'read-models.db'));
const seen = { name: 'seen.v1', indexes: [] };
const fold: Fold = {
  restore: () => Promise.resolve(),
  commitSize: (batch, from) => batch.length - from,
  fold(batch) {
    if (batch.some(({ id }) => id === 'c')) process.abort();
    return Promise.resolve(batch.map(({ id }) => ({ kind: 'put', collection: seen, id, document: {} })));
  },
};
const run = { name: 'mine', group: 'mine', prefixes: ['mine-'], checkpoints: ['mine.v1'], fold };
await new ProjectionRunner(run, {
  events,
  store,
  log: SILENT_LOGGER,
  hints: NEVER,
  journal: new FilePoisonEventJournal(join(folder, 'attempts.json'), SILENT_LOGGER),
  until: await events.head(),
}).start();
const deadLetters = await store.find(LIVE_DEAD_LETTERS, {});
const folded = await store.find(seen, {});
process.stdout.write(
  JSON.stringify({
    deadLetters: deadLetters.map(({ document }) => document),
    folded: folded.map(({ id }) => id).sort(),
  }),
);
await store.close();
