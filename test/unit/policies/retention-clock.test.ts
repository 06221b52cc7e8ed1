import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { RetentionClock } from '../../../src/policies/retention-clock.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { CLOCK_STREAM } from '../../../src/streams/stream-names.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T = Date.UTC(2026, 5, 20, 12);

/** A machine whose clock can be set; `monotonic` continues whatever the clock says. */
class Machine {
  now = T;
  monotonic = 0;
  machineStart = 'first';
  readonly log = new MemoryEventStore({ clock: () => this.now });
  failure: Error | undefined;

  start(newest?: number): RetentionClock {
    return new RetentionClock({
      events: {
        append: (...call) => (this.failure === undefined ? this.log.append(...call) : Promise.reject(this.failure)),
        readStream: (...call) => this.log.readStream(...call),
        truncate: (...call) => this.log.truncate(...call),
      },
      readNewestLogTime: () => Promise.resolve(newest),
      now: () => this.now,
      uptime: () => ({ machineStart: this.machineStart, ms: this.monotonic }),
      newId: randomUUID,
    });
  }

  pass(ms: number): void {
    this.now += ms;
    this.monotonic += ms;
  }

  async observations(): Promise<unknown[]> {
    return (await this.log.readStream(CLOCK_STREAM)).map(({ data }) => data);
  }
}

describe('retention clock', () => {
  let machine: Machine;
  beforeEach(() => (machine = new Machine()));

  it('is healthy and in no doubt while the clock agrees, and records about one observation an hour', async () => {
    const clock = machine.start();
    for (let minutes = 0; minutes <= 120; minutes += 20) {
      assert.equal((await clock.observe()).trusted, machine.now);
      machine.pass(20 * 60_000);
    }
    assert.deepEqual(await clock.check(), { ok: true });
    assert.deepEqual(clock.possibleNow(), { earliest: machine.now, latest: machine.now });
    assert.equal((await machine.observations()).length, 4, 'each time half an hour has passed');
  });

  it('stays on hold over restarts until the clock is right again', async () => {
    await machine.start().observe();
    machine.now = T + 30 * DAY;
    for (let start = 0; start < 3; start++) {
      const clock = machine.start();
      assert.deepEqual(await clock.observe(), { kind: 'ahead', trusted: T, expected: T });
      const health = await clock.check();
      assert.ok(health.ok && /30\.0 days ahead/.test(health.degraded!));
      assert.deepEqual(clock.possibleNow(), { earliest: T, latest: T + 30 * DAY });
    }
    machine.now = T + HOUR;
    const clock = machine.start();
    assert.equal((await clock.observe()).kind, 'agrees');
    assert.deepEqual(await clock.check(), { ok: true });
  });

  it('does not take an uptime that lies ahead for time that has not passed: containers share the id of their host', async () => {
    const clock = machine.start();
    for (let hour = 0; hour < 24; hour++) {
      machine.pass(HOUR);
      await clock.observe();
    }
    machine.now += 12 * HOUR;
    machine.monotonic = 60_000;
    assert.equal((await machine.start().observe()).kind, 'agrees');
  });

  it('continues with the time that passes while it is on hold, also over a restart', async () => {
    await machine.start().observe();
    machine.now = T + 30 * DAY;
    const clock = machine.start();
    await clock.observe();
    machine.pass(5 * HOUR);
    assert.equal((await clock.observe()).trusted, T + 5 * HOUR);
    assert.equal((await machine.start().observe()).trusted, T + 5 * HOUR);
  });

  it('notices a jump between two rounds', async () => {
    const clock = machine.start();
    await clock.observe();
    machine.now -= 30 * DAY;
    const health = await clock.check();
    assert.ok(health.ok && /30\.0 days behind/.test(health.degraded!));
    assert.deepEqual(clock.possibleNow(), { earliest: T - 30 * DAY, latest: T });
  });

  it('admits by the expected time as well while the clock is a few hours behind, which is no reason for a hold', async () => {
    const clock = machine.start();
    await clock.observe();
    machine.now -= 5 * HOUR;
    assert.deepEqual(await clock.check(), { ok: true });
    assert.deepEqual(clock.possibleNow(), { earliest: T - 5 * HOUR, latest: T });
    machine.pass(HOUR);
    assert.deepEqual(clock.possibleNow(), { earliest: T - 4 * HOUR, latest: T + HOUR });
  });

  it('follows a clock that an operator has confirmed, in every process', async () => {
    const other = machine.start();
    await machine.start().observe();
    await other.observe();
    machine.now = T + 30 * DAY;
    const clock = machine.start();
    await clock.observe();
    await clock.confirm('operator:ops');
    assert.deepEqual(await clock.check(), { ok: true });
    assert.deepEqual(await other.check(), { ok: true });
    assert.equal((await other.observe()).trusted, machine.now);
    assert.deepEqual((await machine.observations()).at(-1), {
      at: T + 30 * DAY,
      clock: T + 30 * DAY,
      confirmedBy: 'operator:ops',
      machineStart: 'first',
      uptime: 0,
    });
  });

  it('starts from the newest telemetry of a log without observations', async () => {
    machine.now = T + 30 * DAY;
    assert.equal((await machine.start(T).observe()).trusted, T);
    const behind = new Machine();
    assert.equal((await behind.start(T + 30 * DAY).observe()).trusted, T, 'a log time in the future expires nothing');
    assert.equal((await behind.start().observe()).kind, 'behind');
  });

  it('does not follow many short steps of a machine that has run for minutes, in one process or in several', async () => {
    await machine.start().observe();
    for (const isRestarted of [true, false, true, false, true, true]) {
      let clock = machine.start();
      for (let step = 0; step < 3; step++) {
        machine.now += 5 * HOUR;
        machine.pass(60_000);
        if (isRestarted) clock = machine.start();
        assert.ok((await clock.observe()).trusted <= T + DAY + HOUR);
      }
    }
    const clock = machine.start();
    assert.equal((await clock.observe()).kind, 'ahead');
    assert.match((await clock.inspect()).advice!, /3\.8 days ahead/);
    machine.now = T + machine.monotonic;
    assert.equal((await clock.observe()).kind, 'agrees', 'once it is right');
  });

  it('follows a machine that is off, or paused, for most of each day', async () => {
    await machine.start().observe();
    for (let day = 0; day < 10; day++) {
      machine.now += 23 * HOUR;
      machine.machineStart = `start ${day}`;
      const clock = machine.start();
      for (let minutes = 0; minutes <= 60; minutes += 20) {
        assert.equal((await clock.observe()).kind, 'agrees');
        machine.pass(20 * 60_000);
      }
    }
    const clock = machine.start();
    for (let day = 0; day < 10; day++) {
      for (let hour = 0; hour < 9; hour++) {
        machine.pass(HOUR);
        assert.equal((await clock.observe()).kind, 'agrees');
      }
      machine.now += 15 * HOUR;
    }
  });

  it('believes a clock after a service was stopped for a week on a machine that has run on', async () => {
    await machine.start().observe();
    machine.pass(7 * DAY);
    assert.deepEqual(await machine.start().observe(), { kind: 'agrees', trusted: machine.now, expected: machine.now });
  });

  it('believes a clock that was wrong until the machine had a network', async () => {
    const before = machine.start();
    await before.observe();
    machine.pass(HOUR);
    await before.observe();
    machine.machineStart = 'second';
    machine.monotonic = 0;
    machine.now = T - 30 * DAY;
    const clock = machine.start();
    assert.equal((await clock.observe()).kind, 'behind');
    machine.now = T + 2 * HOUR;
    assert.equal((await clock.observe()).kind, 'agrees');
  });

  it('says why retention is on hold when the clock cannot be checked', async () => {
    const clock = machine.start();
    machine.failure = new Error('disk full');
    await assert.rejects(clock.observe(), /disk full/);
    assert.deepEqual(await clock.check(), {
      ok: true,
      degraded: 'retention is on hold because the clock cannot be checked: disk full',
    });
    machine.failure = undefined;
    await clock.observe();
    assert.deepEqual(await clock.check(), { ok: true });
  });

  it('deletes observations after a month', async () => {
    const clock = machine.start();
    await clock.observe();
    machine.pass(31 * DAY);
    await clock.observe();
    await clock.truncate(machine.now);
    assert.equal((await machine.observations()).length, 1);
    assert.equal((await machine.start().observe()).kind, 'agrees');
  });
});
