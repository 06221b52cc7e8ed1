import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { collectGarbage } from '../../../../unit/streams/adapters/sqlite/log-folder.js';
import { SEED } from '../../../../support/faults/budget.js';
import { EVENTS, PAGE, SalvageFolder } from '../../../../unit/streams/adapters/sqlite/salvage/salvage-folder.js';

/** First bytes of pages of tables and indexes. */
const TREE_PAGES: ReadonlySet<number> = new Set([2, 5, 10, 13]);

/** One of this many places is damaged in a run, by its seed: all of them take minutes. 1 damages each. */
const EVERY = Number(process.env.SALVAGE_EVERY ?? 3);

function selectPlaces(places: readonly number[]): readonly number[] {
  return places.filter((_place, index) => (index + SEED) % EVERY === 0);
}

describe('a salvage of a damaged event log', function () {
  this.timeout(600_000);
  let folder: SalvageFolder;

  beforeEach(() => (folder = new SalvageFolder()));
  afterEach(() => folder.remove());

  it('saves all other events when any page is zeroed, and counts those of the page', async () => {
    folder.fill();
    folder.moveWalIntoFile();
    const pages = readFileSync(folder.log.file).length / PAGE;
    for (const page of selectPlaces(Array.from({ length: pages }, (_, index) => index))) {
      const result = await folder.salvage(folder.copyDamaged((bytes) => bytes.fill(0, page * PAGE, (page + 1) * PAGE)));
      folder.assertExact(result, `page ${page + 1}`);
      assert.ok(result.saved.length >= EVENTS - 60, `${result.saved.length} without page ${page + 1}`);
    }
  });

  it('never saves an event that differs from what was appended, wherever a bit flips, nor miscounts', async () => {
    folder.fill();
    folder.moveWalIntoFile();
    const intact = readFileSync(folder.log.file);
    const headers = Array.from({ length: intact.length / PAGE }, (_, page) => page * PAGE + (page === 0 ? 100 : 0));
    const places = [
      // An overflow page has only the number of the next one before its content.
      ...headers.flatMap((at) => (TREE_PAGES.has(intact[at]) ? [at, at + 3, at + 4, at + 8, at + 9] : [at + 3])),
      ...Array.from({ length: 60 }, (_, n) => Math.floor((n * intact.length) / 60) + n),
    ];
    for (const [n, at] of selectPlaces(places).entries()) {
      const result = await folder.salvage(folder.copyDamaged((bytes) => void (bytes[at] ^= 1 << (n % 8))));
      folder.assertExact(result, `bit ${n % 8} of byte ${at}`);
      if (n % 20 === 0) await collectGarbage();
    }
  });

  it('keeps the first events of a stream whose row has a flipped bit', async () => {
    folder.fill(30);
    folder.moveWalIntoFile();
    const row = Buffer.from('telemetry.01-a');
    const intact = readFileSync(folder.log.file);
    const at = intact.indexOf(row);
    for (const place of [at - 1, at - 2, at - 3, at - 4, at + 2, at + row.length])
      for (let bit = 0; bit < 8; bit++)
        folder.assertExact(
          await folder.salvage(folder.copyDamaged((bytes) => void (bytes[place] ^= 1 << bit))),
          `bit ${bit} at ${place - at}`,
        );
  });
});
