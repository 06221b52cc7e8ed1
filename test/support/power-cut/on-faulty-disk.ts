import { Trial } from '../faults/trial.js';
import { FaultyDisk } from './disk.js';

export interface OnFaultyDisk {
  readonly disk: FaultyDisk;
  readonly trial: Trial;
}

/** For each test of the suite at hand: a disk that breaks when it is told to, and a service on it. `tests` names what is skipped where there is no such disk. */
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
