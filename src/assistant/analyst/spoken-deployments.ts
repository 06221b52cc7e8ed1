import { getDeploymentCorrelation } from '../tools/get-deployment-correlation.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import type { Slots } from './slots.js';
import { lastMinutes, spelled } from './when.js';

/** How far back deployments are looked for: as far as diagnostics go. */
const WEEK_MINUTES = 7 * 24 * 60;

/** "Since the deployment" as a time: the newest deployment of the services in question, else of any. `draft` where there was none. */
export async function resolvedTime(inquiry: Inquiry, slots: Slots): Promise<{ readonly slots: Slots; readonly draft?: Draft }> {
  const { time, services } = slots;
  if (time?.kind !== 'deployment') return { slots };
  const { answer } = await inquiry.ask(getDeploymentCorrelation, spelled(lastMinutes(WEEK_MINUTES, inquiry.nowMs)));
  const times = answer.filter(({ type, serviceName }) => type === 'deployment' && (services.length === 0 || services.includes(serviceName))).map(({ detectedAt }) => Date.parse(detectedAt));
  if (times.length === 0) {
    const of = services.length === 0 ? '' : ` of ${services.join(' or ')}`;
    return { slots, draft: { text: `I know of no deployment${of} in the last 7 days.`, followUps: ['What changed in the last hour?', 'Is anything broken?'] } };
  }
  const atMs = Math.max(...times);
  const spoken = time.side === 'before' ? { kind: 'moment' as const, atMs, side: 'before' as const } : { kind: 'range' as const, fromMs: atMs, toMs: inquiry.nowMs };
  return { slots: { ...slots, time: spoken } };
}
