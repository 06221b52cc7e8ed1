import { OTHER, ROLLUP_BOUNDS, type ChildCalls, type OperationRollup } from '../../../diagnostics/rollups.js';
import { bucketOf } from '../../../diagnostics/sketch.js';
import { GrowingSketch } from '../../../read-models/rollups/growing-sketch.js';
import { insert, orderedList } from '../../../read-models/rollups/ordering.js';
import { byCallee } from '../../../read-models/rollups/service-rollup-codec.js';
import type { SpanKind } from '../../../telemetry/span-kind.js';

interface CallTally {
  readonly service: string;
  readonly operation: string;
  count: number;
}

/** An OperationRollup that can be added to. */
export class OperationTally implements OperationRollup {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  count: number;
  errors: number;
  durationNs: number;
  satisfied: number;
  tolerating: number;
  readonly latency: GrowingSketch;
  selfNs: number;
  readonly self: GrowingSketch;
  originErrors: number;
  private readonly callees = new Map<string, CallTally>();
  private readonly calleesInOrder: CallTally[];

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
    this.latency = new GrowingSketch(of.latency);
    this.self = new GrowingSketch(of.self);
    for (const call of of.calls ?? []) this.callees.set(calleeKey(call.service, call.operation), { ...call });
    this.calleesInOrder = orderedList([...this.callees.values()], byCallee);
  }

  get calls(): readonly ChildCalls[] {
    return this.calleesInOrder;
  }

  /** A span within `thresholdNs` satisfies, one within four times as much is tolerated, unless it failed. */
  addSpan(durationNs: number, isError: boolean, thresholdNs: number): void {
    this.count++;
    this.durationNs += durationNs;
    this.latency.addBucket(bucketOf(durationNs));
    if (isError) this.errors++;
    else if (durationNs <= thresholdNs) this.satisfied++;
    else if (durationNs <= 4 * thresholdNs) this.tolerating++;
  }

  /** `times`: 1, or −1 to take back. */
  addSelf(selfNs: number, times: number): void {
    this.selfNs += selfNs * times;
    this.self.addBucket(bucketOf(selfNs), times);
  }

  /** `key`: see calleeKey. */
  addCalls(key: string, service: string, operation: string, count: number): void {
    const tally = this.callees.get(key) ?? this.beginCalls(key, service, operation);
    tally.count += count;
  }

  private beginCalls(key: string, service: string, operation: string): CallTally {
    const others = this.callees.get(OTHERS);
    const isFull = this.callees.size - (others === undefined ? 0 : 1) >= ROLLUP_BOUNDS.calls;
    if (isFull && others !== undefined) return others;
    const tally = isFull ? { service: OTHER, operation: OTHER, count: 0 } : { service, operation, count: 0 };
    this.callees.set(isFull ? OTHERS : key, tally);
    insert(this.calleesInOrder, tally, byCallee);
    return tally;
  }
}

const OTHERS = calleeKey(OTHER, OTHER);

/** Service and operation in one text, which tells where the one ends. */
export function calleeKey(service: string, operation: string): string {
  return `${service.length}/${service}${operation}`;
}
