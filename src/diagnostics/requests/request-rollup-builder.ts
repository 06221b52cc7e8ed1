import { boundGrid, boundService } from '../rollups/rollup-bounds.js';
import { sumMeasures } from '../rollups/rollup-sums.js';
import {
  type EdgeRollup,
  type GridRollup,
  type InstanceRollup,
  type Measures,
  type OperationRollup,
  type ServiceRollup,
  type ServiceTotals,
  UNKNOWN_TARGET,
} from '../rollups/rollup-types.js';
import { Sketch } from '../rollups/sketch.js';
import { compareText } from '../text-order.js';
import { scaleSketch } from './latency-sketch.js';
import { measureRequests } from './request-measurement.js';
import type { RequestRow } from './request-row-reader.js';
import { groupBy, selectCountedRows } from './request-selection.js';

/** Rollups of one time bucket that request metrics give, in the form of those of spans. */
export interface RequestRollups {
  readonly grid: GridRollup;
  /** By name ascending. */
  readonly services: readonly ServiceRollup[];
}

export interface RequestContext {
  readonly apdexThresholdMs: number;
  /** Names that are services for other reasons: they send spans, or metrics of their own. */
  readonly knownServices: ReadonlySet<string>;
  /** Entry spans of services with spans in the bucket. */
  readonly spanTotals: ReadonlyMap<string, Measures>;
  /** Start and end of the time bucket, µs since 1970. */
  readonly fromUs: number;
  readonly toUs: number;
}

/** Rows of one service. */
interface OwnRows {
  readonly service: string;
  readonly entries: readonly RequestRow[];
  readonly calls: readonly RequestRow[];
}

/** Calls of a service to one peer. */
interface MeasuredCalls extends Measures {
  readonly target: string;
  readonly virtual: boolean;
  readonly isMessaging: boolean;
}

/**
 * Builds rollups as spans would give them. What only spans tell is estimated: self time is the time of the requests
 * less that of the service's calls, own errors are the errors less its failed calls, and the time on the wire is the
 * duration of a call less the mean of the called service. All rows MUST be of one time bucket.
 */
export function buildRequestRollups(rows: readonly RequestRow[], context: RequestContext): RequestRollups {
  const own = groupByService(selectCountedRows(rows));
  const totals = new Map(context.spanTotals);
  for (const { service, entries } of own)
    if (!totals.has(service)) totals.set(service, measureRequests(entries, context.apdexThresholdMs));
  const names = new Set([...context.knownServices, ...totals.keys()]);
  const grid: { services: ServiceTotals[]; edges: EdgeRollup[] } = { services: [], edges: [] };
  const services: ServiceRollup[] = [];
  for (const each of own) {
    const calls = measureCalls(each, names, context);
    const operations = buildEntryOperations(each, calls, context);
    grid.services.push(buildTotals(each, operations, calls));
    grid.edges.push(...calls.map((call) => buildEdge(each.service, call, totals.get(call.target))));
    services.push(
      boundService({
        service: each.service,
        operations: [...operations, ...calls.map((call) => buildCallOperation(call, totals.get(call.target)))],
        exceptions: [],
        versions: [],
        instances: buildInstances(each, context),
      }),
    );
  }
  return { grid: boundGrid(grid), services };
}

/** By name ascending. */
function groupByService(rows: readonly RequestRow[]): OwnRows[] {
  const groups = [...groupBy(rows, ({ service }) => service)].map(([service, own]) => ({
    service,
    entries: own.filter(({ side }) => side === 'server'),
    calls: own.filter(({ side }) => side === 'client'),
  }));
  return groups.sort((a, b) => compareText(a.service, b.service));
}

function measureCalls(
  { calls }: OwnRows,
  names: ReadonlySet<string>,
  { apdexThresholdMs }: RequestContext,
): MeasuredCalls[] {
  const groups = groupBy(calls, ({ peer, category }) => `${category === 'messaging'} ${resolvePeer(peer, names)}`);
  return [...groups.values()].map((rows) => {
    const target = resolvePeer(rows[0].peer, names);
    const virtual = target === UNKNOWN_TARGET || !names.has(target);
    return {
      ...measureRequests(rows, apdexThresholdMs),
      target,
      virtual,
      isMessaging: rows[0].category === 'messaging',
    };
  });
}

/** A name in the namespaces of Kubernetes: `payment.shop`, `payment.shop.svc`, `payment.shop.svc.cluster.local`. */
const CLUSTER_NAME = /^([a-z0-9-]+)\.[a-z0-9-]+(?:\.svc(?:\..*)?)?$/;

/** The service that a host name means, if it means one; else the name itself. */
function resolvePeer(peer: string, names: ReadonlySet<string>): string {
  if (names.has(peer)) return peer;
  const service = CLUSTER_NAME.exec(peer)?.[1];
  return service !== undefined && names.has(service) ? service : peer;
}

function buildEntryOperations(
  { entries }: OwnRows,
  calls: readonly MeasuredCalls[],
  { apdexThresholdMs }: RequestContext,
): OperationRollup[] {
  const groups = groupBy(entries, ({ category, operation }) => `${category} ${operation}`);
  const measured = [...groups.values()].map((rows) => ({
    row: rows[0],
    measures: measureRequests(rows, apdexThresholdMs),
  }));
  const total = sumMeasures(measured.map(({ measures }) => ({ ...measures, latency: NO_LATENCY })));
  const calling = sumMeasures(calls.map((call) => ({ ...call, latency: NO_LATENCY })));
  const ownTime = remainingShare(total.durationNs, calling.durationNs);
  const ownErrors = remainingShare(total.errors, calling.errors);
  return measured.map(({ row: { category, operation }, measures }) => ({
    operation,
    kind: category === 'messaging' ? 'CONSUMER' : 'SERVER',
    entry: true,
    ...measures,
    selfNs: Math.round(measures.durationNs * ownTime),
    self: ownTime === 1 ? measures.latency : scaleSketch(measures.latency, ownTime),
    originErrors: Math.round(measures.errors * ownErrors),
    calls: [],
  }));
}

const NO_LATENCY = new Sketch();

/** The share of a sum that a part leaves: 0 to 1. */
function remainingShare(whole: number, part: number): number {
  return whole > 0 ? Math.max(0, 1 - part / whole) : 1;
}

/** Failed calls to a service count as its own errors as far as it reports as many; the rest arose between the two. */
function buildCallOperation(call: MeasuredCalls, called: Measures | undefined): OperationRollup {
  const { target, virtual, isMessaging, ...measures } = call;
  const reported =
    virtual || called === undefined || called.count === 0 ? 0 : (call.count * called.errors) / called.count;
  return {
    operation: `calls to ${target}`,
    kind: isMessaging ? 'PRODUCER' : 'CLIENT',
    entry: false,
    ...measures,
    selfNs: measures.durationNs,
    self: measures.latency,
    originErrors: Math.max(0, Math.round(measures.errors - reported)),
    calls: [],
  };
}

function buildEdge(source: string, call: MeasuredCalls, called: Measures | undefined): EdgeRollup {
  const { target, virtual, count, errors, durationNs, latency } = call;
  const isPaired =
    !virtual && !call.isMessaging && latency.count > 0 && called !== undefined && called.latency.count > 0;
  const wireNs = isPaired ? Math.max(0, Math.round(durationNs - (count * called.durationNs) / called.count)) : 0;
  const wire = new Sketch();
  if (isPaired) wire.add(wireNs / count, count);
  return { source, target, virtual, count, errors, durationNs, latency, paired: isPaired ? count : 0, wireNs, wire };
}

function buildTotals(
  { service }: OwnRows,
  operations: readonly OperationRollup[],
  calls: readonly MeasuredCalls[],
): ServiceTotals {
  const countOf = (kind: OperationRollup['kind']): number =>
    operations.reduce((sum, each) => sum + (each.kind === kind ? each.count : 0), 0);
  const callsOf = (messaging: boolean): number =>
    calls.reduce((sum, each) => sum + (each.isMessaging === messaging ? each.count : 0), 0);
  const [server, consumer] = [countOf('SERVER'), countOf('CONSUMER')];
  return {
    service,
    ...sumMeasures(operations),
    kinds: [0, server, callsOf(false), callsOf(true), consumer],
    entryKinds: [0, server, 0, 0, consumer],
  };
}

/** Instances that measured their own requests. */
function buildInstances({ entries }: OwnRows, { apdexThresholdMs, fromUs, toUs }: RequestContext): InstanceRollup[] {
  const named = entries.filter(({ instance }) => instance !== '');
  return [...groupBy(named, ({ instance }) => instance)].map(([instance, rows]) => {
    const { count, errors, durationNs } = measureRequests(rows, apdexThresholdMs);
    return { instance, spans: count, requests: count, errors, durationNs, firstUs: fromUs, lastUs: toUs - 1 };
  });
}
