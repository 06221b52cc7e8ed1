import assert from 'node:assert/strict';
import { tell } from '../support/faults/figures.js';
import { drawsOf, FROM, SEED, timesOf } from '../support/faults/sizes.js';
import { Account } from '../support/power-cut/account.js';
import { FaultyDisk } from '../support/power-cut/disk.js';
import type { Image } from '../support/power-cut/disk-model.js';
import { cutEverywhere, record, type Findings } from '../support/power-cut/history.js';
import type { Operation } from '../support/power-cut/trace.js';

const HISTORIES = timesOf('CUT_HISTORIES', 1, 60);
/** Lives of one history, each ended by a kill, and what each does. */
const LIVES = 2;
const STEPS = timesOf('CUT_STEPS', 6, 12);
/** Disks that are looked at for each moment of a cut. */
const DISKS = timesOf('CUT_DISKS', 3, 12);
const IMAGE_MS = 200;
/** A history in which the WAL starts over. */
const SEEN_SEED = 1;

describe(`A power cut at every moment of ${HISTORIES} short histories of the log (seed ${SEED})`, function () {
  this.timeout(HISTORIES * LIVES * STEPS * 30 * DISKS * IMAGE_MS);

  before(function () {
    const made = FaultyDisk.make();
    if (made === undefined) {
      console.log('skipped: cuts at every moment (needs Linux and gcc)');
      return this.skip();
    }
    made.remove();
  });

  function recorded(seed: number, from: Image): Operation[] {
    const disk = FaultyDisk.make()!;
    try {
      return record(disk, seed, LIVES, STEPS, from);
    } finally {
      disk.remove();
    }
  }

  /** Every third history begins with an empty folder, the others with what the cut before has left. */
  async function tried(
    history: number,
    before: { readonly image: Image; readonly account: Account },
  ): Promise<Findings> {
    const random = drawsOf(history);
    const operations = recorded(random.below(2 ** 31), before.image);
    return cutEverywhere(operations, before.image, before.account, random, DISKS);
  }

  it('leaves a log that has what was acknowledged, once and in order, and is intact', async () => {
    let state = { image: new Map() as Image, account: new Account() };
    const sum = { histories: 0, operations: 0, disks: 0, acknowledged: 0 };
    for (let history = FROM; history < HISTORIES; history++) {
      if (history % 3 === 0) state = { image: new Map(), account: new Account() };
      const { faults, images, operations, last } = await tried(history, state);
      assert.deepEqual(
        faults.map(({ cutAt, fault }) => `before operation ${cutAt}: ${fault}`),
        [],
        `FAULTS_SEED=${SEED} FAULTS_FROM=${history - (history % 3)}`,
      );
      state = { image: last, account: state.account };
      sum.histories++;
      sum.operations += operations;
      sum.disks += images;
      sum.acknowledged += state.account.acknowledged.size;
    }
    tell('cuts at every moment', sum);
  });

  for (const unsynced of ['events.db-wal', 'events.db']) {
    it(`is seen by this test to lose records where syncs of ${unsynced} do nothing`, async () => {
      const operations = recorded(SEEN_SEED, new Map()).filter(
        (operation) => operation.kind !== 'synced' || operation.file !== unsynced,
      );
      const { faults } = await cutEverywhere(operations, new Map(), new Account(), drawsOf(0), 1);
      assert.match(faults.map(({ fault }) => fault).join('\n'), /^lost /m);
    });
  }
});
