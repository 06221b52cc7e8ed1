import assert from 'node:assert/strict';
import fc from 'fast-check';
import { asWords32 } from '../../../../../src/read-models/blocks/uint32-words.js';
import {
  RecentSpans,
  DUPLICATE_WINDOW_MS,
  type SpanIds,
} from '../../../../../src/projections/telemetry/deduplication/recent-spans.js';

interface Seen {
  readonly id: number;
  readonly start: number;
}

/** Columns of spans whose ids are small numbers. */
function columnsOf(spans: readonly Seen[]): SpanIds {
  const spanId = new Uint8Array(spans.length * 8);
  spans.forEach(({ id }, row) => new DataView(spanId.buffer).setUint32(row * 8, id + 1));
  return {
    traceId: new Uint8Array(spans.length * 16).fill(7),
    spanId,
    startUs: Float64Array.from(spans, ({ start }) => start),
    startNs: new Uint16Array(spans.length),
  };
}

/** Rows that are admitted, all of one event. */
function admitted(recent: RecentSpans, at: number, spans: readonly Seen[], floorUs = 0): boolean[] {
  const columns = columnsOf(spans);
  recent.beginBatch(columns);
  recent.beginEvent(at);
  return spans.map((_, row) => recent.admit(columns, row, 1, floorUs));
}

describe('recent spans', () => {
  it('admit a span once, however long ago', () => {
    const recent = new RecentSpans();
    assert.deepEqual(
      admitted(recent, 0, [
        { id: 1, start: 5 },
        { id: 1, start: 5 },
      ]),
      [true, false],
    );
    assert.deepEqual(admitted(recent, 10 * DUPLICATE_WINDOW_MS, [{ id: 1, start: 5 }]), [false]);
  });

  it('admit another start when 15 minutes are over, and know both from then on', () => {
    const recent = new RecentSpans();
    admitted(recent, 0, [{ id: 1, start: 5 }]);
    assert.deepEqual(admitted(recent, DUPLICATE_WINDOW_MS - 1, [{ id: 1, start: 6 }]), [false]);
    assert.deepEqual(admitted(recent, DUPLICATE_WINDOW_MS, [{ id: 1, start: 6 }]), [true]);
    assert.deepEqual(
      admitted(recent, DUPLICATE_WINDOW_MS, [
        { id: 1, start: 5 },
        { id: 1, start: 6 },
      ]),
      [false, false],
    );
  });

  it('distinguish starts to the nanosecond', () => {
    const recent = new RecentSpans();
    const columns = columnsOf([
      { id: 1, start: 1_760_000_000_000_000 },
      { id: 1, start: 1_760_000_000_000_000 },
    ]);
    columns.startNs[1] = 1;
    recent.beginBatch(columns);
    recent.beginEvent(0);
    assert.equal(recent.admit(columns, 0, 1, 0), true);
    assert.equal(recent.find(columns, 0, 1, 0), 'same');
    assert.equal(recent.find(columns, 1, 1, 0), 'other');
    assert.equal(recent.find(columns, 1, 2, 0), 'new', 'of another Grid');
  });

  it('distinguish spans with sequential ids, across traces and within each', () => {
    const recent = new RecentSpans();
    const columns = {
      traceId: new Uint8Array(2 ** 18 * 16),
      spanId: new Uint8Array(2 ** 18 * 8),
      startUs: Float64Array.from({ length: 2 ** 18 }, (_, row) => row),
      startNs: new Uint16Array(2 ** 18),
    };
    for (let row = 0; row < 2 ** 18; row++) {
      new DataView(columns.traceId.buffer).setUint32(row * 16 + 12, row >>> 9);
      new DataView(columns.spanId.buffer).setUint32(row * 8 + 4, row & 511);
    }
    recent.beginBatch(columns);
    recent.beginEvent(0);
    const lost = columns.startUs.filter((row) => !recent.admit(columns, row, 1, 0));
    assert.equal(lost.length, 0);
  });

  it('do not see what has expired', () => {
    const recent = new RecentSpans();
    admitted(recent, 0, [{ id: 1, start: 5 }]);
    assert.deepEqual(admitted(recent, 0, [{ id: 1, start: 10 }], 6), [true]);
  });

  it('hold the events since the oldest that they name', () => {
    const recent = new RecentSpans(2);
    for (let id = 0; id < 6; id++) admitted(recent, 0, [{ id, start: 1 }]);
    assert.ok(recent.oldestEvent > 0 && recent.oldestEvent <= 4);
    assert.deepEqual(admitted(recent, 0, [{ id: 5, start: 1 }]), [false]);
  });

  it('do not grow with events that only repeat', () => {
    const recent = new RecentSpans(4);
    admitted(recent, 0, [{ id: 1, start: 5 }]);
    for (let minute = 0; minute < 120; minute++) admitted(recent, minute * 60_000, [{ id: 1, start: 5 }]);
    assert.ok(recent.oldestEvent > 60, `events since ${recent.oldestEvent} are held`);
  });

  it('are left in one table that a release makes, without those beyond the horizon', () => {
    const recent = new RecentSpans(4);
    for (let id = 0; id < 8; id++) admitted(recent, 0, [{ id, start: 1 }]);
    recent.releaseMemory();
    assert.equal(recent.oldestEvent, 4);
    assert.deepEqual(
      admitted(
        recent,
        0,
        [3, 4, 5, 6, 7].map((id) => ({ id, start: 1 })),
      ),
      [true, false, false, false, false],
    );
  });

  it('decide by counts and log times only, wherever batches start and memory is released', () => {
    const event = fc.record({
      wait: fc.constantFrom(0, 1000, DUPLICATE_WINDOW_MS / 3),
      spans: fc.array(fc.record({ id: fc.nat(4), start: fc.nat(3) }), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 30 }),
        fc.infiniteStream(fc.constantFrom(...BETWEEN)),
        (events, between) => {
          assert.deepEqual(
            decisions(events, () => between.next().value),
            referenceDecisions(events),
          );
        },
      ),
    );
  });

  it('find the same span in the batch as in the whole table', () => {
    const event = fc.record({
      wait: fc.constantFrom(0, 1000, DUPLICATE_WINDOW_MS / 3, DUPLICATE_WINDOW_MS),
      spans: fc.array(fc.record({ id: fc.nat(4), start: fc.nat(3) }), { minLength: 1, maxLength: 3 }),
    });
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(event, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        fc.constantFrom(4, 40),
        fc.nat(3),
        (portions, horizon, floorUs) => {
          const recent = new RecentSpans(horizon);
          let now = 0;
          for (const portion of portions) {
            const columns = columnsOf(portion.flatMap(({ spans }) => spans));
            let row = 0;
            recent.beginBatch(columns);
            const events = portion.map(({ wait, spans }) => {
              const time = (now += wait);
              const number = recent.beginEvent(time);
              for (const _ of spans) recent.admit(columns, row++, 1, floorUs);
              return { time, counted: recent.countedBefore(number) };
            });
            for (const { time, counted } of events) {
              for (let other = 0; other < row; other++) {
                recent.setKey(asWords32(columns.spanId), other, 1);
                const expected = recent.findNear(time, counted, floorUs);
                assert.equal(recent.findNearInBatch(time, counted, floorUs), expected);
                if (recent.rows.find(recent.a, recent.b, floorUs) === expected) found++;
              }
            }
          }
        },
      ),
    );
    assert.ok(found > 0);
  });
});

const HORIZON = 4;

/** What happens before an event: it may start a batch, after a release or without. */
const BETWEEN = ['nothing', 'batch', 'release and batch'] as const;

interface TestEvent {
  readonly wait: number;
  readonly spans: readonly Seen[];
}

/** What the table says about each span; starts that it has forgotten are told by the blocks, here a set. */
function decisions(events: readonly TestEvent[], happens: () => (typeof BETWEEN)[number]): boolean[] {
  const recent = new RecentSpans(HORIZON);
  const blocks = new Set<string>();
  const all = columnsOf(events.flatMap(({ spans }) => spans));
  const kept: boolean[] = [];
  let now = 0;
  recent.beginBatch(all);
  for (const { wait, spans } of events) {
    const before = happens();
    if (before === 'release and batch') recent.releaseMemory();
    if (before !== 'nothing') recent.beginBatch(all);
    recent.beginEvent((now += wait));
    for (const { id, start } of spans) {
      const row = kept.length;
      const admits = !blocks.has(`${id}@${start}`) && recent.admit(all, row, 1, 0);
      if (admits) blocks.add(`${id}@${start}`);
      kept.push(admits);
    }
  }
  return kept;
}

/** The contract, word for word, over a plain list. */
function referenceDecisions(events: readonly TestEvent[]): boolean[] {
  const counted: { id: number; start: number; at: number; countedBefore: number }[] = [];
  const kept: boolean[] = [];
  let now = 0;
  for (const { wait, spans } of events) {
    now += wait;
    const countedBefore = counted.length;
    for (const { id, start } of spans) {
      const same = counted.some((span) => span.id === id && span.start === start);
      const recent = counted.some(
        (span) =>
          span.id === id && now - span.at < DUPLICATE_WINDOW_MS && countedBefore - span.countedBefore <= HORIZON,
      );
      kept.push(!same && !recent);
      if (!same && !recent) counted.push({ id, start, at: now, countedBefore });
    }
  }
  return kept;
}
