import { LONGEST_NAME, OTHER, UNNAMED } from '../../../diagnostics/rollups.js';
import { KIND_CONSUMER, KIND_INTERNAL } from '../../../telemetry/span-kind.js';
import type { SpanColumns } from '../../../telemetry/span-columns.js';
import { PairNumbers } from './pair-numbers.js';
import type { ServiceCatalogs } from './service-catalogs.js';
import type { SpanNames } from './span-names.js';

/** Kinds and roles of spans: less than this. */
const ROLES = 16;

/** What a row is counted by, in the ids of its batch. */
export type LabelColumns = Pick<SpanColumns, 'strings' | 'service' | 'operation' | 'kind' | 'peer'>;

/** The numbers of one Grid's series behind the ids of batches that share their strings: each is looked up once. */
export class BatchSeries {
  private readonly pairs = new PairNumbers();
  private readonly series: number[] = [];
  private readonly peers: number[] = [];

  constructor(
    private readonly gridId: string,
    private readonly strings: SpanColumns['strings'],
    private readonly names: SpanNames,
    private readonly catalogs: ServiceCatalogs,
  ) {}

  /** Whether it is made for these strings, and worth keeping. */
  serves(strings: SpanColumns['strings']): boolean {
    return this.strings === strings;
  }

  /** The series of a row. */
  of({ service, operation, kind }: LabelColumns, row: number, isEntry: boolean): number {
    const known = kindOf(kind[row]);
    const role = known * 2 + Number(isEntry);
    const pair = this.pairs.of(service[row], operation[row] * ROLES + role);
    return this.series[pair] ?? (this.series[pair] = this.find(service[row], operation[row], known, isEntry));
  }

  /** Whom a row calls, as a name. */
  peer(id: number): number {
    return this.peers[id] ?? (this.peers[id] = this.findPeer(id));
  }

  private find(service: number, operation: number, kind: number, isEntry: boolean): number {
    const { names, strings } = this;
    const counted = this.catalogs.of(this.gridId, strings.text(service));
    return names.seriesOf(names.grid(this.gridId), counted.service, counted.operation(strings.text(operation)), kind, isEntry);
  }

  private findPeer(id: number): number {
    const text = this.strings.text(id);
    return this.names.name(text.length > LONGEST_NAME ? OTHER : text || UNNAMED);
  }
}

/** 1 to 5; kinds that the protocol does not know count as INTERNAL. */
export function kindOf(kind: number): number {
  return kind >= KIND_INTERNAL && kind <= KIND_CONSUMER ? kind : KIND_INTERNAL;
}

