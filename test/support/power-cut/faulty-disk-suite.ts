import { Trial } from '../faults/trial.js';
import { FaultyDisk } from './faulty-disk.js';

export interface OnFaultyDisk {
  readonly disk: FaultyDisk;
  readonly trial: Trial;
}

/** Provides each test of the current suite with a disk with injected faults and a service on it. `tests`: name of the tests to report as skipped if unsupported. */
export function onFaultyDisk(tests: string): OnFaultyDisk {
  let disk: FaultyDisk;
  let trial: Trial;
  before(function () {
    const made = FaultyDisk.make();
    if (made === undefined) {
      console.log(`skipped: ${tests} (needs Linux and gcc)`);
      return this.skip();
    }
    made.remove();
  });
  beforeEach(async () => {
    disk = FaultyDisk.make()!;
    trial = await Trial.start(disk.environment);
  });
  afterEach(async () => {
    await trial.dispose();
    disk.remove();
  });
  return {
    get disk() {
      return disk;
    },
    get trial() {
      return trial;
    },
  };
}
