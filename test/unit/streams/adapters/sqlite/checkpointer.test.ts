import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { checkpoint, PassiveCheckpointer } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { LogFolder, request } from './log-folder.js';

describe('passive checkpointer', () => {
  let folder: LogFolder;
  let warnings: string[];
  let checkpointer: PassiveCheckpointer;

  beforeEach(() => {
    folder = new LogFolder();
    warnings = [];
    checkpointer = new PassiveCheckpointer(folder.file, (message) => warnings.push(message));
  });
  afterEach(() => {
    checkpointer.close();
    folder.remove();
  });

  it('copies committed pages, also after it was closed', () => {
    const writer = folder.writer();
    for (const n of [1, 2]) {
      writer.commit([request('grid-a', n)]);
      checkpointer.runPass();
      const { log, checkpointed } = writer.withConnection((database) => checkpoint(database, 'NOOP'));
      assert.ok(log > 0);
      assert.equal(checkpointed, log);
      checkpointer.close();
    }
    assert.deepEqual(warnings, []);
    writer.close();
  });

  it('warns about a failed pass and runs the next one', () => {
    const aside = `${folder.dir}.aside`;
    renameSync(folder.dir, aside);
    checkpointer.runPass();
    assert.match(warnings.join(), /^WAL checkpoint of the event log failed: [^,]*$/);
    renameSync(aside, folder.dir);
    const writer = folder.writer();
    writer.commit([request('grid-a', 1)]);
    checkpointer.runPass();
    assert.equal(warnings.length, 1);
    writer.close();
  });
});
