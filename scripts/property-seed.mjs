// What properties are drawn from where `PROPERTIES_SEED` says it: the same code with the same seed meets the same cases.
// Without it each run meets others. (Fault tests have `FAULTS_SEED`: test/support/faults/budget.ts.)
import fc from 'fast-check';

const seed = process.env.PROPERTIES_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
