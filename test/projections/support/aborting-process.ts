import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { SILENT } from '../../../src/log.js';
import { AttemptsFile } from '../../../src/projections/adapters/file/attempts-file.js';
import type { Fold } from '../../../src/projections/fold.js';
import { Runner } from '../../../src/projections/runner.js';
import { SqliteReadModelStore } from '../../../src/read-models/adapters/sqlite/read-model-store.js';
import { PARKED_EVENTS } from '../../../src/read-models/parked-events.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';

/** Projects five events in a folder, of which one aborts the process that folds it. Prints what is parked and folded. */
const [, , folder] = process.argv;
const events = new MemoryEventStore();
for (const id of ['a', 'b', 'c', 'd', 'e']) await events.append('mine-1', 'any', [{ id, type: 'Happened.v1', data: {} }]);
const store = new SqliteReadModelStore(join(folder, 'read-models.db'));
const seen = { name: 'seen.v1', indexes: [] };
const fold: Fold = {
  restore: () => Promise.resolve(),
  portion: (batch, from) => batch.length - from,
  fold(batch) {
    if (batch.some(({ id }) => id === 'c')) process.abort();
    return Promise.resolve(batch.map(({ id }) => ({ kind: 'put', collection: seen, id, document: {} })));
  },
};
const run = { name: 'mine', group: 'mine', prefixes: ['mine-'], checkpoints: ['mine.v1'], fold };
await new Runner(run, { events, store, log: SILENT, hints: NEVER, attempts: new AttemptsFile(join(folder, 'attempts.json'), SILENT), until: await events.head() }).start();
const parked = await store.find(PARKED_EVENTS, {});
const folded = await store.find(seen, {});
process.stdout.write(JSON.stringify({ parked: parked.map(({ document }) => document), folded: folded.map(({ id }) => id).sort() }));
await store.close();
