import type { ServiceMap } from '../../../diagnostics/diagnostic-results.js';
import { getServiceMap } from '../../tools/diagnostic-tools.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import type { Slots } from '../understanding/slots.js';
import { describeWindow, toWindowArguments } from '../time/window-resolver.js';
import { formatCount, formatList, formatMs, formatPercent, joinSome } from '../answers/answer-formatting.js';

type ServiceMapEdge = ServiceMap['edges'][number];

export const dependenciesIntent: Intent = {
  name: 'dependencies',
  cues: { dependencies: 4.2, using: 3.5, hypothetical: 5, between: 6 },
  forms: ['What does {service} depend on?', 'Which services call {service}?', 'Show me the service map'],
  async answer(context, slots) {
    const { edges, services } = (await context.callTool(getServiceMap, toWindowArguments(slots.time))).answer;
    if (slots.isEach === true) return answerEachService(context, slots, edges);
    const [name, other] = slots.services;
    const window = describeWindow(slots.time, context.nowMs);
    if (name === undefined) return answerServiceMap(services.length, edges, window, slots);
    if (other !== undefined) return answerBetween(name, other, edges, window);
    if (slots.direction !== undefined)
      return {
        text: describeNeighbors(name, slots.direction, edges, window, slots),
        followUps: suggestFollowUps(context, name, slots.direction),
      };
    return {
      text: `${describeNeighbors(name, 'callees', edges, window, slots)}\n${describeNeighbors(name, 'callers', edges, window, slots)}`,
      followUps: suggestFollowUps(context, name),
    };
  },
};

/** For all dependencies that a word such as "the database" may mean. */
function answerEachService(context: QueryContext, slots: Slots, edges: readonly ServiceMapEdge[]): Draft {
  const window = describeWindow(slots.time, context.nowMs);
  return {
    text: slots.services
      .map((name) => describeNeighbors(name, slots.direction ?? 'callers', edges, window, slots))
      .join('\n'),
    followUps: slots.services.slice(0, 2).map((name) => `Is ${name} slow?`),
  };
}

function describeNeighbors(
  name: string,
  direction: 'callers' | 'callees',
  edges: readonly ServiceMapEdge[],
  window: string,
  { limit = 10 }: Slots,
): string {
  const near = edges
    .filter(({ source, target }) => (direction === 'callees' ? source : target) === name)
    .sort((a, b) => b.requestCount - a.requestCount);
  if (near.length === 0)
    return direction === 'callees' ? `${name} called nothing${window}.` : `Nothing called ${name}${window}.`;
  const lines = near.map(
    (edge) => `${direction === 'callees' ? edge.target : edge.source}: ${formatEdgeFigures(edge)}`,
  );
  const far = findTransitiveNeighbors(name, direction, edges);
  const indirect =
    far.length === 0
      ? ''
      : `\n${direction === 'callees' ? 'Through these it depends on' : 'Through these it serves'} ${joinSome(far)}.`;
  return `${direction === 'callees' ? `${name} depends on ${formatCount(near.length, 'other')}` : `${formatCount(near.length, 'service')} ${near.length === 1 ? 'depends' : 'depend'} on ${name}`}${window}:${formatList(lines, limit)}${indirect}`;
}

/** Everything reached over more than one call, in breadth-first order. */
function findTransitiveNeighbors(
  name: string,
  direction: 'callers' | 'callees',
  edges: readonly ServiceMapEdge[],
): string[] {
  const reached = [name];
  let near = 0;
  for (let at = 0; at < reached.length; at++) {
    const next = edges
      .filter(({ source, target }) => (direction === 'callees' ? source : target) === reached[at])
      .map(({ source, target }) => (direction === 'callees' ? target : source));
    reached.push(...[...new Set(next)].filter((each) => !reached.includes(each)));
    if (at === 0) near = reached.length;
  }
  return reached.slice(near);
}

function answerBetween(name: string, other: string, edges: readonly ServiceMapEdge[], window: string): Draft {
  const direct = edges.filter(
    ({ source, target }) => (source === name && target === other) || (source === other && target === name),
  );
  const followUps = [`What does ${name} depend on?`, `Which services depend on ${other}?`];
  if (direct.length > 0)
    return {
      text: direct
        .map((edge) => `Yes: ${edge.source} calls ${edge.target} (${formatEdgeFigures(edge)}${window}).`)
        .join('\n'),
      followUps,
    };
  const path = findPath(name, other, edges) ?? findPath(other, name, edges);
  return {
    text:
      path === undefined
        ? `No: I saw no calls between ${name} and ${other}${window}.`
        : `Not directly: ${path[0]} reaches ${path.at(-1)} through other services${window}: ${path.join(' → ')}.`,
    followUps,
  };
}

/** The shortest path; of several the one that the map lists first. */
function findPath(from: string, to: string, edges: readonly ServiceMapEdge[]): readonly string[] | undefined {
  const predecessors = new Map<string, string | undefined>([[from, undefined]]);
  for (const source of predecessors.keys())
    for (const edge of edges)
      if (edge.source === source && !predecessors.has(edge.target)) predecessors.set(edge.target, source);
  if (!predecessors.has(to)) return undefined;
  const path: string[] = [];
  for (let at: string | undefined = to; at !== undefined; at = predecessors.get(at)) path.unshift(at);
  return path;
}

function answerServiceMap(
  count: number,
  edges: readonly ServiceMapEdge[],
  window: string,
  { limit = 10 }: Slots,
): Draft {
  if (edges.length === 0)
    return {
      text: `I saw ${formatCount(count, 'service')} and no calls between them${window}.`,
      followUps: ['Which services are there?', 'Is anything broken?'],
    };
  const busiest = [...edges].sort((a, b) => b.requestCount - a.requestCount);
  const lines = busiest.map((edge) => `${edge.source} → ${edge.target}: ${formatEdgeFigures(edge)}`);
  return {
    text: `${formatCount(count, 'service')} and ${formatCount(edges.length, 'dependency', 'dependencies')}${window}:${formatList(lines, limit)}`,
    followUps: [
      `What does ${busiest[0].source} depend on?`,
      `Which services depend on ${busiest[0].target}?`,
      'Is anything broken?',
    ],
  };
}

function formatEdgeFigures({ requestCount, errorRate, avgLatencyMs }: ServiceMapEdge): string {
  return `${formatCount(requestCount, 'call')}, error rate ${formatPercent(errorRate)}, ${formatMs(avgLatencyMs)} on average`;
}

function suggestFollowUps({ vocabulary }: QueryContext, name: string, direction?: 'callers' | 'callees'): string[] {
  const other = direction === 'callers' ? `What does ${name} depend on?` : `Which services depend on ${name}?`;
  return vocabulary.dependencies.includes(name)
    ? [`Is ${name} slow?`, 'Show me the service map']
    : [other, `How is ${name} doing?`, 'Show me the service map'];
}
