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
import {
  byCallee,
  byOperation,
  decodeServiceRollup,
  encodeServiceRollup,
  type SharedNameCalls,
} from '../../../read-models/rollups/service-rollup-codec.js';
import { RepeatedText } from '../../../read-models/rollups/byte-codec.js';
import { boundService } from '../../../diagnostics/rollups/rollup-bounds.js';
import { sumService } from '../../../diagnostics/rollups/rollup-sums.js';
import type { RollupCollections } from '../../../read-models/documents/rollup-documents.js';
import type { RollupFormat } from './rollup-format.js';
import { SPAN_KINDS, type SpanKind } from '../../../telemetry/span-kind.js';
import { ExceptionAccumulator } from './exception-accumulator.js';
import { MutablePackedSketch } from '../../../read-models/rollups/mutable-packed-sketch.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type KindCounts = [number, number, number, number, number];

/** Activity of a version or instance in a minute. */
export type InstanceStats = Omit<InstanceRollup, 'instance'>;

/** A mutable ServiceRollup. */
export class ServiceRollupAccumulator {
  readonly exceptions: ExceptionAccumulator;
  private readonly calleeNames = new CalleeNames();
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
      this.operations.set(
        operationKey(one.operation, one.kind, one.entry),
        new OperationAccumulator(one, this.calleeNames),
      );
    this.operationsInOrder = createSortedList([...this.operations.values()], byOperation);
    for (const one of rollup?.versions ?? []) this.versions.set(one.version, { ...one });
    for (const one of rollup?.instances ?? []) this.instances.set(one.instance, { ...one });
  }

  getOrCreateOperation(operation: string, kind: SpanKind, entry: boolean): OperationAccumulator {
    const key = operationKey(operation, kind, entry);
    let target = this.operations.get(key);
    if (target === undefined) {
      this.operations.set(key, (target = new OperationAccumulator({ operation, kind, entry }, this.calleeNames)));
      insertSorted(this.operationsInOrder, target, byOperation);
    }
    return target;
  }

  /** `version`: the name that it counts under. */
  addVersion(version: string, { spans, firstUs, lastUs }: InstanceStats): void {
    const target = this.versions.get(version);
    if (target === undefined) this.versions.set(version, { version, spans, firstUs, lastUs });
    else {
      target.spans += spans;
      extendPeriod(target, firstUs, lastUs);
    }
  }

  /** Instances beyond the limit of the minute count as `__other__`. */
  addInstance(name: string, stats: InstanceStats): void {
    const { instances } = this;
    const isFull = instances.size - (instances.has(OTHER_NAME) ? 1 : 0) >= ROLLUP_BOUNDS.instances;
    const instance = isFull && !instances.has(name) ? OTHER_NAME : name;
    const target = instances.get(instance);
    if (target === undefined) instances.set(instance, { instance, ...stats });
    else {
      target.spans += stats.spans;
      target.requests += stats.requests;
      target.errors += stats.errors;
      target.durationNs += stats.durationNs;
      extendPeriod(target, stats.firstUs, stats.lastUs);
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

function extendPeriod(target: { firstUs: number; lastUs: number }, firstUs: number, lastUs: number): void {
  target.firstUs = Math.min(target.firstUs, firstUs);
  target.lastUs = Math.max(target.lastUs, lastUs);
}

/** Counts of calls to one operation. Its names are shared with those of other callers. */
class CalleeCount implements SharedNameCalls {
  constructor(
    readonly names: SharedNameCalls['names'],
    public count: number,
  ) {}

  get service(): string {
    return this.names.service.text;
  }

  get operation(): string {
    return this.names.operation.text;
  }
}

/** Names of the operations that those of one service call: each of them once. */
class CalleeNames {
  private readonly texts = new Map<string, RepeatedText>();
  private readonly pairs = new Map<string, SharedNameCalls['names']>();

  /** `key`: see calleeKey. */
  getOrCreate(key: string, service: string, operation: string): SharedNameCalls['names'] {
    let pair = this.pairs.get(key);
    if (pair === undefined)
      this.pairs.set(key, (pair = { service: this.share(service), operation: this.share(operation) }));
    return pair;
  }

  private share(text: string): RepeatedText {
    let shared = this.texts.get(text);
    if (shared === undefined) this.texts.set(text, (shared = new RepeatedText(text)));
    return shared;
  }
}

/** A mutable OperationRollup. */
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

  constructor(
    of: Pick<OperationRollup, 'operation' | 'kind' | 'entry'> & Partial<OperationRollup>,
    private readonly calleeNames: CalleeNames,
  ) {
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
    for (const { service, operation, count } of of.calls ?? []) {
      const key = calleeKey(service, operation);
      this.callees.set(key, new CalleeCount(calleeNames.getOrCreate(key, service, operation), count));
    }
    this.calleesInOrder = createSortedList([...this.callees.values()], byCallee);
  }

  get calls(): readonly ChildCalls[] {
    return this.calleesInOrder;
  }

  /** A span within `thresholdNs` counts as satisfied, one within four times as much as tolerating, unless it failed. */
  addSpan(durationNs: number, isError: boolean, thresholdNs: number): void {
    this.count++;
    this.durationNs += durationNs;
    this.latency.addBucket(bucketIndex(durationNs));
    if (isError) this.errors++;
    else if (durationNs <= thresholdNs) this.satisfied++;
    else if (durationNs <= 4 * thresholdNs) this.tolerating++;
  }

  /** `times`: 1, or −1 to subtract. */
  addSelfTime(selfNs: number, times: number): void {
    this.selfNs += selfNs * times;
    this.self.addBucket(bucketIndex(selfNs), times);
  }

  /** `key`: see calleeKey. */
  addCalls(key: string, service: string, operation: string, count: number): void {
    const target = this.callees.get(key) ?? this.createCallee(key, service, operation);
    target.count += count;
  }

  private createCallee(key: string, service: string, operation: string): CalleeCount {
    const others = this.callees.get(OTHER_CALLEE_KEY);
    const isFull = this.callees.size - (others === undefined ? 0 : 1) >= ROLLUP_BOUNDS.calls;
    if (isFull && others !== undefined) return others;
    const counted = isFull ? OTHER_CALLEE_KEY : key;
    const [countedService, countedOperation] = isFull ? [OTHER_NAME, OTHER_NAME] : [service, operation];
    const names = this.calleeNames.getOrCreate(counted, countedService, countedOperation);
    const target = new CalleeCount(names, 0);
    this.callees.set(counted, target);
    insertSorted(this.calleesInOrder, target, byCallee);
    return target;
  }
}

const OTHER_CALLEE_KEY = calleeKey(OTHER_NAME, OTHER_NAME);

/** Unambiguous key of service and operation. */
export function calleeKey(service: string, operation: string): string {
  return `${service.length}/${service}${operation}`;
}

/** The format of the rollups of services. */
export function serviceRollupFormat(collections: RollupCollections): RollupFormat<ServiceRollupAccumulator> {
  return {
    collections,
    create: (service) => new ServiceRollupAccumulator(service),
    decode: (blob) => {
      const rollup = decodeServiceRollup(blob);
      return new ServiceRollupAccumulator(rollup.service, rollup);
    },
    encode: (accumulator) => encodeServiceRollup(accumulator.toRollup()),
    merge: (blobs) => encodeServiceRollup(boundService(sumService(blobs.map((blob) => decodeServiceRollup(blob))))),
  };
}
