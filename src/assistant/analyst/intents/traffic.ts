import { healthOf } from '../findings.js';
import { serviceChart } from '../service-chart.js';
import type { Inquiry } from '../inquiry.js';
import type { Slots } from '../slots.js';
import { hasHourBefore, NOTHING_BEFORE } from '../hour-before.js';
import type { Intent } from '../intent.js';
import { peakOf } from '../peaks.js';
import { ranking } from '../rankings.js';
import { getTrendAnalysis } from '../../tools/get-trend-analysis.js';
import { sideBySide } from '../side-by-side.js';
import { clockOf, currentRange, during, windowOf } from '../when.js';
import { chartValue, counted, serviceFigures } from '../wording.js';

/** Details of a service count its requests; a rate is told by its chart alone, minute by minute. */
async function rateOf(inquiry: Inquiry, slots: Slots, name: string): Promise<string> {
  if (slots.measure !== 'requestRate') return '';
  const points = (await serviceChart(inquiry, name, 'request_rate', { time: currentRange(slots.time, inquiry.nowMs) }))?.[0]?.dataPoints ?? [];
  const last = points.at(-1);
  if (last === undefined) return '';
  const values = points.map(({ value }) => value);
  return `\nOn its chart the rate was ${chartValue(last.value)} requests a second at ${clockOf(last.timestamp, inquiry.nowMs)}; lowest ${chartValue(Math.min(...values))}, highest ${chartValue(Math.max(...values))}${during(slots.time, inquiry.nowMs)}.`;
}

export const traffic: Intent = {
  name: 'traffic',
  cues: { requests: 3, peak: 1.5, many: 0.5, most: 0.5, services: 0.5 },
  forms: ['How many requests does {service} get?', 'Which service is busiest?'],
  async answer(inquiry, slots) {
    if (slots.services.length > 1) return sideBySide(inquiry, slots);
    const [name] = slots.services;
    const window = during(slots.time, inquiry.nowMs);
    if (name !== undefined) {
      const service = (await healthOf(inquiry, slots)).find(({ serviceName }) => serviceName === name);
      const text = service === undefined || service.requestCount === 0 ? `${name} had no requests${window}.` : `${name} had ${counted(service.requestCount, 'request')}${window} (${serviceFigures(service)}).`;
      return { text: `${text}${await rateOf(inquiry, slots, name)}${await peakOf(inquiry, slots, name, 'traffic')}`, followUps: [`Is the traffic of ${name} increasing?`, `How fast is ${name}?`, `Which services call ${name}?`] };
    }
    const { answer } = await inquiry.ask(getTrendAnalysis, windowOf(slots.time));
    const { currentRps, baselineRps, trend, changePercent } = answer.throughput;
    const before = hasHourBefore(answer) ? `, ${baselineRps} in the hour before: ${trend} (${changePercent} %)` : `; ${NOTHING_BEFORE}`;
    const overall = `All services together had ${currentRps} requests a second${window}${before}.`;
    const services = inquiry.left === 0 ? '' : `\n${ranking(await healthOf(inquiry, slots), 'traffic', slots, inquiry.nowMs)}`;
    return { text: `${overall}${services}`, followUps: ['Which service has the most errors?', 'Which endpoints are slowest?', 'Is anything under pressure?'] };
  },
};
