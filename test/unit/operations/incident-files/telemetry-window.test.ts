import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { readEventsRecordedIn } from '../../../../src/operations/incident-files/exported-events.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';

const STREAM = 'telemetry.00-a';

describe('recording window of a stream', () => {
  it('contains the events recorded in it, despite truncation and other streams', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(30), { maxLength: 60 }),
        fc.nat(30),
        fc.nat(30),
        fc.nat(30),
        async (steps, from, length, truncated) => {
          let now = 1_000;
          const log = new MemoryEventStore({ clock: () => now });
          for (const step of steps) {
            now += step % 4;
            await log.append(step % 3 === 0 ? 'telemetry.00-b' : STREAM, 'any', [
              { id: randomUUID(), type: 'Numbered.v1', data: {} },
            ]);
          }
          await log.truncate('telemetry.', 1_000 + truncated);
          const all = (await log.readStream(STREAM)).map(({ recordedAt }) => recordedAt);
          const window = { fromMs: 1_000 + from, toMs: 1_000 + from + length, bodies: true };
          const found: number[] = [];
          for await (const { recordedAt, stream } of readEventsRecordedIn(log, STREAM, window)) {
            assert.equal(stream, STREAM);
            found.push(recordedAt);
          }
          assert.deepEqual(
            found,
            all.filter((time) => time >= window.fromMs && time <= window.toMs),
          );
        },
      ),
    );
  });
});
