import assert from 'node:assert/strict';
import { GRID, logsReceived, spansReceived, type TestSpan } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { STORAGES } from './support/storages.js';

const MINUTE = 60_000;
const OTHER_GRID = '11111111-2222-4333-8444-555555555555';

for (const storage of STORAGES)
  describe(`repetitions over ${storage.name}`, () => {
    let log: ProjectedLog;

    beforeEach(() => {
      log = new ProjectedLog(undefined, {}, storage);
    });
    afterEach(() => log.remove());

    const span = (number: number, start = log.now, more: Partial<TestSpan> = {}): TestSpan => ({
      trace: 1,
      span: number,
      start,
      ...more,
    });

    it('counts a retried request once', async () => {
      const logs = [
        { time: log.now, body: 'paid' },
        { time: log.now, body: 'paid' },
      ];
      for (let i = 0; i < 3; i++) await log.append(logsReceived(logs));
      await log.settle();
      assert.deepEqual(await log.logs(), [log.now, log.now], 'equal records of one request are all kept');
    });

    it('counts a retried request once across a restart of the projector', async () => {
      const first = log.now;
      await log.append(logsReceived([{ time: first, body: 'paid' }]));
      await log.settle();
      log.now += 14 * MINUTE;
      await log.append(logsReceived([{ time: first, body: 'paid' }]));
      await log.restart();
      assert.equal((await log.logs()).length, 1);
    });

    it('counts a request again that comes 15 minutes later', async () => {
      const first = log.now;
      await log.append(logsReceived([{ time: first, body: 'paid' }]));
      log.now += 15 * MINUTE;
      await log.append(logsReceived([{ time: first, body: 'paid' }]));
      await log.settle();
      assert.equal((await log.logs()).length, 2);
    });

    it('stores equal requests of two Grids', async () => {
      for (const gridId of [GRID, OTHER_GRID])
        await log.append(logsReceived([{ time: log.now, body: 'paid' }], gridId));
      for (const gridId of [GRID, OTHER_GRID]) await log.append(spansReceived([span(1)], gridId));
      await log.settle();
      for (const gridId of [GRID, OTHER_GRID]) {
        assert.equal((await log.logs(gridId)).length, 1);
        assert.equal((await log.spans(gridId)).length, 1);
      }
    });

    it('counts a span once that is sent again with other spans', async () => {
      await log.append(spansReceived([span(1), span(2)]));
      await log.append(spansReceived([span(2), span(3), span(3)]));
      await log.settle();
      assert.deepEqual(await log.spans(), [`1/1@${log.now}`, `1/2@${log.now}`, `1/3@${log.now}`]);
    });

    it('treats spans with one id in two traces as two spans', async () => {
      await log.append(spansReceived([span(1), span(1, log.now, { trace: 2 })]));
      await log.settle();
      assert.equal((await log.spans()).length, 2);
    });

    it('drops another start within 15 minutes of log time, and stores it after that', async () => {
      const first = log.now;
      await log.append(spansReceived([span(1, first)]));
      log.now = first + 15 * MINUTE - 1;
      await log.append(spansReceived([span(1, first + 1)]));
      await log.restart();
      log.now = first + 15 * MINUTE;
      await log.append(spansReceived([span(1, first + 2)]));
      await log.settle();
      assert.deepEqual(await log.spans(), [`1/1@${first}`, `1/1@${first + 2}`]);
    });

    it('drops another start after a restart as before it', async () => {
      const first = log.now;
      await log.append(spansReceived([span(1, first)]));
      await log.settle();
      log.now += 10 * MINUTE;
      await log.append(spansReceived([span(1, first + 1)]));
      await log.restart();
      assert.deepEqual(await log.spans(), [`1/1@${first}`]);
    });

    it('drops the same start however late, also from merged blocks', async () => {
      const first = log.now;
      for (let i = 0; i < 40; i++) {
        await log.append(spansReceived([span(i, first + i)]));
        await log.settle();
      }
      log.now += 24 * 60 * MINUTE;
      await log.restart();
      for (let i = 0; i < 40; i++) await log.append(spansReceived([span(i, first + i), span(100 + i, first + i)]));
      await log.settle();
      assert.equal((await log.spans()).length, 80);
      assert.equal(new Set(await log.spans()).size, 80);
    });
  });

for (const storage of STORAGES)
  describe(`repetitions past the horizon of the table over ${storage.name}`, () => {
    const HORIZON = 8;
    let log: ProjectedLog;

    beforeEach(() => {
      log = new ProjectedLog(undefined, { spanHorizon: HORIZON }, storage);
    });
    afterEach(() => log.remove());

    it('are found in blocks when the start is the same', async () => {
      const first = log.now;
      for (let i = 0; i < 5 * HORIZON; i++) {
        await log.append(spansReceived([{ trace: i, span: i, start: first + i }]));
        await log.settle();
      }
      for (let i = 0; i < 5 * HORIZON; i++)
        await log.append(spansReceived([{ trace: i, span: i, start: first + i, attributes: { again: 'yes' } }]));
      await log.settle();
      assert.equal((await log.spans()).length, 5 * HORIZON);
    });

    it('are decided in the same way whether the projector was stopped, running or restarted', async () => {
      const first = log.now;
      const send = async (): Promise<void> => {
        for (let i = 0; i < 60; i++) {
          log.now += 1_000;
          await log.append(spansReceived([{ trace: 1, span: (i * 7) % 13, start: first + (i % 5) }]));
          if (i % 4 === 0) await log.settle();
          if (i % 10 === 9) await log.restart();
        }
      };
      await send();
      await log.settle();
      const live = await log.spans();
      const replayed = new ProjectedLog(undefined, { spanHorizon: HORIZON, events: log.events });
      try {
        await (await replayed.start()).waitForPosition('traces', await log.events.head(), 10_000);
        assert.deepEqual(await replayed.spans(), live);
      } finally {
        await replayed.stop();
      }
    });
  });
