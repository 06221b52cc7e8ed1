import {
  OTHER_NAME,
  ROLLUP_BOUNDS,
  type EdgeRollup,
  type GridRollup,
  type ServiceTotals,
} from '../../../diagnostics/rollups/rollup-types.js';
import { boundGrid } from '../../../diagnostics/rollups/rollup-bounds.js';
import { sumGrid } from '../../../diagnostics/rollups/rollup-sums.js';
import { decodeGridRollup, encodeGridRollup } from '../../../read-models/rollups/grid-rollup-codec.js';
import type { RollupCollections } from '../../../read-models/documents/rollup-documents.js';
import type { RollupFormat } from './rollup-format.js';
import { bucketIndex } from '../../../diagnostics/rollups/sketch.js';
import { MutablePackedSketch } from '../../../read-models/rollups/mutable-packed-sketch.js';

/** An EdgeRollup to which calls can be added and from which they can be subtracted. `times`: 1, or −1 to subtract. */
export class EdgeAccumulator implements EdgeRollup {
  readonly source: string;
  readonly target: string;
  readonly virtual: boolean;
  count: number;
  errors: number;
  durationNs: number;
  readonly latency: MutablePackedSketch;
  paired: number;
  wireNs: number;
  readonly wire: MutablePackedSketch;

  constructor(of: Pick<EdgeRollup, 'source' | 'target' | 'virtual'> & Partial<EdgeRollup>) {
    this.source = of.source;
    this.target = of.target;
    this.virtual = of.virtual;
    this.count = of.count ?? 0;
    this.errors = of.errors ?? 0;
    this.durationNs = of.durationNs ?? 0;
    this.paired = of.paired ?? 0;
    this.wireNs = of.wireNs ?? 0;
    this.latency = new MutablePackedSketch(of.latency);
    this.wire = new MutablePackedSketch(of.wire);
  }

  addCall(durationNs: number, isError: boolean, times: number): void {
    this.count += times;
    if (isError) this.errors += times;
    this.durationNs += durationNs * times;
    this.latency.addBucket(bucketIndex(durationNs), times);
  }

  addWireTime(wireNs: number, times: number): void {
    this.paired += times;
    this.wireNs += wireNs * times;
    this.wire.addBucket(bucketIndex(wireNs), times);
  }
}

/** A mutable GridRollup. */
export class GridRollupAccumulator {
  private readonly edges = new Map<string, EdgeAccumulator>();
  private readonly services = new Map<string, ServiceTotals>();

  constructor(rollup?: GridRollup) {
    for (const edge of rollup?.edges ?? []) this.edges.set(edgeKey(edge), new EdgeAccumulator(edge));
    for (const totals of rollup?.services ?? []) this.services.set(totals.service, totals);
  }

  getOrCreateEdge(source: string, target: string, virtual: boolean): EdgeAccumulator {
    return this.edges.get(edgeKey({ source, target, virtual })) ?? this.createEdge({ source, target, virtual });
  }

  /** Replaces the totals of the service. */
  setTotals(totals: ServiceTotals): void {
    this.services.set(totals.service, totals);
  }

  /**
   * Edges whose calls were all subtracted are omitted. Once the limit was exceeded they stay: the set of named edges
   * must not change while calls of a dropped one may be among the others.
   */
  toRollup(): GridRollup {
    if (!this.edges.has(OTHER_EDGE_KEY))
      for (const [key, { count }] of this.edges) if (count === 0) this.edges.delete(key);
    return { services: [...this.services.values()], edges: [...this.edges.values()] };
  }

  private createEdge(ends: Pick<EdgeRollup, 'source' | 'target' | 'virtual'>): EdgeAccumulator {
    const others = this.edges.get(OTHER_EDGE_KEY);
    if (others !== undefined) return others;
    const isFull = this.edges.size >= ROLLUP_BOUNDS.edges;
    const edge = new EdgeAccumulator(isFull ? { source: OTHER_NAME, target: OTHER_NAME, virtual: false } : ends);
    this.edges.set(edgeKey(edge), edge);
    return edge;
  }
}

const OTHER_EDGE_KEY = edgeKey({ source: OTHER_NAME, target: OTHER_NAME, virtual: false });

function edgeKey({ source, target, virtual }: Pick<EdgeRollup, 'source' | 'target' | 'virtual'>): string {
  return `${virtual ? 'v' : ''}${source.length}/${source}${target}`;
}

/** The format of the rollups of Grids. */
export function gridRollupFormat(collections: RollupCollections): RollupFormat<GridRollupAccumulator> {
  return {
    collections,
    create: () => new GridRollupAccumulator(),
    decode: (blob) => new GridRollupAccumulator(decodeGridRollup(blob)),
    encode: (accumulator) => encodeGridRollup(accumulator.toRollup()),
    merge: (blobs) => encodeGridRollup(boundGrid(sumGrid(blobs.map((blob) => decodeGridRollup(blob))))),
  };
}
