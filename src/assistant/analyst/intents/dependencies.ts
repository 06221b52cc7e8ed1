import type { ServiceMap } from '../../../diagnostics/answers.js';
import { getServiceMap } from '../../tools/get-service-map.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import type { Slots } from '../slots.js';
import { during, windowOf } from '../when.js';
import { counted, listed, ms, percent, some } from '../wording.js';

type Edge = ServiceMap['edges'][number];

export const dependencies: Intent = {
  name: 'dependencies',
  cues: { dependencies: 4.2, using: 3.5, hypothetical: 5, between: 6 },
  forms: ['What does {service} depend on?', 'Which services call {service}?', 'Show me the service map'],
  async answer(inquiry, slots) {
    const { edges, services } = (await inquiry.ask(getServiceMap, windowOf(slots.time))).answer;
    if (slots.isEach === true) return each(inquiry, slots, edges);
    const [name, other] = slots.services;
    const window = during(slots.time, inquiry.nowMs);
    if (name === undefined) return whole(services.length, edges, window, slots);
    if (other !== undefined) return between(name, other, edges, window);
    if (slots.direction !== undefined) return { text: one(name, slots.direction, edges, window, slots), followUps: followUpsOf(inquiry, name, slots.direction) };
    return { text: `${one(name, 'callees', edges, window, slots)}\n${one(name, 'callers', edges, window, slots)}`, followUps: followUpsOf(inquiry, name) };
  },
};

/** Of all that a word such as "the database" may mean. */
function each(inquiry: Inquiry, slots: Slots, edges: readonly Edge[]): Draft {
  const window = during(slots.time, inquiry.nowMs);
  return { text: slots.services.map((name) => one(name, slots.direction ?? 'callers', edges, window, slots)).join('\n'), followUps: slots.services.slice(0, 2).map((name) => `Is ${name} slow?`) };
}

function one(name: string, direction: 'callers' | 'callees', edges: readonly Edge[], window: string, { limit = 10 }: Slots): string {
  const near = edges.filter(({ source, target }) => (direction === 'callees' ? source : target) === name).sort((a, b) => b.requestCount - a.requestCount);
  if (near.length === 0) return direction === 'callees' ? `${name} called nothing${window}.` : `Nothing called ${name}${window}.`;
  const lines = near.map((edge) => `${direction === 'callees' ? edge.target : edge.source}: ${figures(edge)}`);
  const far = beyond(name, direction, edges);
  const indirect = far.length === 0 ? '' : `\n${direction === 'callees' ? 'Through these it depends on' : 'Through these it serves'} ${some(far)}.`;
  return `${direction === 'callees' ? `${name} depends on ${counted(near.length, 'other')}` : `${counted(near.length, 'service')} ${near.length === 1 ? 'depends' : 'depend'} on ${name}`}${window}:${listed(lines, limit)}${indirect}`;
}

/** All that is reached over more than one call, in the order in which it is. */
function beyond(name: string, direction: 'callers' | 'callees', edges: readonly Edge[]): string[] {
  const reached = [name];
  let near = 0;
  for (let at = 0; at < reached.length; at++) {
    const next = edges.filter(({ source, target }) => (direction === 'callees' ? source : target) === reached[at]).map(({ source, target }) => (direction === 'callees' ? target : source));
    reached.push(...[...new Set(next)].filter((each) => !reached.includes(each)));
    if (at === 0) near = reached.length;
  }
  return reached.slice(near);
}

function between(name: string, other: string, edges: readonly Edge[], window: string): Draft {
  const direct = edges.filter(({ source, target }) => (source === name && target === other) || (source === other && target === name));
  const followUps = [`What does ${name} depend on?`, `Which services depend on ${other}?`];
  if (direct.length > 0) return { text: direct.map((edge) => `Yes: ${edge.source} calls ${edge.target} (${figures(edge)}${window}).`).join('\n'), followUps };
  const path = pathBetween(name, other, edges) ?? pathBetween(other, name, edges);
  return { text: path === undefined ? `No: I saw no calls between ${name} and ${other}${window}.` : `Not directly: ${path[0]} reaches ${path.at(-1)} through other services${window}: ${path.join(' → ')}.`, followUps };
}

/** The shortest; of several, the one that the map lists first. */
function pathBetween(from: string, to: string, edges: readonly Edge[]): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const source of before.keys()) for (const edge of edges) if (edge.source === source && !before.has(edge.target)) before.set(edge.target, source);
  if (!before.has(to)) return undefined;
  const path: string[] = [];
  for (let at: string | undefined = to; at !== undefined; at = before.get(at)) path.unshift(at);
  return path;
}

function whole(count: number, edges: readonly Edge[], window: string, { limit = 10 }: Slots): Draft {
  if (edges.length === 0) return { text: `I saw ${counted(count, 'service')} and no calls between them${window}.`, followUps: ['Which services are there?', 'Is anything broken?'] };
  const busiest = [...edges].sort((a, b) => b.requestCount - a.requestCount);
  const lines = busiest.map((edge) => `${edge.source} → ${edge.target}: ${figures(edge)}`);
  return {
    text: `${counted(count, 'service')} and ${counted(edges.length, 'dependency', 'dependencies')}${window}:${listed(lines, limit)}`,
    followUps: [`What does ${busiest[0].source} depend on?`, `Which services depend on ${busiest[0].target}?`, 'Is anything broken?'],
  };
}

function figures({ requestCount, errorRate, avgLatencyMs }: Edge): string {
  return `${counted(requestCount, 'call')}, error rate ${percent(errorRate)}, ${ms(avgLatencyMs)} on average`;
}

function followUpsOf({ vocabulary }: Inquiry, name: string, direction?: 'callers' | 'callees'): string[] {
  const other = direction === 'callers' ? `What does ${name} depend on?` : `Which services depend on ${name}?`;
  return vocabulary.dependencies.includes(name) ? [`Is ${name} slow?`, 'Show me the service map'] : [other, `How is ${name} doing?`, 'Show me the service map'];
}
