import { getServiceMap } from '../../tools/diagnostic-tools.js';
import { loadServiceDetail } from './endpoint-lookup.js';
import { loadServiceHealth } from './grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft } from '../intents/intent.js';
import type { Slots } from '../understanding/slots.js';
import { describeDependency } from './answer-sentences.js';
import { describeWindow, toWindowArguments } from '../time/window-resolver.js';
import { joinWithAnd, capitalize, formatList, formatMs, formatServiceFigures } from './answer-formatting.js';

const MAX_SERVICES = 10;

/** Several services in one window. */
export async function compareServices(inquiry: QueryContext, slots: Slots): Promise<Draft> {
  if (slots.services.every((name) => inquiry.vocabulary.dependencies.includes(name)))
    return compareDependencies(inquiry, slots);
  const services = await loadServiceHealth(inquiry, slots);
  const medians = slots.measure === 'p50' ? await loadMedians(inquiry, slots) : new Map<string, string>();
  const lines = slots.services.map((name) => {
    const service = services.find(({ serviceName }) => serviceName === name);
    return `${name}: ${service === undefined ? 'no figures' : `${service.status}, ${formatServiceFigures(service)}`}${medians.get(name) ?? ''}`;
  });
  const [name, other] = slots.services;
  return {
    text: `${capitalize(joinWithAnd(slots.services))}${describeWindow(slots.time, inquiry.nowMs)}:${formatList(lines, MAX_SERVICES)}`,
    followUps: [`How is ${name} doing?`, `How is ${other} doing?`, `Does ${name} depend on ${other}?`],
  };
}

/** By service, as far as energy pays for looking at each: health has no median. */
async function loadMedians(inquiry: QueryContext, slots: Slots): Promise<ReadonlyMap<string, string>> {
  const medians = new Map<string, string>();
  for (const name of slots.services) {
    const detail = inquiry.left === 0 ? undefined : await loadServiceDetail(inquiry, name, slots);
    if (detail !== undefined) medians.set(name, `, p50 ${formatMs(detail.p50LatencyMs)}`);
  }
  return medians;
}

/** What sends no telemetry of its own, as its callers see it. */
async function compareDependencies(inquiry: QueryContext, { services, time }: Slots): Promise<Draft> {
  const { edges } = (await inquiry.callTool(getServiceMap, toWindowArguments(time))).answer;
  const told = services.map((name) =>
    describeDependency(
      { name, callers: edges.filter(({ target }) => target === name) },
      describeWindow(time, inquiry.nowMs),
    ),
  );
  return { text: told.join('\n'), followUps: services.slice(0, 2).map((name) => `Which services depend on ${name}?`) };
}
