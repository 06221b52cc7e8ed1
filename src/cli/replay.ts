import { Presets, SingleBar } from 'cli-progress';
import type { Settings } from '../config.js';
import type { Operations, Progress, Rebuilt } from './operations.js';
import { chosenProjections, withOperations } from './with-operations.js';

/** Rebuilds and swaps; prints a bar on the way. Answers true: what fails, throws. */
export function replay(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const rebuilt: Rebuilt[] = [];
    for (const name of await chosenProjections(operations, projection)) rebuilt.push(await rebuild(operations, name, json));
    if (json) process.stdout.write(`${JSON.stringify(rebuilt)}\n`);
    return true;
  });
}

async function rebuild(operations: Operations, name: string, json: boolean): Promise<Rebuilt> {
  if (json) return operations.replay(name, () => undefined);
  const bar = new SingleBar({ format: `${name.padEnd(8)} {bar} {percentage}% | {value}/{total} events | {eta_formatted} left`, stream: process.stdout, noTTYOutput: true, notTTYSchedule: 2000 }, Presets.shades_classic);
  bar.start(0, 0);
  const show = ({ done, total }: Progress) => {
    bar.setTotal(total);
    bar.update(done);
  };
  const rebuilt = await operations.replay(name, show).finally(() => bar.stop()); // a running bar keeps the process alive
  process.stdout.write(`${name}: ${rebuilt.events} events in ${rebuilt.seconds.toFixed(1)} s, in use now\n`);
  return rebuilt;
}
