import { OTHER, ROLLUP_BOUNDS, type InstanceRollup, type ServiceRollup, type ServiceTotals, type VersionRollup } from '../../../diagnostics/rollups.js';
import { Sketch } from '../../../diagnostics/sketch.js';
import { insert, orderedList } from '../../../read-models/rollups/ordering.js';
import { byOperation } from '../../../read-models/rollups/service-rollup-codec.js';
import { SPAN_KINDS, type SpanKind } from '../../../telemetry/span-kind.js';
import { ExceptionTally } from './exception-tally.js';
import { OperationTally } from './operation-tally.js';

type Counted<T> = { -readonly [K in keyof T]: T[K] };
type Kinds = [number, number, number, number, number];

/** What a version or instance did in a minute. */
export type InstanceSightings = Omit<InstanceRollup, 'instance'>;

/** A ServiceRollup that can be added to. */
export class ServiceTally {
  readonly exceptions: ExceptionTally;
  private readonly operations = new Map<string, OperationTally>();
  private readonly operationsInOrder: OperationTally[];
  private readonly versions = new Map<string, Counted<VersionRollup>>();
  private readonly instances = new Map<string, Counted<InstanceRollup>>();

  constructor(
    readonly service: string,
    rollup?: ServiceRollup,
  ) {
    this.exceptions = new ExceptionTally(rollup?.exceptions);
    for (const one of rollup?.operations ?? []) this.operations.set(keyOf(one.operation, one.kind, one.entry), new OperationTally(one));
    this.operationsInOrder = orderedList([...this.operations.values()], byOperation);
    for (const one of rollup?.versions ?? []) this.versions.set(one.version, { ...one });
    for (const one of rollup?.instances ?? []) this.instances.set(one.instance, { ...one });
  }

  operation(operation: string, kind: SpanKind, entry: boolean): OperationTally {
    const key = keyOf(operation, kind, entry);
    let tally = this.operations.get(key);
    if (tally === undefined) {
      this.operations.set(key, (tally = new OperationTally({ operation, kind, entry })));
      insert(this.operationsInOrder, tally, byOperation);
    }
    return tally;
  }

  /** `version`: the name it counts under. */
  addVersion(version: string, { spans, firstUs, lastUs }: InstanceSightings): void {
    const tally = this.versions.get(version);
    if (tally === undefined) this.versions.set(version, { version, spans, firstUs, lastUs });
    else {
      tally.spans += spans;
      prolong(tally, firstUs, lastUs);
    }
  }

  /** Instances past the bound of the minute count as `__other__`. */
  addInstance(name: string, sightings: InstanceSightings): void {
    const { instances } = this;
    const isFull = instances.size - (instances.has(OTHER) ? 1 : 0) >= ROLLUP_BOUNDS.instances;
    const instance = isFull && !instances.has(name) ? OTHER : name;
    const tally = instances.get(instance);
    if (tally === undefined) instances.set(instance, { instance, ...sightings });
    else {
      tally.spans += sightings.spans;
      tally.requests += sightings.requests;
      tally.errors += sightings.errors;
      tally.durationNs += sightings.durationNs;
      prolong(tally, sightings.firstUs, sightings.lastUs);
    }
  }

  rollup(): ServiceRollup {
    return {
      service: this.service,
      operations: this.operationsInOrder,
      exceptions: this.exceptions.rollup(),
      versions: [...this.versions.values()],
      instances: [...this.instances.values()],
    };
  }

  totals(): ServiceTotals {
    const sum = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };
    const latency = new Sketch();
    const kinds: Kinds = [0, 0, 0, 0, 0];
    const entryKinds: Kinds = [0, 0, 0, 0, 0];
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

function keyOf(operation: string, kind: SpanKind, entry: boolean): string {
  return `${entry ? 'e' : ''}${kind}/${operation}`;
}

function prolong(tally: { firstUs: number; lastUs: number }, firstUs: number, lastUs: number): void {
  tally.firstUs = Math.min(tally.firstUs, firstUs);
  tally.lastUs = Math.max(tally.lastUs, lastUs);
}
