import type { PlainSpan } from '../../test/support/naive-rollups.js';
import type { VariedCase } from './varied-case.js';

/** All operations of all services have the same name, as where instrumentations do not know routes. */
export function nameAllOperationsAlike(original: VariedCase): VariedCase {
  const { telemetry } = original;
  const spans = telemetry.spans.map((span) => ({ ...span, operation: 'request' }));
  return { ...original, telemetry: { ...telemetry, spans } };
}

/** Services, instances and operations get names without meaning, whose order is random as well. */
export function renameServices(original: VariedCase, random: () => number): VariedCase {
  const rename = createNames(random);
  const { spans, logs, points } = original.telemetry;
  return {
    ...original,
    service: rename(original.service),
    telemetry: {
      spans: spans.map((span) => ({
        ...span,
        service: rename(span.service),
        operation: rename(span.operation),
        instance: span.instance === undefined ? undefined : rename(span.instance),
      })),
      logs: logs.map((log) => ({ ...log, service: rename(log.service) })),
      points: points.map((point) => ({
        ...point,
        service: rename(point.service),
        instance: rename(point.instance),
      })),
    },
  };
}

function createNames(random: () => number): (name: string) => string {
  const names = new Map([['', '']]);
  return (name) => {
    const known = names.get(name) ?? `name-${Math.floor(random() * 2 ** 40).toString(36)}`;
    names.set(name, known);
    return known;
  };
}

/** Share of the requests that fail. */
const FAILING_SHARE = 0.05;

const MAX_MINUTES_BEFORE = 5;

/**
 * Some service other than the one at fault, and none that it calls or that calls it if there is one, fails some of its
 * requests. That begins up to five minutes before the fault.
 */
export function failElsewhere(original: VariedCase, random: () => number): VariedCase {
  const { telemetry, service, injectMs } = original;
  const candidates = findUnrelatedServices(telemetry.spans, service);
  if (candidates.length === 0) return original;
  const failing = candidates[Math.floor(random() * candidates.length)];
  const fromMs = injectMs - MAX_MINUTES_BEFORE * 60_000 * random();
  const failed = new Set(
    telemetry.spans
      .filter((span) => span.service === failing && span.kind === 'SERVER' && Number(span.endNs) / 1e6 >= fromMs)
      .filter(() => random() < FAILING_SHARE),
  );
  const failedCalls = new Set([...failed].map(({ traceId, parentId }) => `${traceId}/${parentId}`));
  const spans = telemetry.spans.map((span) =>
    failed.has(span) || failedCalls.has(`${span.traceId}/${span.spanId}`) ? { ...span, error: true } : span,
  );
  return { ...original, telemetry: { ...telemetry, spans }, alsoFailing: failing };
}

function findUnrelatedServices(spans: readonly PlainSpan[], service: string): string[] {
  const serviceOf = new Map(spans.map((span) => [`${span.traceId}/${span.spanId}`, span.service]));
  const calls = new Map<string, readonly [source: string, target: string]>();
  for (const { traceId, parentId, service: target } of spans) {
    const source = serviceOf.get(`${traceId}/${parentId}`);
    if (source !== undefined && source !== target) calls.set(`${source} ${target}`, [source, target]);
  }
  const edges = [...calls.values()];
  const related = new Set([
    ...reach(service, edges),
    ...reach(
      service,
      edges.map(([source, target]) => [target, source]),
    ),
  ]);
  const others = [...new Set(spans.filter(({ kind }) => kind === 'SERVER').map((span) => span.service))]
    .filter((each) => each !== service)
    .sort();
  const unrelated = others.filter((each) => !related.has(each));
  return unrelated.length > 0 ? unrelated : others;
}

function reach(from: string, edges: readonly (readonly [string, string])[]): Set<string> {
  const reached = new Set([from]);
  for (const each of reached) for (const [source, target] of edges) if (source === each) reached.add(target);
  return reached;
}
