import assert from 'node:assert/strict';
import { runTakeBack } from '../../../src/cli/commands/retention-command.js';
import { RebuildWouldLoseEvents } from '../../../src/projections/engine/rebuild-loss.js';
import type { Position } from '../../../src/streams/event-store.js';
import type { Operations, ReplayOptions } from '../../../src/operations/operations-port.js';

const GRID = '0f0c4b2a-1111-4222-8333-444455556666';

describe('moving a retention watermark back', () => {
  let replays: [string, ReplayOptions][];
  let refused: string | undefined;
  let reason: string;
  let here: string[];
  let output: string;
  let notes: string;

  beforeEach(() => {
    [replays, refused, output, notes] = [[], undefined, '', ''];
    here = ['access', 'traces', 'logs', 'metrics'];
    reason = 'traces was not replaced';
  });

  const operations = {
    projections: () => Promise.resolve(here),
    takeBackMark: (gridId: string) =>
      Promise.resolve({ gridId, from: 2_000, to: 1_000, projections: ['traces', 'logs', 'metrics'] }),
    replay: (projection: string, options: ReplayOptions) => {
      replays.push([projection, options]);
      if (projection === refused) return Promise.reject(new Error(reason));
      return Promise.resolve({ projection, events: 1, seconds: 1, position: undefined, deadLetters: 0 });
    },
  } as unknown as Operations;

  async function takeBack(options: { readonly json?: boolean; readonly acceptLoss?: boolean } = {}): Promise<boolean> {
    const [{ write: writeOut }, { write: writeError }] = [process.stdout, process.stderr];
    process.stdout.write = (text: string | Uint8Array) => ((output += String(text)), true);
    process.stderr.write = (text: string | Uint8Array) => ((notes += String(text)), true);
    try {
      return await runTakeBack(operations, GRID, options);
    } finally {
      process.stdout.write = writeOut;
      process.stderr.write = writeError;
    }
  }

  it('rebuilds every projection from the first event, whatever an unfinished rebuild has done', async () => {
    assert.equal(await takeBack(), true);
    const fresh = { acceptLoss: false, fresh: true };
    assert.deepEqual(replays, [
      ['traces', fresh],
      ['logs', fresh],
      ['metrics', fresh],
    ]);
    assert.match(output, /retention watermark moved back from 1970-01-01T00:00:02.000Z to 1970-01-01T00:00:01.000Z/);
  });

  it('continues with the others when one is refused, names it and the remedy, and fails', async () => {
    refused = 'traces';
    assert.equal(await takeBack(), false);
    assert.deepEqual(
      replays.map(([projection]) => projection),
      ['traces', 'logs', 'metrics'],
    );
    assert.match(notes, /^traces was not rebuilt: [^]*traces was not replaced\n +→ hindsight replay traces --fresh\n$/);
    output = '';
    assert.equal(await takeBack({ json: true }), false);
    const { rebuilt, failed } = JSON.parse(output) as { rebuilt: unknown[]; failed: unknown };
    assert.deepEqual([rebuilt.length, failed], [2, [{ projection: 'traces', error: 'traces was not replaced' }]]);
  });

  it('names no command that would be refused for the same reason, where the error has a remedy of its own', async () => {
    refused = 'traces';
    reason = new RebuildWouldLoseEvents('traces', ['3' as Position]).message;
    assert.equal(await takeBack(), false);
    assert.deepEqual(notes.match(/→/g), ['→']);
    assert.match(notes, /`hindsight replay traces --accept-loss`\n$/);
  });

  it('passes the consent to lose damaged events on', async () => {
    await takeBack({ acceptLoss: true });
    assert.deepEqual(
      replays.map(([, { acceptLoss }]) => acceptLoss),
      [true, true, true],
    );
  });

  it('names projections of other processes', async () => {
    here = ['traces', 'logs'];
    assert.equal(await takeBack(), false);
    assert.equal(notes, 'another process owns metrics: run hindsight replay metrics --fresh there\n');
  });
});
