import type { Change } from '../../../diagnostics/answers.js';
import { getDeploymentCorrelation } from '../../tools/get-deployment-correlation.js';
import type { Presented } from '../../tools/presented.js';
import type { Inquiry } from '../inquiry.js';
import type { Intent } from '../intent.js';
import type { Slots, SpokenTime } from '../slots.js';
import { clockOf, duringHistory, historyOf, lastMinutes } from '../when.js';
import { counted, listed } from '../wording.js';

type Found = Presented<Change>;

/** Where nothing changed within the hour, and no other time was asked for. */
const WIDER_MINUTES = 7 * 24 * 60;

const USUAL_ITEMS = 8;
const WEIGHTS: readonly Found['type'][] = ['deployment', 'scaling', 'new_service', 'new_endpoint'];

export const changes: Intent = {
  name: 'changes',
  cues: { changes: 5, when: 0.5, version: 5 },
  forms: ['What changed in the last hour?', 'What changed before 14:00?', 'When was {service} last deployed?'],
  async answer(inquiry, slots) {
    const all = await changesDuring(inquiry, slots.time);
    const found = all.filter((change) => concerns(change, slots));
    if (found.length > 0 && !isOneMissing(found, slots, inquiry)) return draft(inquiry, slots, `${head(found, slots)}${duringHistory(slots.time, inquiry.nowMs)}`, found);
    const none = `${slots.isDeployed === true ? 'No deployment' : 'Nothing changed'}${of(slots)}${duringHistory(slots.time, inquiry.nowMs)}`;
    const elsewhere = all.length === 0 ? '' : `; ${counted(all.length, 'change')} elsewhere: ${[...new Set(all.map(({ serviceName }) => serviceName))].slice(0, 5).join(', ')}`;
    if (slots.time !== undefined || inquiry.left === 0) return draft(inquiry, slots, `${none}${elsewhere}.`, []);
    const week: SpokenTime = { ...lastMinutes(WIDER_MINUTES, inquiry.nowMs), last: '7 days' };
    const earlier = (await changesDuring(inquiry, week)).filter((change) => concerns(change, slots));
    if (found.length > 0) return draft(inquiry, slots, `${head(earlier, slots)} in the last 7 days`, earlier);
    if (earlier.length === 0) return draft(inquiry, slots, `${none}, nor in the last 7 days${elsewhere}.`, []);
    return draft(inquiry, slots, `${none}${elsewhere}. Before that, ${head(earlier, slots)} in the last 7 days`, earlier);
  },
};

/** "Was shipping or payment released first": of a service that did not change within the hour the answer lies before. */
function isOneMissing(found: readonly Found[], { services, time }: Slots, { left }: Inquiry): boolean {
  return time === undefined && left > 0 && services.length > 1 && services.some((name) => !found.some(({ serviceName }) => serviceName === name));
}

async function changesDuring(inquiry: Inquiry, time: SpokenTime | undefined): Promise<readonly Found[]> {
  const { answer } = await inquiry.ask(getDeploymentCorrelation, historyOf(time, inquiry.nowMs));
  return [...answer].sort((a, b) => Date.parse(b.detectedAt) - Date.parse(a.detectedAt));
}

function concerns({ serviceName, type }: Found, { services, isDeployed }: Slots): boolean {
  return (services.length === 0 || services.includes(serviceName)) && (isDeployed !== true || type === 'deployment');
}

function head(found: readonly Found[], slots: Slots): string {
  return `${counted(found.length, slots.isDeployed === true ? 'deployment' : 'change')}${of(slots)}`;
}

function of({ services, isDeployed }: Slots): string {
  return services.length === 0 ? '' : ` ${isDeployed === true ? 'of' : 'in'} ${services.join(' or ')}`;
}

function draft({ nowMs }: Inquiry, { services: [name], limit = USUAL_ITEMS, isWho }: Slots, text: string, found: readonly Found[]): Awaited<ReturnType<Intent['answer']>> {
  const [newest] = found;
  const about = name ?? newest?.serviceName;
  const followUps = about === undefined ? ['Is anything broken?', 'What happened in the last hour?'] : [`How is ${about} doing?`, `Why is ${about} slow?`, 'What happened in the last hour?'];
  const list = found.length === 0 ? '' : `, the newest first:${listed(weightiest(found, limit).map((change) => line(change, nowMs)), limit, found.length)}`;
  const isDeployed = newest?.type === 'deployment';
  const who = isWho === true ? '\nWho did it telemetry does not tell.' : '';
  return { text: `${text}${list}${who}`, followUps: isDeployed ? [`How is ${newest.serviceName} doing since the deployment?`, ...followUps] : followUps };
}

/** In a long list a deployment must not be cut off by endpoints that were new. */
function weightiest(found: readonly Found[], limit: number): readonly Found[] {
  const chosen = new Set([...found].sort((a, b) => WEIGHTS.indexOf(a.type) - WEIGHTS.indexOf(b.type)).slice(0, limit));
  return found.filter((change) => chosen.has(change));
}

function line({ type, serviceName, detectedAt, previousVersion, currentVersion, description, performanceImpact }: Found, nowMs: number): string {
  const { latencyChange, errorRateChange, assessment } = performanceImpact;
  const what = type === 'deployment' ? `${serviceName} deployed ${currentVersion}${previousVersion === '' ? '' : ` (before: ${previousVersion})`}` : `${serviceName}: ${description}`;
  return `${clockOf(detectedAt, nowMs)}: ${what}; latency ${latencyChange}, error rate ${errorRateChange}, ${assessment} impact`;
}
