import { boundGrid, boundService } from '../rollups/rollup-bounds.js';
import {
  type EdgeRollup,
  type GridRollup,
  type InstanceRollup,
  type Measures,
  type OperationRollup,
  ROLLUP_BOUNDS,
  type ServiceRollup,
  type ServiceTotals,
  UNKNOWN_TARGET,
} from '../rollups/rollup-types.js';
import { PackedSketch } from '../rollups/packed-sketch.js';
import { bucketIndex } from '../rollups/sketch.js';
import { compareText } from '../text-order.js';
import { scaleSketch } from './latency-sketch.js';
import { countRequests, joinMeasures, measureRequests, type RequestCounts } from './request-measurement.js';
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

/** Rows of one service, its entries measured. */
interface OwnRequests {
  readonly service: string;
  readonly entries: readonly MeasuredEntry[];
  readonly total: Measures;
  /** Rows of its entries that name their instance, and of its calls. */
  readonly named: readonly RequestRow[];
  readonly calls: readonly RequestRow[];
}

/** Requests of one entry operation. */
interface MeasuredEntry {
  readonly operation: string;
  readonly isMessaging: boolean;
  readonly measures: Measures;
}

/** Calls of a service to one peer. */
interface MeasuredCalls {
  readonly target: string;
  readonly virtual: boolean;
  readonly isMessaging: boolean;
  readonly measures: Measures;
}

/**
 * Builds rollups as spans would give them. What only spans contain is estimated: self time is the time of the requests
 * less that of the service's calls, own errors are the errors less its failed calls, and the time on the wire is the
 * duration of a call less the mean of the called service. All rows MUST be of one time bucket.
 */
export function buildRequestRollups(rows: readonly RequestRow[], context: RequestContext): RequestRollups {
  const all = measureEntries(selectCountedRows(rows), context);
  const totals = new Map(context.spanTotals);
  for (const { service, total } of all) if (!totals.has(service)) totals.set(service, total);
  const names = new Set([...context.knownServices, ...totals.keys()]);
  const grid: { services: ServiceTotals[]; edges: EdgeRollup[] } = { services: [], edges: [] };
  const services: ServiceRollup[] = [];
  for (const own of all) {
    const calls = measureCalls(own, names, context);
    grid.services.push(buildTotals(own, calls));
    for (const call of calls) grid.edges.push(buildEdge(own.service, call, totals.get(call.target)));
    services.push(buildService(own, calls, totals, context));
  }
  return { grid: boundGrid(grid), services };
}

/** By name ascending. */
function measureEntries(rows: readonly RequestRow[], { apdexThresholdMs }: RequestContext): OwnRequests[] {
  const services = [...groupBy(rows, ({ service }) => service)].map(([service, own]): OwnRequests => {
    const served = own.filter(({ side }) => side === 'server');
    const entries = [...groupBy(served, ({ category, operation }) => `${category} ${operation}`).values()].map(
      (same): MeasuredEntry => ({
        operation: same[0].operation,
        isMessaging: same[0].category === 'messaging',
        measures: measureRequests(same, apdexThresholdMs),
      }),
    );
    return {
      service,
      entries,
      total: joinMeasures(entries.map(({ measures }) => measures)),
      named: served.filter(({ instance }) => instance !== ''),
      calls: own.filter(({ side }) => side === 'client'),
    };
  });
  return services.sort((a, b) => compareText(a.service, b.service));
}

function measureCalls(
  { calls }: OwnRequests,
  names: ReadonlySet<string>,
  { apdexThresholdMs }: RequestContext,
): MeasuredCalls[] {
  const groups = groupBy(calls, ({ peer, category }) => `${category === 'messaging'} ${resolvePeer(peer, names)}`);
  return [...groups.values()].map((rows) => {
    const target = resolvePeer(rows[0].peer, names);
    const virtual = target === UNKNOWN_TARGET || !names.has(target);
    const isMessaging = rows[0].category === 'messaging';
    return { target, virtual, isMessaging, measures: measureRequests(rows, apdexThresholdMs) };
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

function buildService(
  own: OwnRequests,
  calls: readonly MeasuredCalls[],
  totals: ReadonlyMap<string, Measures>,
  context: RequestContext,
): ServiceRollup {
  const operations = [
    ...buildEntryOperations(own, calls),
    ...calls.map((call) => buildCallOperation(call, totals.get(call.target))),
  ];
  const rollup = {
    service: own.service,
    operations: operations.sort((a, b) => compareText(a.operation, b.operation) || compareText(a.kind, b.kind)),
    exceptions: [],
    versions: [],
    instances: buildInstances(own, context),
    isEstimated: true as const,
  };
  const isBounded = operations.length <= ROLLUP_BOUNDS.operations && rollup.instances.length <= ROLLUP_BOUNDS.instances;
  return isBounded ? rollup : boundService(rollup);
}

function buildEntryOperations({ entries, total }: OwnRequests, calls: readonly MeasuredCalls[]): OperationRollup[] {
  const ownTime = remainingShare(
    total.durationNs,
    sumOver(calls, ({ durationNs }) => durationNs),
  );
  const ownErrors = remainingShare(
    total.errors,
    sumOver(calls, ({ errors }) => errors),
  );
  return entries.map(({ operation, isMessaging, measures }) => ({
    operation,
    kind: isMessaging ? 'CONSUMER' : 'SERVER',
    entry: true,
    ...measures,
    selfNs: Math.round(measures.durationNs * ownTime),
    self: ownTime === 1 ? measures.latency : scaleSketch(measures.latency, ownTime),
    originErrors: Math.round(measures.errors * ownErrors),
    calls: [],
  }));
}

function sumOver(calls: readonly MeasuredCalls[], valueOf: (measures: Measures) => number): number {
  return calls.reduce((sum, { measures }) => sum + valueOf(measures), 0);
}

/** The share of a sum that a part leaves: 0 to 1. */
function remainingShare(whole: number, part: number): number {
  return whole > 0 ? Math.max(0, 1 - part / whole) : 1;
}

/** Failed calls to a service count as its own errors as far as it reports as many; the rest arose between the two. */
function buildCallOperation(
  { target, virtual, isMessaging, measures }: MeasuredCalls,
  called: RequestCounts | undefined,
): OperationRollup {
  const isSilent = virtual || called === undefined || called.count === 0;
  const reported = isSilent ? 0 : (measures.count * called.errors) / called.count;
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

function buildEdge(
  source: string,
  { target, virtual, isMessaging, measures }: MeasuredCalls,
  called: Measures | undefined,
): EdgeRollup {
  const { count, errors, durationNs, latency } = measures;
  const isPaired = !virtual && !isMessaging && durationNs > 0 && called !== undefined && called.durationNs > 0;
  const wireNs = isPaired ? Math.max(0, Math.round(durationNs - (count * called.durationNs) / called.count)) : 0;
  const wire = isPaired ? packEqual(wireNs / count, count) : NO_CALLS;
  return {
    source,
    target,
    virtual,
    count,
    errors,
    durationNs,
    latency,
    paired: isPaired ? count : 0,
    wireNs,
    wire,
    isEstimated: true,
  };
}

const NO_CALLS = PackedSketch.fromBuckets(new Uint16Array(0), new Uint32Array(0), 0);

/** A sketch of `count` equal values. */
function packEqual(ns: number, count: number): PackedSketch {
  return PackedSketch.fromBuckets(Uint16Array.of(bucketIndex(ns)), Uint32Array.of(count), 1);
}

function buildTotals({ service, entries, total }: OwnRequests, calls: readonly MeasuredCalls[]): ServiceTotals {
  const consumed = entries.reduce((sum, { isMessaging, measures }) => sum + (isMessaging ? measures.count : 0), 0);
  const called = (messaging: boolean): number =>
    calls.reduce((sum, { isMessaging, measures }) => sum + (isMessaging === messaging ? measures.count : 0), 0);
  const served = total.count - consumed;
  return {
    service,
    ...total,
    kinds: [0, served, called(false), called(true), consumed],
    entryKinds: [0, served, 0, 0, consumed],
  };
}

/** Instances that measured their own requests, by name ascending. */
function buildInstances({ named }: OwnRequests, { fromUs, toUs }: RequestContext): InstanceRollup[] {
  const instances = [...groupBy(named, ({ instance }) => instance)].map(([instance, rows]): InstanceRollup => {
    const { count, errors, durationNs } = countRequests(rows);
    return { instance, spans: count, requests: count, errors, durationNs, firstUs: fromUs, lastUs: toUs - 1 };
  });
  return instances.sort((a, b) => compareText(a.instance, b.instance));
}
