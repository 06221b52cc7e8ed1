import assert from 'node:assert/strict';
import { OTHER_NAME, ROLLUP_BOUNDS } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import { spanRollupCollections } from '../../../../../src/read-models/documents/rollup-documents.js';
import { MAX_LISTED_CHILDREN } from '../../../../../src/projections/telemetry/rollups/self-time-calculator.js';
import type { PlainSpan } from '../../../../support/naive-rollups.js';
import { ProjectedLog } from '../../engine/support/projected.js';
import { GRID } from '../../engine/support/requests.js';
import { gridRollup, rollupsOf, serviceRollup } from './support/decoded.js';
import { oracle, plain } from './support/oracle.js';
import { plainSpansReceived } from './support/plain-spans.js';

const NS_PER_MS = 1_000_000n;
const MINUTE_MS = 60_000;

describe('rollups of spans', () => {
  let log: ProjectedLog;
  let noon: number;
  let minute: number;
  let ids = 0;

  beforeEach(() => {
    log = new ProjectedLog();
    noon = log.now;
    minute = noon / MINUTE_MS;
  });
  afterEach(() => log.remove());

  /** A span of 10 ms at noon; `at` and `ms` shift and prolong it. */
  function span({ at = 0, ms = 10, ...rest }: Partial<PlainSpan> & { at?: number; ms?: number } = {}): PlainSpan {
    const startNs = BigInt(noon + at) * NS_PER_MS;
    return {
      traceId: '1',
      spanId: String(++ids),
      parentId: '',
      service: 'shop',
      operation: 'buy',
      kind: 'INTERNAL',
      error: false,
      startNs,
      endNs: startNs + BigInt(ms) * NS_PER_MS,
      ...rest,
    };
  }

  async function received(...spans: readonly PlainSpan[]): Promise<void> {
    await log.append(plainSpansReceived(spans));
    await log.settle();
  }

  const edges = async () =>
    (await gridRollup(log, minute))!.edges.map(({ source, target, virtual, count, paired, wireNs }) => ({
      source,
      target,
      virtual,
      count,
      paired,
      wireNs,
    }));

  it('count a call for its virtual node until somebody answers', async () => {
    const call = span({ kind: 'CLIENT', peer: 'bank.local' });
    await received(call);
    assert.deepEqual(await edges(), [
      { source: 'shop', target: 'bank.local', virtual: true, count: 1, paired: 0, wireNs: 0 },
    ]);
    await received(span({ kind: 'SERVER', service: 'bank', parentId: call.spanId, ms: 7 }));
    assert.deepEqual(await edges(), [
      { source: 'shop', target: 'bank', virtual: false, count: 1, paired: 1, wireNs: 3_000_000 },
    ]);
  });

  it('count a call once when another CLIENT span wraps it', async () => {
    const wrapper = span({ kind: 'CLIENT', peer: 'db' });
    await received(wrapper);
    await received(span({ kind: 'CLIENT', peer: 'orders', parentId: wrapper.spanId }));
    assert.deepEqual(
      (await edges()).map(({ target, count }) => [target, count]),
      [['orders', 1]],
    );
  });

  it('count a message with the figures of who consumes it, in their minute', async () => {
    const sent = span({ kind: 'PRODUCER', peer: 'queue' });
    await received(sent);
    await received(
      span({ kind: 'CONSUMER', service: 'mail', parentId: sent.spanId, at: MINUTE_MS, ms: 30, error: true }),
    );
    assert.deepEqual(await edges(), []);
    const [edge] = (await gridRollup(log, minute + 1))!.edges;
    assert.deepEqual(
      [edge.source, edge.target, edge.virtual, edge.count, edge.errors, edge.durationNs, edge.paired],
      ['shop', 'mail', false, 1, 1, 30_000_000, 0],
    );
  });

  it('leave a call alone that runs beside another: each is as slow as it is', async () => {
    const parent = span({ kind: 'SERVER', ms: 100 });
    const calls = ['a', 'b'].map((peer) =>
      span({ kind: 'CLIENT', operation: peer, peer, parentId: parent.spanId, ms: 60 }),
    );
    await received(parent, ...calls, span({ operation: 'wait', parentId: parent.spanId, ms: 70 }));
    const selves = (await serviceRollup(log, minute, 'shop'))!.operations.map(({ operation, selfNs }) => [
      operation,
      selfNs / 1e6,
    ]);
    assert.deepEqual(selves, [
      ['a', 60],
      ['b', 60],
      ['buy', 30],
      ['wait', 10],
    ]);
  });

  it('measure self time by the children that start first, and count the calls of all', async () => {
    const parent = span({ ms: 1000 });
    const children = Array.from({ length: MAX_LISTED_CHILDREN + 6 }, (_, i) =>
      span({ at: i * 10, ms: 5, operation: 'step', parentId: parent.spanId }),
    );
    for (const child of [...children].reverse()) await log.append(plainSpansReceived([child]));
    await received(parent);
    const rollup = (await serviceRollup(log, minute, 'shop'))!.operations.find(({ operation }) => operation === 'buy')!;
    assert.equal(rollup.selfNs, (1000 - MAX_LISTED_CHILDREN * 5) * 1e6);
    assert.deepEqual(rollup.calls, [{ service: 'shop', operation: 'step', count: children.length }]);
  });

  it('judge by the threshold of the time when a span arrived, also after a restart', async () => {
    const figures = async () =>
      (await serviceRollup(log, minute, 'shop'))!.operations.map(({ satisfied, tolerating }) => [
        satisfied,
        tolerating,
      ])[0];
    await received(span({ ms: 300 }));
    assert.deepEqual(await figures(), [1, 0]);
    await log.setApdex(100);
    await received(span({ ms: 300 }));
    assert.deepEqual(await figures(), [1, 1]);
    await log.restart();
    await received(span({ ms: 300 }), span({ ms: 401 }));
    assert.deepEqual(await figures(), [1, 2]);
    assert.ok((await (await log.settle()).verify('traces')).equal);
  });

  it('open old minutes for late spans, but none that has expired', async () => {
    await received(span(), span({ at: -60 * MINUTE_MS }));
    await received(span({ at: -60 * MINUTE_MS }));
    assert.equal((await serviceRollup(log, minute - 60, 'shop'))!.operations[0].count, 2);
    await log.expire(noon);
    await received(span({ at: -60 * MINUTE_MS }), span({ at: -1, ms: 5 }), span());
    assert.equal(await serviceRollup(log, minute - 60, 'shop'), undefined);
    assert.equal((await serviceRollup(log, minute, 'shop'))!.operations[0].count, 2);
  });

  it('count an exception of a span once, in the minute of its own time', async () => {
    const exceptions = [
      { type: 'Timeout', message: 'late' },
      { type: 'Timeout', message: 'late' },
      { type: 'Refused', message: '' },
    ];
    await received(span({ exceptions }), span({ exceptions: exceptions.slice(2) }));
    const rollup = (await serviceRollup(log, minute, 'shop'))!;
    assert.deepEqual(
      rollup.exceptions.map(({ type, count, ids: known }) => [type, count, known.length]),
      [
        ['Refused', 2, 2],
        ['Timeout', 1, 1],
      ],
    );
  });

  it('catalog when names were first and last seen', async () => {
    await received(span({ at: 61_000, version: '2' }), span({ at: 1000, kind: 'SERVER', version: '1' }));
    const document = await log.store.get(spanRollupCollections(1).catalogs, `${GRID}/shop`);
    const us = (ms: number): number => (noon + ms) * 1000;
    const firstUs = us(1010);
    const lastUs = us(2 * MINUTE_MS) - 1;
    assert.deepEqual(document, {
      gridId: GRID,
      service: 'shop',
      firstUs,
      lastUs,
      operations: [{ operation: 'buy', entry: true, firstUs, lastUs }],
      versions: [
        { version: '1', firstUs, lastUs: us(MINUTE_MS) - 1 },
        { version: '2', firstUs: us(61_010), lastUs },
      ],
    });
  });

  it('forget names that only expired spans had', async () => {
    await received(
      span({ at: -60 * MINUTE_MS, operation: 'old' }),
      span({ at: -60 * MINUTE_MS, service: 'gone' }),
      span(),
    );
    await log.expire(noon);
    await log.settle();
    const found = await log.store.find(spanRollupCollections(1).catalogs, {});
    assert.deepEqual(
      found.map(({ document }) => [document.service, document.operations.map(({ operation }) => operation)]),
      [['shop', ['buy']]],
    );
  });

  it('count operations past the bound under __other__, the same ones in every minute and after a restart', async () => {
    const bound = ROLLUP_BOUNDS.operations;
    const named = (i: number, at = 0): PlainSpan => span({ operation: i === 7 ? 'x'.repeat(2000) : `op ${i}`, at });
    await received(...Array.from({ length: bound + 30 }, (_, i) => named(i)));
    await log.restart();
    await received(named(bound + 5, MINUTE_MS), named(3, MINUTE_MS), named(bound + 40, MINUTE_MS));
    const counts = async (of: number) =>
      new Map((await serviceRollup(log, of, 'shop'))!.operations.map(({ operation, count }) => [operation, count]));
    assert.equal((await counts(minute)).size, bound + 1);
    assert.equal((await counts(minute)).get(OTHER_NAME), 30);
    assert.deepEqual(
      [...(await counts(minute + 1))],
      [
        [OTHER_NAME, 2],
        ['op 3', 1],
      ],
    );
    const catalog = await log.store.get(spanRollupCollections(1).catalogs, `${GRID}/shop`);
    assert.equal(catalog!.operations.find(({ operation }) => operation === OTHER_NAME)!.firstUs, (noon + 10) * 1000);
  });

  it('count services past the bound under __other__', async () => {
    const bound = ROLLUP_BOUNDS.services;
    await received(...Array.from({ length: bound + 3 }, (_, i) => span({ service: `service ${i}` })));
    const totals = (await gridRollup(log, minute))!.services;
    assert.equal(totals.length, bound + 1);
    assert.equal(totals.find(({ service }) => service === OTHER_NAME)!.count, 3);
  });

  it('count callees past the bound under __other__, in the order of the log', async () => {
    const bound = ROLLUP_BOUNDS.calls;
    const parent = span();
    const children = Array.from({ length: bound + 5 }, (_, i) =>
      span({ operation: `step ${i}`, parentId: parent.spanId }),
    );
    await received(parent);
    for (const child of children) await log.append(plainSpansReceived([child]));
    await log.settle();
    const { calls } = (await serviceRollup(log, minute, 'shop'))!.operations.find(
      ({ operation }) => operation === 'buy',
    )!;
    assert.equal(calls.length, bound + 1);
    assert.equal(calls.find(({ operation }) => operation === OTHER_NAME)!.count, 5);
    assert.ok((await (await log.settle()).verify('traces')).equal);
  });

  it('take a span that names itself as its parent for one whose parent is not known', async () => {
    const self = span({ kind: 'SERVER' });
    const spans = [{ ...self, parentId: self.spanId }];
    await received(...spans);
    assert.deepEqual(plain(await rollupsOf(log, GRID)), plain(oracle(spans)));
  });

  it('differ from a replay when a rollup is wrong', async () => {
    await received(span());
    const collection = spanRollupCollections(1).services.minutes;
    const [{ id }] = await log.store.find(collection, {});
    await log.store.commit([{ kind: 'delete', collection, id }], []);
    assert.equal((await (await log.settle()).verify('traces')).equal, false);
  });
});
