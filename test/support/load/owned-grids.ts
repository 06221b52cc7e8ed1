import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../../../src/auth/api-key-secret.js';
import { createGridCommands } from '../../../src/commands/grids/grid-commands.js';
import { gridDecider } from '../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import { openEventStore } from '../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import { InProcessFeed } from '../../../src/streams/live/in-process-feed.js';
import type { Bootstrap } from '../service.js';

/** Creates a Grid with an API key for each of these users, in the folder of a service that does not run yet. */
export async function createOwnedGrids(dataDir: string, ownerIds: readonly string[]): Promise<Bootstrap[]> {
  const feed = new InProcessFeed();
  const store = await openEventStore(dataDir, feed);
  const commands = createGridCommands({
    handle: createCommandHandler(store, gridDecider),
    mintApiKey,
    newId: randomUUID,
    now: Date.now,
  });
  try {
    const grids: Bootstrap[] = [];
    for (const ownerId of ownerIds) {
      const { gridId } = await commands.createGrid(ownerId, 'grid', { id: ownerId, kind: 'user' });
      const { apiKey } = await commands.issueApiKey(ownerId, gridId, 'key');
      grids.push({ gridId, apiKey });
    }
    return grids;
  } finally {
    await Promise.all([store.close(), feed.close()]);
  }
}
