import { getServiceMap } from '../../tools/diagnostic-tools.js';
import { loadServiceDetail } from './endpoint-lookup.js';
import { loadServiceHealth } from './grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft } from '../intents/intent.js';
import type { Slots } from '../understanding/slots.js';
import { describeDependency } from './answer-sentences.js';
import { selectStatus } from './status-sentences.js';
import { describeWindow, toWindowArguments } from '../time/window-resolver.js';
import { joinWithAnd, capitalize, formatList, formatMs, formatServiceFigures } from './answer-formatting.js';

const MAX_SERVICES = 10;

/** Compares several services in one window. */
export async function compareServices(context: QueryContext, slots: Slots): Promise<Draft> {
  if (slots.services.every((name) => context.vocabulary.dependencies.includes(name)))
    return compareDependencies(context, slots);
  const services = await loadServiceHealth(context, slots);
  const medians = slots.measure === 'p50' ? await loadMedians(context, slots) : new Map<string, string>();
  const lines = slots.services.map((name) => {
    const service = services.find(({ serviceName }) => serviceName === name);
    return `${name}: ${service === undefined ? 'no figures' : `${selectStatus(service, slots)}, ${formatServiceFigures(service)}`}${medians.get(name) ?? ''}`;
  });
  const [name, other] = slots.services;
  return {
    text: `${capitalize(joinWithAnd(slots.services))}${describeWindow(slots.time, context.nowMs)}:${formatList(lines, MAX_SERVICES)}`,
    followUps: [`How is ${name} doing?`, `How is ${other} doing?`, `Does ${name} depend on ${other}?`],
  };
}

/** Medians by service, which health lacks; as far as energy permits. */
async function loadMedians(context: QueryContext, slots: Slots): Promise<ReadonlyMap<string, string>> {
  const medians = new Map<string, string>();
  for (const name of slots.services) {
    const detail = context.sourcesLeft === 0 ? undefined : await loadServiceDetail(context, name, slots);
    if (detail !== undefined) medians.set(name, `, p50 ${formatMs(detail.p50LatencyMs)}`);
  }
  return medians;
}

/** Dependencies without telemetry of their own, as seen by their callers. */
async function compareDependencies(context: QueryContext, { services, time }: Slots): Promise<Draft> {
  const { edges } = (await context.callTool(getServiceMap, toWindowArguments(time))).answer;
  const lines = services.map((name) =>
    describeDependency(
      { name, callers: edges.filter(({ target }) => target === name) },
      describeWindow(time, context.nowMs),
    ),
  );
  return { text: lines.join('\n'), followUps: services.slice(0, 2).map((name) => `Which services depend on ${name}?`) };
}
