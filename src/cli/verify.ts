import type { Settings } from '../config.js';
import type { Verified } from './operations.js';
import { chosenProjections, withOperations } from './with-operations.js';

/** True when every read model says what a fresh replay of the log says. */
export function verify(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const verified: Verified[] = [];
    for (const name of await chosenProjections(operations, projection)) {
      verified.push(await operations.verify(name));
      if (!json) process.stdout.write(`${line(verified[verified.length - 1])}\n`);
    }
    if (json) process.stdout.write(`${JSON.stringify(verified)}\n`);
    return verified.every(({ equal }) => equal);
  });
}

function line({ projection, equal, live, replayed }: Verified): string {
  if (equal) return `ok      ${projection}: ${live}`;
  return `DIFFERS ${projection}: in use ${live}, replayed ${replayed}\n        → hindsight replay ${projection}`;
}
