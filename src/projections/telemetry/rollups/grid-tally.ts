import { OTHER, ROLLUP_BOUNDS, type EdgeRollup, type GridRollup, type ServiceTotals } from '../../../diagnostics/rollups.js';
import { bucketOf } from '../../../diagnostics/sketch.js';
import { GrowingSketch } from '../../../read-models/rollups/growing-sketch.js';

/** An EdgeRollup that can be added to, and taken from. `times`: 1, or −1 to take back. */
export class EdgeTally implements EdgeRollup {
  readonly source: string;
  readonly target: string;
  readonly virtual: boolean;
  count: number;
  errors: number;
  durationNs: number;
  readonly latency: GrowingSketch;
  paired: number;
  wireNs: number;
  readonly wire: GrowingSketch;

  constructor(of: Pick<EdgeRollup, 'source' | 'target' | 'virtual'> & Partial<EdgeRollup>) {
    this.source = of.source;
    this.target = of.target;
    this.virtual = of.virtual;
    this.count = of.count ?? 0;
    this.errors = of.errors ?? 0;
    this.durationNs = of.durationNs ?? 0;
    this.paired = of.paired ?? 0;
    this.wireNs = of.wireNs ?? 0;
    this.latency = new GrowingSketch(of.latency);
    this.wire = new GrowingSketch(of.wire);
  }

  addCall(durationNs: number, isError: boolean, times: number): void {
    this.count += times;
    if (isError) this.errors += times;
    this.durationNs += durationNs * times;
    this.latency.addBucket(bucketOf(durationNs), times);
  }

  addWire(wireNs: number, times: number): void {
    this.paired += times;
    this.wireNs += wireNs * times;
    this.wire.addBucket(bucketOf(wireNs), times);
  }
}

/** A GridRollup that can be added to. */
export class GridTally {
  private readonly edges = new Map<string, EdgeTally>();
  private readonly services = new Map<string, ServiceTotals>();

  constructor(rollup?: GridRollup) {
    for (const edge of rollup?.edges ?? []) this.edges.set(keyOf(edge), new EdgeTally(edge));
    for (const totals of rollup?.services ?? []) this.services.set(totals.service, totals);
  }

  edge(source: string, target: string, virtual: boolean): EdgeTally {
    return this.edges.get(keyOf({ source, target, virtual })) ?? this.beginEdge({ source, target, virtual });
  }

  /** Replaces what was known of the service. */
  setTotals(totals: ServiceTotals): void {
    this.services.set(totals.service, totals);
  }

  /**
   * Edges of which every call was taken back are left out. Once there were too many, they stay: whose name counts must not
   * change while there may be calls of it among the others.
   */
  rollup(): GridRollup {
    if (!this.edges.has(OTHERS)) for (const [key, { count }] of this.edges) if (count === 0) this.edges.delete(key);
    return { services: [...this.services.values()], edges: [...this.edges.values()] };
  }

  private beginEdge(ends: Pick<EdgeRollup, 'source' | 'target' | 'virtual'>): EdgeTally {
    const others = this.edges.get(OTHERS);
    if (others !== undefined) return others;
    const isFull = this.edges.size >= ROLLUP_BOUNDS.edges;
    const edge = new EdgeTally(isFull ? { source: OTHER, target: OTHER, virtual: false } : ends);
    this.edges.set(keyOf(edge), edge);
    return edge;
  }
}

const OTHERS = keyOf({ source: OTHER, target: OTHER, virtual: false });

function keyOf({ source, target, virtual }: Pick<EdgeRollup, 'source' | 'target' | 'virtual'>): string {
  return `${virtual ? 'v' : ''}${source.length}/${source}${target}`;
}
