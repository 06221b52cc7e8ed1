import type { Change } from '../../diagnostics/answers.js';
import { getDeploymentCorrelation } from '../tools/get-deployment-correlation.js';
import type { Presented } from '../tools/presented.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import type { Slots, SpokenTime } from './slots.js';
import { clock, lastMinutes, spelled } from './when.js';
import { and } from './wording.js';

/** How far back deployments are looked for: as far as diagnostics go. */
const WEEK_MINUTES = 7 * 24 * 60;
const MINUTE_MS = 60_000;

/** "Since the deployment" as a time: the newest deployment of the services in question, else of any, which `note` says. `draft` where there was none. */
export async function resolvedTime(inquiry: Inquiry, slots: Slots): Promise<{ readonly slots: Slots; readonly draft?: Draft; readonly note?: string }> {
  const { time, services } = slots;
  if (time?.kind !== 'deployment') return { slots };
  const { answer } = await inquiry.ask(getDeploymentCorrelation, spelled(lastMinutes(WEEK_MINUTES, inquiry.nowMs)));
  const deployments = answer.filter(({ type }) => type === 'deployment');
  const own = newestOf(deployments.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName)));
  const newest = own ?? newestOf(deployments);
  if (newest === undefined) return { slots, draft: { text: 'I know of no deployment in the last 7 days.', followUps: ['What changed in the last hour?', 'Is anything broken?'] } };
  const atMs = Date.parse(newest.detectedAt);
  const note = own === undefined ? `${and(services)} had no deployment in the last 7 days, so this is about that of ${newest.serviceName} at ${clock(atMs, inquiry.nowMs)}.\n` : '';
  return { slots: { ...slots, time: spokenAt(time, atMs, inquiry.nowMs) }, note };
}

/** A stretch after it begins with its minute, as windows of diagnostics do: else it would be a minute longer. */
function spokenAt({ side, lengthMs }: Extract<SpokenTime, { kind: 'deployment' }>, atMs: number, nowMs: number): SpokenTime {
  if (side === 'before') return { kind: 'moment', atMs, side };
  if (lengthMs === undefined) return { kind: 'range', fromMs: atMs, toMs: nowMs };
  const fromMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return { kind: 'range', fromMs, toMs: Math.min(fromMs + lengthMs, nowMs) };
}

function newestOf(changes: readonly Presented<Change>[]): Presented<Change> | undefined {
  return changes.reduce<Presented<Change> | undefined>((newest, change) => (newest === undefined || Date.parse(change.detectedAt) > Date.parse(newest.detectedAt) ? change : newest), undefined);
}
