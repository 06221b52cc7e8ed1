import { ROLLUP_BOUNDS } from '../../../diagnostics/rollups.js';
import { eq } from '../../../read-models/filter.js';
import type { CatalogDocument } from '../../../read-models/rollups.js';
import type { Change, Collection, ReadModelReader } from '../../../read-models/store.js';
import { admitted, ServiceNames } from './service-names.js';

/** Names of all Grids kept in memory; Grids that were quiet longest are loaded again when they speak. */
const MAX_NAMES = 1_000_000;

/** Catalogs of one Grid's services, by name. */
export type GridServices = ReadonlyMap<string, ServiceNames>;

/** Keeps when names were first and last seen. Steady telemetry changes a document once a minute. */
export class ServiceCatalogs {
  /** In the order of use, the Grid that was quiet longest first. */
  private readonly grids = new Map<string, Map<string, ServiceNames>>();

  constructor(
    private readonly collection: Collection<CatalogDocument>,
    private readonly store: ReadModelReader,
  ) {}

  clear(): void {
    this.grids.clear();
  }

  /** Brings the catalogs of a Grid into memory, where they stay until `trim`. */
  async load(gridId: string): Promise<void> {
    let services = this.grids.get(gridId);
    if (services === undefined) {
      const found = await this.store.find(this.collection, { filter: eq('gridId', gridId) });
      services = new Map(found.map(({ document }) => [document.service, new ServiceNames(document.service, document)]));
    } else this.grids.delete(gridId);
    this.grids.set(gridId, services);
  }

  /** Names of the service that this one counts as. The Grid is loaded. */
  of(gridId: string, service: string): ServiceNames {
    const services = this.grids.get(gridId)!;
    const counted = admitted(services, service, ROLLUP_BOUNDS.services, (name) => new ServiceNames(name));
    return services.get(counted)!;
  }

  /** What has changed in a Grid that is loaded. */
  changes(gridId: string): Change[] {
    return [...this.grids.get(gridId)!.values()].flatMap((names): Change[] => {
      const document = names.takeChange(gridId);
      return document === undefined ? [] : [{ kind: 'put', collection: this.collection, id: idOf(gridId, names.service), document }];
    });
  }

  async expired(gridId: string, before: number): Promise<Change[]> {
    await this.load(gridId);
    const services = this.grids.get(gridId)!;
    const gone: Change[] = [];
    for (const names of services.values()) {
      if (names.forgetBefore(before * 1000)) continue;
      services.delete(names.service);
      gone.push({ kind: 'delete', collection: this.collection, id: idOf(gridId, names.service) });
    }
    return [...gone, ...this.changes(gridId)];
  }

  /** Lets the Grids go that were quiet longest. Call when all changes are committed. */
  trim(): void {
    let total = 0;
    for (const services of this.grids.values()) total += sizeOf(services);
    for (const [gridId, services] of this.grids) {
      if (total <= MAX_NAMES) return;
      this.grids.delete(gridId);
      total -= sizeOf(services);
    }
  }
}

function idOf(gridId: string, service: string): string {
  return `${gridId}/${service}`;
}

function sizeOf(services: GridServices): number {
  let size = 0;
  for (const names of services.values()) size += names.size;
  return size;
}
