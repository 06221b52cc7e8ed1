import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** PATH for the programs of speech engines. */
export const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

/** A PATH without programs, so that engines are absent. */
export const EMPTY_PATH = '/nowhere';

const runs = (program: string): boolean => !spawnSync(program, ['--version'], { env: { PATH: SEARCH_PATH } }).error;

export const HAS_ESPEAK = runs('espeak-ng');
export const HAS_POCKETSPHINX =
  runs('pocketsphinx_batch') && existsSync('/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict');

/** Title suffix with the missing packages. */
export const ESPEAK_NEEDS = HAS_ESPEAK ? '' : ' (apt-get install espeak-ng)';
export const POCKETSPHINX_NEEDS = HAS_POCKETSPHINX ? '' : ' (apt-get install pocketsphinx pocketsphinx-en-us)';

/** `describe` if the engine is present, else `describe.skip`. */
export const describeIf = (present: boolean): Mocha.SuiteFunction | Mocha.PendingSuiteFunction =>
  present ? describe : describe.skip;

export const neverAborted = (): AbortSignal => new AbortController().signal;
