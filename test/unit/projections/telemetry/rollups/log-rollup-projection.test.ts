import assert from 'node:assert/strict';
import type { LogRollup } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import { OTHER_NAME, ROLLUP_BOUNDS } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import {
  logRollupCollections,
  ROLLUP_BLOB,
  rollupId,
} from '../../../../../src/read-models/documents/rollup-documents.js';
import { decodeLogRollup } from '../../../../../src/read-models/rollups/log-rollup-codec.js';
import { GRID, logsReceived, type TestLog } from '../../engine/support/requests.js';
import { ProjectedLog } from '../../engine/support/projected.js';

const MINUTE_MS = 60_000;

describe('log rollups', () => {
  let log: ProjectedLog;
  let noon: number;

  beforeEach(() => {
    log = new ProjectedLog();
    noon = log.now;
  });
  afterEach(() => log.remove());

  async function received(...logs: readonly TestLog[]): Promise<void> {
    await log.append(logsReceived(logs));
    await log.settle();
  }

  /** Rollup of the minute that holds this time. */
  async function rollup(time: number, service = 'shop', hours = false): Promise<LogRollup> {
    const collections = logRollupCollections(1);
    const id = rollupId({ gridId: GRID, minute: Math.floor(time / MINUTE_MS), service });
    const blob = await log.store.readBlob(hours ? collections.hours : collections.minutes, id, ROLLUP_BLOB);
    assert.ok(blob, `no rollup of ${service}`);
    return decodeLogRollup(blob);
  }

  const failure = (time: number, span: number | undefined, message = 'boom'): TestLog => ({
    time,
    body: 'failed',
    severity: 17,
    span,
    attributes: { 'exception.type': 'Error', 'exception.message': message },
  });

  it('count records by service, minute and level', async () => {
    await received(
      { time: noon, body: 'a', severity: 1 },
      { time: noon + MINUTE_MS - 1, body: 'a', severity: 24 },
      { time: noon + MINUTE_MS, body: 'a', severity: 9 },
      { time: noon, body: 'a', service: 'bank', severity: 16 },
    );
    assert.deepEqual((await rollup(noon)).severities, [1, 0, 0, 0, 0, 1]);
    assert.deepEqual((await rollup(noon + MINUTE_MS)).severities, [0, 0, 1, 0, 0, 0]);
    assert.deepEqual((await rollup(noon, 'bank')).severities, [0, 0, 0, 1, 0, 0]);
  });

  it('count templates, with the gravest severity of each', async () => {
    await received(
      { time: noon, body: 'order 17 paid', severity: 9 },
      { time: noon, body: 'order 99 paid', severity: 13 },
      { time: noon, body: 'order 99 lost', severity: 17 },
    );
    await received({ time: noon + 1, body: 'order 18 paid', severity: 5 });
    assert.deepEqual((await rollup(noon)).templates, [
      { template: 'order * lost', severity: 17, count: 1 },
      { template: 'order * paid', severity: 13, count: 3 },
    ]);
  });

  it('count templates past the bound as __other__, also after a restart', async () => {
    const bodies = Array.from(
      { length: ROLLUP_BOUNDS.templates + 20 },
      (_, i) => `${String.fromCharCode(97 + (i % 26))}${'y'.repeat(1 + Math.floor(i / 26))} w`,
    );
    assert.equal(new Set(bodies).size, bodies.length);
    const known = bodies[0];
    await received(...bodies.map((body) => ({ time: noon, body })));
    await log.restart();
    await received({ time: noon, body: 'never before' }, { time: noon, body: known });
    const { templates } = await rollup(noon);
    assert.equal(templates.length, ROLLUP_BOUNDS.templates + 1);
    assert.equal(templates.find(({ template }) => template === OTHER_NAME)?.count, 21);
    assert.equal(templates.find(({ template }) => template === known)?.count, 2);
  });

  it('count exceptions, with an identity where a span is named', async () => {
    await received(
      failure(noon, 1),
      failure(noon, 1),
      failure(noon, 2),
      failure(noon, undefined),
      failure(noon, 1, 'other'),
    );
    const { exceptions } = await rollup(noon);
    assert.deepEqual(
      exceptions.map(({ type, message, count, ids }) => [type, message, count, ids.length]),
      [
        ['Error', 'boom', 4, 2],
        ['Error', 'other', 1, 1],
      ],
    );
  });

  it('count services past the bound as __other__', async () => {
    await received(
      ...Array.from({ length: ROLLUP_BOUNDS.services + 5 }, (_, i) => ({ time: noon, body: 'x', service: `s${i}` })),
    );
    assert.equal((await rollup(noon, OTHER_NAME)).severities[2], 5);
    assert.equal(await log.store.count(logRollupCollections(1).minutes), ROLLUP_BOUNDS.services + 1);
  });

  it('become hours', async () => {
    await received({ time: noon, body: 'a 1' }, { time: noon + 59 * MINUTE_MS, body: 'a 2' });
    await received({ time: noon + 71 * MINUTE_MS, body: 'b' });
    assert.deepEqual(await rollup(noon, 'shop', true), {
      service: 'shop',
      severities: [0, 0, 2, 0, 0, 0],
      templates: [{ template: 'a *', severity: 9, count: 2 }],
      exceptions: [],
    });
  });

  it('leave with retention, and are the same live and replayed', async () => {
    await received({ time: noon - 1, body: 'old' }, { time: noon, body: 'new' });
    await log.expire(noon);
    await received({ time: noon - 1, body: 'late' });
    assert.equal(await log.store.count(logRollupCollections(1).minutes), 1);
    assert.ok((await (await log.settle()).verify('logs')).equal);
  });

  it('differ from a replay when a count is wrong', async () => {
    await received({ time: noon, body: 'a' });
    const { minutes } = logRollupCollections(1);
    const [{ id, document }] = await log.store.find(minutes, {});
    await log.store.commit(
      [{ kind: 'put', collection: minutes, id, document, blobs: { [ROLLUP_BLOB]: new Uint8Array([1]) } }],
      [],
    );
    assert.equal((await (await log.settle()).verify('logs')).equal, false);
  });
});
