import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWriter, prepareCached } from '../../../src/streams/adapters/sqlite/event-log-connection.js';
import { assertWalUndamaged } from '../../../src/streams/adapters/sqlite/wal-damage.js';
import { toEventLogPath } from '../../../src/streams/adapters/sqlite/data-folder.js';
import type { Image } from './disk-model.js';

/** Event ids in a disk image in position order. Throws if SQLite reports the file as damaged. */
export function storedIds(image: Image, scratch: string): string[] {
  const dir = mkdtempSync(join(scratch, 'image-'));
  try {
    putImage(image, dir);
    return idsIn(toEventLogPath(dir));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export function putImage(image: Image, dir: string): void {
  mkdirSync(dir, { recursive: true });
  for (const [name, content] of image) writeFileSync(join(dir, name), content, { mode: 0o600 });
}

function idsIn(file: string): string[] {
  assertWalUndamaged(file);
  const database = openWriter(file);
  try {
    const { integrity_check: findings } = prepareCached(database, 'PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    if (findings !== 'ok') throw new Error(findings);
    return (prepareCached(database, 'SELECT id FROM events ORDER BY position').all() as { id: string }[]).map(
      ({ id }) => id,
    );
  } finally {
    database.close();
  }
}
