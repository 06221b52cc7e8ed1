import { randomBytes, randomUUID } from 'node:crypto';
import { openEventStore } from '../../../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';

/**
 * A process that opens the folder in its first argument and appends until it is killed, sending the id of every event
 * that was acknowledged; or sends the message of the error that kept it from opening.
 */
const dir = process.argv[2];
try {
  const store = await openEventStore(dir, new InProcessFeed());
  process.send!({ opened: true });
  const writer = async (stream: string): Promise<never> => {
    for (;;) {
      const id = randomUUID();
      await store.append(stream, 'any', [{ id, type: 'Written.v1', data: {}, body: randomBytes(20_000) }]);
      process.send!({ acknowledged: id });
    }
  };
  await Promise.all(['telemetry.00-a', 'telemetry.00-a', 'telemetry.01-b', 'grid-a'].map(writer));
} catch (error) {
  process.send!({ refused: (error as Error).message });
  process.disconnect();
}
