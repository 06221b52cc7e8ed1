import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Flips one bit in the middle of the body of the second event of each type, without SQLite noticing. Returns their
 * positions.
 */
export function flipBodies(file: string, types: readonly string[]): string[] {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 10000'); // a service may be writing
  const positions = types.map((type) => {
    const { position, body } = database
      .prepare('SELECT position, body FROM events WHERE type = ? ORDER BY position LIMIT 1 OFFSET 1')
      .get(type) as { position: number; body: Uint8Array };
    body[body.length >> 1] ^= 4;
    database.prepare('UPDATE events SET body = ? WHERE position = ?').run(body, position);
    return position.toString(16).padStart(16, '0');
  });
  database.close();
  return positions;
}
