import assert from 'node:assert/strict';
import { LIVE_DEAD_LETTERS, deadLetterId } from '../../../../src/read-models/documents/dead-letter-documents.js';
import { readActiveVersion } from '../../../../src/read-models/documents/projection-documents.js';
import { DamagedEvent } from '../../../../src/streams/damaged-event.js';
import type { EventReader, Position, RecordedEvent } from '../../../../src/streams/event-store.js';
import { failSwap } from './support/failing-swap.js';
import { GRID, logsReceived, spansReceived } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { STORAGES } from './support/storages.js';
import { until } from './support/until.js';

const quiet = (): void => undefined;
/** No decoder gets through this. */
const INDIGESTIBLE = Uint8Array.of(0x0a, 0xff);

for (const storage of STORAGES)
  describe(`dead letters over ${storage.name}`, () => {
    let log: ProjectedLog;
    let fault: Fault;
    let counts: number[];

    beforeEach(() => {
      counts = [];
      log = new ProjectedLog(undefined, { graceMs: 0, onDeadLetterCount: (count) => counts.push(count) }, storage);
      fault = planted(log.events);
    });
    afterEach(() => log.remove());

    const span = (number: number) => ({ trace: 1, span: number, start: log.now + number });

    /** Three requests, of which the second cannot be decoded until the fault is fixed. */
    async function sendThree(): Promise<Position> {
      await log.append(spansReceived([span(1)]));
      const position = await log.append(spansReceived([span(2)]));
      fault.at = position;
      await log.append(spansReceived([span(3)]));
      await log.append(logsReceived([{ time: log.now, body: 'x' }]));
      return position;
    }

    it('are listed with position, projections that miss them and reason', async () => {
      const position = await sendThree();
      const projector = await log.settle();
      const [deadLetters, ...more] = await projector.listDeadLetters();
      assert.equal(more.length, 0);
      const { error, after, ...rest } = deadLetters;
      assert.match(error, /stored body has 2 bytes/);
      assert.ok(after !== undefined && after < position);
      assert.deepEqual(rest, {
        position,
        projection: 'telemetry',
        lacking: ['traces'],
        type: 'TracesReceived.v1',
        stream: deadLetters.stream,
        revision: 1,
        records: { gridId: GRID, signal: 'traces', accepted: 1, rejected: 0 },
        at: log.now,
      });
      assert.equal((await log.spans()).length, 2);
    });

    it('are reported as degraded, not as failed, and counted', async () => {
      await sendThree();
      const projector = await log.settle();
      await until(() => Promise.resolve(counts.at(-1) === 1));
      const health = await projector.check();
      assert.ok(health.ok);
      assert.match(health.degraded ?? '', /1 events could not be projected/);
    });

    it('stay, and nothing is rebuilt, while they cannot be folded', async () => {
      const position = await sendThree();
      const projector = await log.settle();
      const {
        tried: [tried],
        rebuilt,
        left,
      } = await projector.retryDeadLetters({}, quiet);
      assert.equal(tried.position, position);
      assert.equal(tried.folds, false);
      assert.match(tried.error ?? '', /stored body has 2 bytes/);
      assert.deepEqual([rebuilt.length, left], [0, 1]);
      assert.equal(await readActiveVersion(log.store, 'traces'), 1);
    });

    it('are folded in order after a fix, by a rebuild of the projections that miss them only', async () => {
      await sendThree();
      const projector = await log.settle();
      fault.isRepaired = true;
      const { tried, rebuilt, left } = await projector.retryDeadLetters({}, quiet);
      assert.deepEqual(
        tried.map(({ folds }) => folds),
        [true],
      );
      assert.deepEqual(
        rebuilt.map(({ projection }) => projection),
        ['traces'],
      );
      assert.equal(left, 0);
      assert.deepEqual(await projector.listDeadLetters(), []);
      assert.equal((await log.spans()).length, 3);
      assert.equal(counts.at(-1), 0);
      assert.deepEqual(await projector.check(), { ok: true });
      assert.ok((await projector.verify('traces')).equal);
    });

    it('are cleared by any rebuild that folds them, and stay after one that does not', async () => {
      await sendThree();
      const projector = await log.settle();
      assert.equal((await projector.rebuild('traces', quiet)).parked, 1);
      await projector.rebuild('logs', quiet);
      assert.equal((await projector.listDeadLetters()).length, 1);
      fault.isRepaired = true;
      assert.equal((await projector.rebuild('traces', quiet)).parked, 0);
      assert.equal((await projector.listDeadLetters()).length, 0);
      assert.equal(counts.at(-1), 0);
    });

    it('of a rebuild affect only the rebuilt projection', async () => {
      fault.isRepaired = true;
      await sendThree();
      const projector = await log.settle();
      fault.isRepaired = false;
      const rebuilt = await projector.rebuild('traces', quiet);
      assert.equal(rebuilt.parked, 1);
      assert.equal(rebuilt.former?.equal, false);
      assert.deepEqual(
        (await projector.listDeadLetters()).map(({ lacking }) => lacking),
        [['traces']],
      );
      assert.equal((await log.spans()).length, 2);
    });

    it('affect all projections if the log could not read them, until each was rebuilt with them', async () => {
      const position = await sendThree();
      fault.isUnreadable = true;
      const projector = await log.settle();
      assert.deepEqual(
        (await projector.listDeadLetters()).map(({ lacking, type }) => [lacking, type]),
        [[['traces', 'logs', 'metrics'], undefined]],
      );
      assert.match((await projector.retryDeadLetters({}, quiet)).tried[0].error ?? '', new RegExp(position));
      fault.isRepaired = true;
      await projector.retryDeadLetters({ projection: 'logs' }, quiet);
      assert.deepEqual(
        (await projector.listDeadLetters()).map(({ lacking }) => lacking),
        [['traces', 'metrics']],
      );
      assert.equal((await projector.retryDeadLetters({}, quiet)).left, 0);
      assert.equal((await log.spans()).length, 3);
    });

    it('of damaged events are distinguished by a verification, which says what a replay would lose', async () => {
      const position = await sendThree();
      fault.isRepaired = true;
      const projector = await log.settle();
      assert.equal((await projector.verify('traces')).damage, undefined);
      [fault.isRepaired, fault.isUnreadable] = [false, true];
      const afterwards = await projector.verify('traces');
      assert.equal(afterwards.equal, false);
      const [event, ...others] = afterwards.damage?.events ?? [];
      assert.deepEqual([event.position, event.retained, others.length], [position, true, 0]);
      assert.match(event.error, new RegExp(`^Event at position ${position} is damaged: `));
      assert.deepEqual([afterwards.damage?.count, afterwards.damage?.retained], [1, 1]);
      await projector.rebuild('traces', quiet, { acceptLoss: true });
      const rebuilt = await projector.verify('traces');
      assert.deepEqual([rebuilt.equal, rebuilt.damage?.count, rebuilt.damage?.retained], [true, 1, 0]);
      assert.deepEqual(
        (await projector.listDeadLetters()).map(({ damaged }) => damaged),
        [true],
      );
    });

    it('of damaged events refuse a rebuild that would lose what the read model in use has, whoever asks for it', async () => {
      const position = await sendThree();
      fault.isRepaired = true;
      const projector = await log.settle();
      const { digest } = await projector.digest('traces');
      [fault.isRepaired, fault.isUnreadable] = [false, true];
      for (let attempt = 0; attempt < 2; attempt++)
        await assert.rejects(projector.rebuild('traces', quiet), (error: Error & { code?: string }) => {
          assert.equal(error.code, 'conflict');
          assert.match(
            error.message,
            new RegExp(`may have 1 damaged event that a replay loses, at ${position}\\n.*--accept-loss`),
          );
          return true;
        });
      assert.equal((await projector.digest('traces')).digest, digest, 'the read model is what it was');
      assert.deepEqual(await projector.check(), { ok: true }, 'a refusal is no failure');
      assert.equal((await log.spans()).length, 3);
      const next = await log.restart();
      assert.equal((await next.digest('traces')).digest, digest, 'and a restart does not continue the rebuild');
      const rebuilt = await next.rebuild('traces', quiet, { acceptLoss: true });
      assert.deepEqual([rebuilt.parked, (await log.spans()).length], [1, 2]);
      assert.equal((await next.rebuild('traces', quiet)).parked, 1, 'there is nothing more to lose');
    });

    it('are lost by a rebuild that the operator allowed to lose them, also if it is completed after a restart', async () => {
      await sendThree();
      fault.isRepaired = true;
      const projector = await log.settle();
      [fault.isRepaired, fault.isUnreadable] = [false, true];
      const mend = failSwap(log.store);
      await assert.rejects(projector.rebuild('traces', quiet, { acceptLoss: true }), /the disk is full/);
      mend();
      await log.restart();
      await until(async () => (await readActiveVersion(log.store, 'traces')) === 2);
      assert.equal((await log.spans()).length, 2);
    });

    it('are not lost by a later rebuild without that consent, which continues the same version', async () => {
      await sendThree();
      fault.isRepaired = true;
      const projector = await log.settle();
      [fault.isRepaired, fault.isUnreadable] = [false, true];
      const mend = failSwap(log.store);
      await assert.rejects(projector.rebuild('traces', quiet, { acceptLoss: true }), /the disk is full/);
      mend();
      await assert.rejects(projector.rebuild('traces', quiet), { code: 'conflict' });
      assert.equal((await log.spans()).length, 3);
    });

    it('still affect the others if a rebuild of one could not read them either', async () => {
      await sendThree();
      fault.isUnreadable = true;
      const projector = await log.settle();
      assert.equal((await projector.rebuild('logs', quiet)).parked, 1);
      assert.deepEqual(
        (await projector.listDeadLetters()).map(({ lacking }) => [...lacking].sort()),
        [['logs', 'metrics', 'traces']],
      );
    });

    it('that crashed the process are skipped without an attempt, also in rebuilds and verifications, unless requested', async () => {
      const position = await sendThree();
      fault.isRepaired = true;
      const projector = await log.settle();
      await note(position, { fatal: true });
      await projector.rebuild('traces', quiet);
      assert.equal((await log.spans()).length, 2);
      assert.ok((await projector.verify('traces')).equal);
      const [deadLetters] = await projector.listDeadLetters();
      assert.equal(deadLetters.fatal, true);
      const refused = await projector.retryDeadLetters({}, quiet);
      assert.deepEqual([refused.tried[0].folds, refused.rebuilt.length], [false, 0]);
      assert.equal((await projector.retryDeadLetters({ fatal: true }, quiet)).left, 0);
      assert.equal((await log.spans()).length, 3);
    });

    it('of an older version, which did not record the affected projections, are cleared when the whole group was rebuilt', async () => {
      const position = await sendThree();
      fault.isRepaired = true;
      const projector = await log.settle();
      await note(position, {});
      for (const name of ['traces', 'logs', 'metrics']) {
        assert.equal((await projector.listDeadLetters()).length, 1);
        await projector.rebuild(name, quiet);
      }
      assert.equal((await projector.listDeadLetters()).length, 0);
    });

    it('of an unknown projection do not exist', async () => {
      const projector = await log.settle();
      await assert.rejects(projector.retryDeadLetters({ projection: 'weather' }, quiet), { code: 'not-found' });
    });

    async function note(position: Position, more: { readonly fatal?: true }): Promise<void> {
      const document = { position, projection: 'telemetry', error: 'by hand', ...more };
      await log.store.commit(
        [{ kind: 'put', collection: LIVE_DEAD_LETTERS, id: deadLetterId(document), document }],
        [],
      );
    }
  });

interface Fault {
  /** Where. */
  at: Position | undefined;
  isRepaired: boolean;
  /** The log cannot give the event at all. */
  isUnreadable: boolean;
}

/** A simulated defect: one event is read in a form that no fold can process. */
function planted(events: EventReader): Fault {
  const fault: Fault = { at: undefined, isRepaired: false, isUnreadable: false };
  const isBad = ({ position }: RecordedEvent): boolean => position === fault.at && !fault.isRepaired;
  const seen = (event: RecordedEvent): RecordedEvent =>
    isBad(event) ? { ...event, body: INDIGESTIBLE.slice() } : event;
  const readAll = events.readAll.bind(events);
  const readEvent = events.readEvent.bind(events);
  events.readAll = async (after, options) => {
    const batch = await readAll(after, options);
    const bad = fault.isUnreadable ? batch.findIndex(isBad) : -1;
    if (bad === 0) throw new DamagedEvent(batch[0].position, 'by the test');
    return (bad < 0 ? batch : batch.slice(0, bad)).map(seen);
  };
  events.readEvent = async (stream, revision) => {
    const event = await readEvent(stream, revision);
    return event && seen(event);
  };
  return fault;
}
