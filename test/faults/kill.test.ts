import { note } from '../support/faults/figures.js';
import { drawsOf, FROM, SEED, timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';

const CYCLES = timesOf('KILL_CYCLES', 50, 1_000);
const WRITERS = 6;

describe(`${CYCLES} kills at random instants under load (seed ${SEED})`, function () {
  this.timeout(CYCLES * 20_000 + 60_000);
  let trial: Trial;

  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('lose nothing that was acknowledged and count nothing twice', async () => {
    for (let cycle = FROM; cycle < CYCLES; cycle++) {
      const delayMs = 20 + drawsOf(cycle).below(400);
      const kill = async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return trial.service.signal('SIGKILL');
      };
      await trial.load(WRITERS, kill());
      await trial.start();
      await trial.settle(`kill ${cycle}: FAULTS_SEED=${SEED} FAULTS_FROM=${cycle}`);
    }
  });

  it('leave a gapless log and read models that a fresh replay agrees with', async () => {
    await trial.verify();
    note(trial.figures('kill -9'));
  });
});
