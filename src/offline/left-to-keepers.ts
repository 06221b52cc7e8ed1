import type { Operations } from '../cli/operations.js';
import type { EngineSettings } from '../engines/engine-settings.js';
import { HindsightError } from '../errors.js';
import { keepersOf, toldOfKeepers } from './keepers.js';

/** What only those can do who keep the read models: refused with code `unavailable`, which names them where leases tell. */
export function leftToKeepers(settings: EngineSettings): Pick<Operations, 'projections' | 'replay' | 'verify' | 'retryParked'> {
  const refuse = async (): Promise<never> => {
    const keepers = await keepersOf(settings).catch(() => undefined); // without NATS nobody is known by name
    throw new HindsightError('unavailable', `${toldOfKeepers(keepers)}\n  → run it where one of them runs, with its DATA_DIR`);
  };
  return { projections: refuse, replay: refuse, verify: refuse, retryParked: refuse };
}
