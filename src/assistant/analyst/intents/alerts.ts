import { alertLine } from '../alert-line.js';
import { likelyCause } from '../sentences.js';
import { getAlertSummary } from '../../tools/get-alert-summary.js';
import { getAlertRules } from '../../tools/get-alert-rules.js';
import type { Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import { clock, duringRange, windowOf } from '../when.js';
import { and, counted, listed } from '../wording.js';

const MOST_ALERTS = 10;

export const alerts: Intent = {
  name: 'alerts',
  cues: { alerts: 5, rules: 1, why: 2 },
  forms: ['Are there any alerts?', 'Which alerts fire for {service}?'],
  async answer(inquiry, { services, severity, time, limit, isWhy }) {
    const all = (await inquiry.ask(getAlertSummary, windowOf(time))).answer;
    const found = all.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName));
    const when = time?.kind === 'moment' ? ` at ${clock(time.atMs, inquiry.nowMs)}` : time?.kind === 'range' ? duringRange(time, inquiry.nowMs) : '';
    const of = services.length === 0 ? '' : ` for ${and(services)}`;
    const others = all.length > found.length ? ` (${counted(all.length - found.length, 'other')} elsewhere)` : '';
    if (found.length === 0) return { text: `No alert ${when === '' ? 'is firing' : time?.kind === 'moment' ? 'was firing' : 'was open'}${of}${when}${others}.`, followUps: ['Which alert rules are configured?', 'Is anything broken?', 'What happened in the last hour?'] };
    const lines = found.map((alert) => alertLine(alert, time, inquiry.nowMs));
    const [first] = found;
    const cause = isWhy === true ? await likelyCause(inquiry, time === undefined ? {} : { time }, [first.serviceName]) : '';
    return {
      text: `${counted(found.length, 'alert')} ${when === '' ? 'firing' : time?.kind === 'moment' ? 'firing' : 'open'}${of}${when}${others}:${listed(lines, limit ?? MOST_ALERTS)}${cause}`,
      followUps: [`Why is ${first.serviceName} degraded?`, `What changed in ${first.serviceName}?`, 'Which alert rules are configured?'],
      ...(severity !== undefined && { about: { severity } }),
    };
  },
};

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
