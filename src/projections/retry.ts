import { dryRun, type DryRunParts } from './dry-run.js';
import { GROUPS } from './groups.js';
import type { ParkedEvent } from './parked-events.js';
import type { Tried } from './projector-parts.js';

/** Which of these events would fold now. Those that have ended the process are not tried: `fatal` takes them as if they would. */
export async function tryParked(events: readonly ParkedEvent[], fatal: boolean, parts: DryRunParts): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const event of events) {
    const { position, projection } = event;
    const error = await failureOf(event, fatal, parts);
    tried.push({ position, projection, folds: error === undefined, ...(error === undefined ? {} : { error }) });
  }
  return tried;
}

/** Projections that lack an event that folds; only this one, where one is named. */
export function lackingNow(events: readonly ParkedEvent[], tried: readonly Tried[], projection?: string): ReadonlySet<string> {
  const lacking = events.flatMap((event, i) => (tried[i].folds ? event.lacking : []));
  return new Set(lacking.filter((name) => projection === undefined || name === projection));
}

async function failureOf(event: ParkedEvent, fatal: boolean, parts: DryRunParts): Promise<string | undefined> {
  if (event.fatal === true) return fatal ? undefined : `${event.error}; it is tried again on request alone`;
  const group = GROUPS.find(({ name }) => name === event.projection);
  return group === undefined ? `this program has no projections ${event.projection}` : dryRun(event, group, parts);
}
