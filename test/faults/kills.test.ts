import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, drawsOfCycle, SEED, timeoutWithinBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';

const WRITERS = 6;

describe(`random kills under load (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(1_000_000));
  let trial: Trial;

  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('lose no acknowledged records and count nothing twice', async () => {
    for (const cycle of cyclesWithinBudget('KILL_CYCLES', 50)) {
      const delayMs = 20 + drawsOfCycle(cycle).below(400);
      const kill = async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return trial.service.signal('SIGKILL');
      };
      await trial.load(WRITERS, kill());
      await trial.start();
      await trial.settle(`kill ${cycle}: FAULTS_SEED=${SEED} FAULTS_FROM=${cycle}`);
    }
  });

  it('leave a gapless log and read models that match a replay', async () => {
    await trial.verify();
    reportFigures(trial.figures('kill -9'));
  });
});
