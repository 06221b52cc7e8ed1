import type { Alert } from '../../../diagnostics/answers.js';
import { alertLine, type Ended } from '../alert-line.js';
import { likelyCause } from '../sentences.js';
import { getAlertSummary } from '../../tools/get-alert-summary.js';
import { getAlertRules } from '../../tools/get-alert-rules.js';
import { getIncidentTimeline } from '../../tools/get-incident-timeline.js';
import type { Presented } from '../../tools/presented.js';
import type { Inquiry } from '../inquiry.js';
import type { Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import type { Slots, SpokenTime } from '../slots.js';
import { clock, during, lastMinutes, windowOf } from '../when.js';
import { and, counted, listed } from '../wording.js';

type Found = Presented<Alert>;

const MOST_ALERTS = 10;
const DAY_MINUTES = 24 * 60;

export const alerts: Intent = {
  name: 'alerts',
  cues: { alerts: 5, alertLevel: 5, rules: 1, why: 2 },
  forms: ['Are there any alerts?', 'Which alerts fire for {service}?'],
  async answer(inquiry, slots) {
    const time = timeOf(slots, inquiry.nowMs);
    const all = (await inquiry.ask(getAlertSummary, windowOf(time))).answer;
    const found = all.filter((alert) => isMeant(alert, slots));
    const when = time?.kind === 'moment' ? ` at ${clock(time.atMs, inquiry.nowMs)}` : time?.kind === 'range' ? during(time, inquiry.nowMs) : '';
    const others = all.length > found.length ? ` (${counted(all.length - found.length, 'other')}${slots.services.length === 0 ? '' : ' elsewhere'})` : '';
    if (found.length === 0) return { text: `No ${kindOf(slots)}alert ${stateOf(slots, time, 'is')}${of(slots)}${when}${others}.`, followUps: ['Which alert rules are configured?', 'Is anything broken?', 'What happened in the last hour?'] };
    const shown = slots.edge === undefined ? found : [slots.edge === 'first' ? found[found.length - 1] : found[0]];
    const [first] = shown;
    const ends = await endsOf(inquiry, shown, time);
    const lines = shown.map((alert) => alertLine(alert, time, inquiry.nowMs, ends));
    const cause = slots.isWhy === true ? await likelyCause(inquiry, time === undefined ? {} : { time }, [first.serviceName]) : '';
    const head = slots.edge === undefined ? '' : found.length === 1 ? 'The only one of ' : `The ${slots.edge} of `;
    return {
      text: `${head}${counted(found.length, `${kindOf(slots)}alert`)} ${stateOf(slots, time)}${of(slots)}${when}${others}:${listed(lines, slots.limit ?? MOST_ALERTS)}${cause}`,
      followUps: [`Why is ${first.serviceName} degraded?`, `What changed in ${first.serviceName}?`, 'Which alert rules are configured?'],
    };
  },
};

/** What was resolved fires no more: it is looked for in a day where no time was asked for. */
function timeOf({ time, alertStatus, isLasting }: Slots, nowMs: number): SpokenTime | undefined {
  return time === undefined && (alertStatus === 'resolved' || isLasting === true) ? { ...lastMinutes(DAY_MINUTES, nowMs), last: '24 hours' } : time;
}

function isMeant({ serviceName, severity, status }: Found, { services, alertSeverity = severity, alertStatus = status }: Slots): boolean {
  return (services.length === 0 || services.includes(serviceName)) && severity === alertSeverity && status === alertStatus;
}

function kindOf({ alertSeverity }: Slots): string {
  return alertSeverity === undefined ? '' : `${alertSeverity} `;
}

function of({ services }: Slots): string {
  return services.length === 0 ? '' : ` for ${and(services)}`;
}

/** `verb` with one: a sentence. */
function stateOf({ alertStatus }: Slots, time: SpokenTime | undefined, verb = ''): string {
  const is = verb === '' ? '' : time === undefined ? 'is ' : 'was ';
  if (alertStatus !== undefined) return `${is}${alertStatus}`;
  return `${is}${time?.kind === 'range' ? 'open' : 'firing'}`;
}

/** When alerts were resolved, which the timeline alone tells; none where nothing was, or the energy does not pay for it. */
async function endsOf(inquiry: Inquiry, alerts: readonly Found[], time: SpokenTime | undefined): Promise<readonly Ended[]> {
  if (inquiry.left === 0 || alerts.every(({ status }) => status === 'firing')) return [];
  return (await inquiry.ask(getIncidentTimeline, windowOf(time))).answer.filter(({ type, description }) => type === 'alert' && description.endsWith(' resolved'));
}

export const rules: Intent = {
  name: 'rules',
  cues: { rules: 5, alerts: 1.5 },
  forms: ['Which alert rules are configured?'],
  async answer(inquiry, { services, limit = 10 }) {
    const all = (await inquiry.ask(getAlertRules, {})).rules;
    const found = all.filter(({ serviceName }) => services.length === 0 || serviceName === undefined || services.includes(serviceName));
    const of = services.length === 0 ? '' : ` for ${and(services)}`;
    if (found.length === 0) return { text: `No alert rule is configured${of}.`, followUps: ['Are there any alerts?', 'Is anything broken?'] };
    const lines = found.map(({ name, metric, operator, threshold, severity, criticalThreshold, serviceName, windowMinutes, enabled }) => {
      const critical = criticalThreshold === undefined ? '' : `, critical from ${criticalThreshold}`;
      return `${quotedName(name)}: ${metric} ${operator} ${threshold} over ${counted(windowMinutes, 'minute')} (${severity}${critical}), ${serviceName ?? 'every service'}${enabled ? '' : ', switched off'}`;
    });
    return { text: `${counted(found.length, 'alert rule')}${of}:${listed(lines, limit)}`, followUps: ['Are there any alerts?', 'Is anything broken?'] };
  },
};
