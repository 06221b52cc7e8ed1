import { MAX_NAME_LENGTH, OTHER_NAME, ROLLUP_BOUNDS } from '../../../diagnostics/rollups/rollup-types.js';
import { eq } from '../../../read-models/document-filter.js';
import type { ServiceCatalogDocument } from '../../../read-models/documents/rollup-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';

/** Names to cache over all Grids; the Grids that were inactive longest are evicted and loaded again on demand. */
const MAX_NAMES = 1_000_000;

/** Catalogs of the services of one Grid, by name. */
export type GridServices = ReadonlyMap<string, ServiceNameCatalog>;

/** Maintains when names were first and last seen. Steady telemetry changes a document once a minute. */
export class ServiceCatalogs {
  /** Least recently used first. */
  private readonly grids = new Map<string, Map<string, ServiceNameCatalog>>();

  constructor(
    private readonly collection: Collection<ServiceCatalogDocument>,
    private readonly store: ReadModelReader,
  ) {}

  clear(): void {
    this.grids.clear();
  }

  /** Loads the catalogs of a Grid into memory, where they stay until `evict`. */
  async load(gridId: string): Promise<void> {
    let services = this.grids.get(gridId);
    if (services === undefined) {
      const found = await this.store.find(this.collection, { filter: eq('gridId', gridId) });
      services = new Map(
        found.map(({ document }) => [document.service, new ServiceNameCatalog(document.service, document)]),
      );
    } else this.grids.delete(gridId);
    this.grids.set(gridId, services);
  }

  /** Catalog of the service that this one counts as. The Grid must be loaded. */
  resolve(gridId: string, service: string): ServiceNameCatalog {
    const services = this.grids.get(gridId)!;
    const counted = admitName(services, service, ROLLUP_BOUNDS.services, (name) => new ServiceNameCatalog(name));
    return services.get(counted)!;
  }

  /** Changes of a loaded Grid. */
  changes(gridId: string): DocumentChange[] {
    return [...this.grids.get(gridId)!.values()].flatMap((names): DocumentChange[] => {
      const document = names.takeChange(gridId);
      return document === undefined
        ? []
        : [{ kind: 'put', collection: this.collection, id: catalogId(gridId, names.service), document }];
    });
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    await this.load(gridId);
    const services = this.grids.get(gridId)!;
    const deletions: DocumentChange[] = [];
    for (const names of services.values()) {
      if (names.forgetBefore(before * 1000)) continue;
      services.delete(names.service);
      deletions.push({ kind: 'delete', collection: this.collection, id: catalogId(gridId, names.service) });
    }
    return [...deletions, ...this.changes(gridId)];
  }

  /** Evicts the Grids that were inactive longest. Call when all changes are committed. */
  evict(): void {
    let total = 0;
    for (const services of this.grids.values()) total += countNames(services);
    for (const [gridId, services] of this.grids) {
      if (total <= MAX_NAMES) return;
      this.grids.delete(gridId);
      total -= countNames(services);
    }
  }
}

function catalogId(gridId: string, service: string): string {
  return `${gridId}/${service}`;
}

function countNames(services: GridServices): number {
  let size = 0;
  for (const names of services.values()) size += names.size;
  return size;
}

const MINUTE_US = 60_000_000;

interface SeenPeriod {
  firstUs: number;
  lastUs: number;
}

interface OperationPeriod extends SeenPeriod {
  entry: boolean;
}

/**
 * Names in the spans of one service, within their limits: a name that once counted for itself does so until it expires.
 */
class ServiceNameCatalog {
  private readonly seen: SeenPeriod;
  private readonly operations: Map<string, OperationPeriod>;
  private readonly versions: Map<string, SeenPeriod>;
  private changed = false;

  constructor(
    readonly service: string,
    document?: ServiceCatalogDocument,
  ) {
    this.seen = { firstUs: document?.firstUs ?? Infinity, lastUs: document?.lastUs ?? -Infinity };
    this.operations = new Map(document?.operations.map(({ operation, ...period }) => [operation, period]));
    this.versions = new Map(document?.versions.map(({ version, ...period }) => [version, period]));
  }

  get size(): number {
    return 1 + this.operations.size + this.versions.size;
  }

  /** The name that an operation counts under. */
  admitOperation(name: string): string {
    return admitName(this.operations, name, ROLLUP_BOUNDS.operations, () => ({
      firstUs: Infinity,
      lastUs: -Infinity,
      entry: false,
    }));
  }

  admitVersion(name: string): string {
    return admitName(this.versions, name, ROLLUP_BOUNDS.versions, () => ({ firstUs: Infinity, lastUs: -Infinity }));
  }

  /**
   * Records spans of an operation, by the name it counts under, that ended in this minute, the first of them at
   * `firstUs`.
   */
  recordOperation(name: string, entry: boolean, minute: number, firstUs: number): void {
    const period = this.operations.get(name);
    if (period === undefined) return;
    if (entry && !period.entry) this.changed = period.entry = true;
    this.recordPeriod(period, minute, firstUs);
    this.recordPeriod(this.seen, minute, firstUs);
  }

  recordVersion(name: string, minute: number, firstUs: number): void {
    const period = this.versions.get(name);
    if (period !== undefined) this.recordPeriod(period, minute, firstUs);
  }

  /** Removes what was last seen before this time. False if nothing is left. */
  forgetBefore(beforeUs: number): boolean {
    for (const names of [this.operations, this.versions]) {
      for (const [name, { lastUs }] of names) if (lastUs < beforeUs) this.changed = names.delete(name);
    }
    return this.seen.lastUs >= beforeUs;
  }

  /** The document, if it has changed since the last call. */
  takeChange(gridId: string): ServiceCatalogDocument | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    const operations = [...this.operations].sort(byName).map(([operation, period]) => ({ operation, ...period }));
    const versions = [...this.versions].sort(byName).map(([version, period]) => ({ version, ...period }));
    return { gridId, service: this.service, ...this.seen, operations, versions };
  }

  private recordPeriod(period: SeenPeriod, minute: number, firstUs: number): void {
    const lastUs = (minute + 1) * MINUTE_US - 1;
    if (firstUs >= period.firstUs && lastUs <= period.lastUs) return;
    period.firstUs = Math.min(firstUs, period.firstUs);
    period.lastUs = Math.max(lastUs, period.lastUs);
    this.changed = true;
  }
}

/** The name under which `name` counts: itself, or `__other__` if there are too many names or it is too long. */
function admitName<S>(names: Map<string, S>, name: string, bound: number, begin: (counted: string) => S): string {
  if (names.has(name)) return name;
  const isFull = name.length > MAX_NAME_LENGTH || names.size - (names.has(OTHER_NAME) ? 1 : 0) >= bound;
  const counted = isFull ? OTHER_NAME : name;
  if (!names.has(counted)) names.set(counted, begin(counted));
  return counted;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
