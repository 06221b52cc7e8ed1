import type { Change } from '../../diagnostics/answers.js';
import { getDeploymentCorrelation } from '../tools/get-deployment-correlation.js';
import type { Presented } from '../tools/presented.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import type { Slots } from './slots.js';
import { clock, lastMinutes, spelled } from './when.js';
import { and } from './wording.js';

/** How far back deployments are looked for: as far as diagnostics go. */
const WEEK_MINUTES = 7 * 24 * 60;

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
  const spoken = time.side === 'before' ? { kind: 'moment' as const, atMs, side: 'before' as const } : { kind: 'range' as const, fromMs: atMs, toMs: inquiry.nowMs };
  return { slots: { ...slots, time: spoken }, note };
}

function newestOf(changes: readonly Presented<Change>[]): Presented<Change> | undefined {
  return changes.reduce<Presented<Change> | undefined>((newest, change) => (newest === undefined || Date.parse(change.detectedAt) > Date.parse(newest.detectedAt) ? change : newest), undefined);
}
