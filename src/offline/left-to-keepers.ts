import type { Operations } from '../cli/operations.js';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { HindsightError } from '../errors.js';
import { keepersOf } from './keepers.js';
import { toldOfKeepers } from './told-of-keepers.js';

const ELSEWHERE = 'run it where one of them runs, with its DATA_DIR';
/** An embedded log belongs to one process, which therefore keeps everything. */
const HERE = 'start the service of this data folder, then run it again';

/** What only those can do who keep the read models: refused with code `unavailable`, which names them where leases tell. */
export function leftToKeepers(settings: EngineSettings): Pick<Operations, 'projections' | 'replay' | 'verify' | 'retryParked'> {
  const refuse = async (): Promise<never> => {
    const keepers = await keepersOf(settings).catch(() => undefined); // without NATS nobody is known by name
    throw new HindsightError('unavailable', `${toldOfKeepers(keepers)}\n  → ${isLogEmbedded(settings) ? HERE : ELSEWHERE}`);
  };
  return { projections: refuse, replay: refuse, verify: refuse, retryParked: refuse };
}
