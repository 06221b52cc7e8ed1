import assert from 'node:assert/strict';
import { reportMeasurements } from '../support/faults/figures.js';
import {
  cyclesWithinBudget,
  drawsOfCycle,
  scaleToBudget,
  SEED,
  timeoutWithinBudget,
} from '../support/faults/budget.js';
import { Account } from '../support/power-cut/append-account.js';
import { FaultyDisk } from '../support/power-cut/faulty-disk.js';
import type { Image } from '../support/power-cut/disk-model.js';
import { cutEverywhere, recordHistory, type Findings } from '../support/power-cut/history.js';
import type { Operation } from '../support/power-cut/trace.js';

/** Processes per history, each ended by a kill, and steps per process. */
const LIVES = 2;
const STEPS = scaleToBudget('CUT_STEPS', 6, 12);
/** Disk images that are checked for each point of a cut. */
const DISKS = scaleToBudget('CUT_DISKS', 3, 12);
const IMAGE_MS = 200;
/** A history in which the WAL restarts. */
const SEEN_SEED = 1;

describe(`A power cut at every point of short histories of the log (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(LIVES * STEPS * 30 * DISKS * IMAGE_MS));

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
      return recordHistory(disk, seed, LIVES, STEPS, from);
    } finally {
      disk.remove();
    }
  }

  /** Every third history starts with an empty folder, the others with the disk image of the previous cut. */
  async function tried(
    history: number,
    before: { readonly image: Image; readonly account: Account },
  ): Promise<Findings> {
    const random = drawsOfCycle(history);
    const operations = recorded(random.below(2 ** 31), before.image);
    return cutEverywhere(operations, before.image, before.account, random, DISKS);
  }

  it('leaves an intact log with all acknowledged events, once and in order', async () => {
    let state = { image: new Map() as Image, account: new Account() };
    const sum = { histories: 0, operations: 0, disks: 0, acknowledged: 0 };
    for (const history of cyclesWithinBudget('CUT_HISTORIES', 1)) {
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
    reportMeasurements('cuts at every moment', sum);
  });

  for (const unsynced of ['events.db-wal', 'events.db']) {
    it(`loses records if syncs of ${unsynced} do nothing, which this test detects`, async () => {
      const operations = recorded(SEEN_SEED, new Map()).filter(
        (operation) => operation.kind !== 'synced' || operation.file !== unsynced,
      );
      const { faults } = await cutEverywhere(operations, new Map(), new Account(), drawsOfCycle(0), 1);
      assert.match(faults.map(({ fault }) => fault).join('\n'), /^lost /m);
    });
  }
});
