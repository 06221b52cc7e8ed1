import {
  type ChildCalls,
  type InstanceRollup,
  type OperationRollup,
  OTHER_NAME,
  ROLLUP_BOUNDS,
  type ServiceRollup,
  type ServiceTotals,
  type VersionRollup,
} from '../../../diagnostics/rollups/rollup-types.js';
import { bucketIndex, Sketch } from '../../../diagnostics/rollups/sketch.js';
import { createSortedList, insertSorted } from '../../../read-models/rollups/sorted-lists.js';
import { byCallee, byOperation } from '../../../read-models/rollups/service-rollup-codec.js';
import { SPAN_KINDS, type SpanKind } from '../../../telemetry/span-kind.js';
import { ExceptionAccumulator } from './exception-accumulator.js';
import { MutablePackedSketch } from '../../../read-models/rollups/mutable-packed-sketch.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type KindCounts = [number, number, number, number, number];

/** What a version or instance did in a minute. */
export type InstanceStats = Omit<InstanceRollup, 'instance'>;

/** A ServiceRollup that can be added to. */
export class ServiceRollupAccumulator {
  readonly exceptions: ExceptionAccumulator;
  private readonly operations = new Map<string, OperationAccumulator>();
  private readonly operationsInOrder: OperationAccumulator[];
  private readonly versions = new Map<string, Mutable<VersionRollup>>();
  private readonly instances = new Map<string, Mutable<InstanceRollup>>();

  constructor(
    readonly service: string,
    rollup?: ServiceRollup,
  ) {
    this.exceptions = new ExceptionAccumulator(rollup?.exceptions);
    for (const one of rollup?.operations ?? [])
      this.operations.set(operationKey(one.operation, one.kind, one.entry), new OperationAccumulator(one));
    this.operationsInOrder = createSortedList([...this.operations.values()], byOperation);
    for (const one of rollup?.versions ?? []) this.versions.set(one.version, { ...one });
    for (const one of rollup?.instances ?? []) this.instances.set(one.instance, { ...one });
  }

  getOrCreateOperation(operation: string, kind: SpanKind, entry: boolean): OperationAccumulator {
    const key = operationKey(operation, kind, entry);
    let tally = this.operations.get(key);
    if (tally === undefined) {
      this.operations.set(key, (tally = new OperationAccumulator({ operation, kind, entry })));
      insertSorted(this.operationsInOrder, tally, byOperation);
    }
    return tally;
  }

  /** `version`: the name it counts under. */
  addVersion(version: string, { spans, firstUs, lastUs }: InstanceStats): void {
    const tally = this.versions.get(version);
    if (tally === undefined) this.versions.set(version, { version, spans, firstUs, lastUs });
    else {
      tally.spans += spans;
      extendPeriod(tally, firstUs, lastUs);
    }
  }

  /** Instances past the bound of the minute count as `__other__`. */
  addInstance(name: string, sightings: InstanceStats): void {
    const { instances } = this;
    const isFull = instances.size - (instances.has(OTHER_NAME) ? 1 : 0) >= ROLLUP_BOUNDS.instances;
    const instance = isFull && !instances.has(name) ? OTHER_NAME : name;
    const tally = instances.get(instance);
    if (tally === undefined) instances.set(instance, { instance, ...sightings });
    else {
      tally.spans += sightings.spans;
      tally.requests += sightings.requests;
      tally.errors += sightings.errors;
      tally.durationNs += sightings.durationNs;
      extendPeriod(tally, sightings.firstUs, sightings.lastUs);
    }
  }

  toRollup(): ServiceRollup {
    return {
      service: this.service,
      operations: this.operationsInOrder,
      exceptions: this.exceptions.toRollups(),
      versions: [...this.versions.values()],
      instances: [...this.instances.values()],
    };
  }

  computeTotals(): ServiceTotals {
    const sum = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };
    const latency = new Sketch();
    const kinds: KindCounts = [0, 0, 0, 0, 0];
    const entryKinds: KindCounts = [0, 0, 0, 0, 0];
    for (const one of this.operations.values()) {
      const kind = SPAN_KINDS.indexOf(one.kind);
      kinds[kind] += one.count;
      if (!one.entry) continue;
      entryKinds[kind] += one.count;
      sum.count += one.count;
      sum.errors += one.errors;
      sum.durationNs += one.durationNs;
      sum.satisfied += one.satisfied;
      sum.tolerating += one.tolerating;
      latency.merge(one.latency);
    }
    return { service: this.service, ...sum, latency, kinds, entryKinds };
  }
}

function operationKey(operation: string, kind: SpanKind, entry: boolean): string {
  return `${entry ? 'e' : ''}${kind}/${operation}`;
}

function extendPeriod(tally: { firstUs: number; lastUs: number }, firstUs: number, lastUs: number): void {
  tally.firstUs = Math.min(tally.firstUs, firstUs);
  tally.lastUs = Math.max(tally.lastUs, lastUs);
}

interface CalleeCount {
  readonly service: string;
  readonly operation: string;
  count: number;
}

/** An OperationRollup that can be added to. */
export class OperationAccumulator implements OperationRollup {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  count: number;
  errors: number;
  durationNs: number;
  satisfied: number;
  tolerating: number;
  readonly latency: MutablePackedSketch;
  selfNs: number;
  readonly self: MutablePackedSketch;
  originErrors: number;
  private readonly callees = new Map<string, CalleeCount>();
  private readonly calleesInOrder: CalleeCount[];

  constructor(of: Pick<OperationRollup, 'operation' | 'kind' | 'entry'> & Partial<OperationRollup>) {
    this.operation = of.operation;
    this.kind = of.kind;
    this.entry = of.entry;
    this.count = of.count ?? 0;
    this.errors = of.errors ?? 0;
    this.durationNs = of.durationNs ?? 0;
    this.satisfied = of.satisfied ?? 0;
    this.tolerating = of.tolerating ?? 0;
    this.selfNs = of.selfNs ?? 0;
    this.originErrors = of.originErrors ?? 0;
    this.latency = new MutablePackedSketch(of.latency);
    this.self = new MutablePackedSketch(of.self);
    for (const call of of.calls ?? []) this.callees.set(calleeKey(call.service, call.operation), { ...call });
    this.calleesInOrder = createSortedList([...this.callees.values()], byCallee);
  }

  get calls(): readonly ChildCalls[] {
    return this.calleesInOrder;
  }

  /** A span within `thresholdNs` satisfies, one within four times as much is tolerated, unless it failed. */
  addSpan(durationNs: number, isError: boolean, thresholdNs: number): void {
    this.count++;
    this.durationNs += durationNs;
    this.latency.addBucket(bucketIndex(durationNs));
    if (isError) this.errors++;
    else if (durationNs <= thresholdNs) this.satisfied++;
    else if (durationNs <= 4 * thresholdNs) this.tolerating++;
  }

  /** `times`: 1, or −1 to take back. */
  addSelfTime(selfNs: number, times: number): void {
    this.selfNs += selfNs * times;
    this.self.addBucket(bucketIndex(selfNs), times);
  }

  /** `key`: see calleeKey. */
  addCalls(key: string, service: string, operation: string, count: number): void {
    const tally = this.callees.get(key) ?? this.createCallee(key, service, operation);
    tally.count += count;
  }

  private createCallee(key: string, service: string, operation: string): CalleeCount {
    const others = this.callees.get(OTHER_CALLEE_KEY);
    const isFull = this.callees.size - (others === undefined ? 0 : 1) >= ROLLUP_BOUNDS.calls;
    if (isFull && others !== undefined) return others;
    const tally = isFull ? { service: OTHER_NAME, operation: OTHER_NAME, count: 0 } : { service, operation, count: 0 };
    this.callees.set(isFull ? OTHER_CALLEE_KEY : key, tally);
    insertSorted(this.calleesInOrder, tally, byCallee);
    return tally;
  }
}

const OTHER_CALLEE_KEY = calleeKey(OTHER_NAME, OTHER_NAME);

/** Service and operation in one text, which tells where the one ends. */
export function calleeKey(service: string, operation: string): string {
  return `${service.length}/${service}${operation}`;
}
