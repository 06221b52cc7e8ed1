import type { Chart, Dashboard } from '../../diagnostics/chart-model.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { findDiscoveredServices, type DiscoveredService } from './discovered-services.js';
import { buildServiceDashboard, type ServiceDashboard } from './service-dashboard.js';

/** How long (ms) a list of discovered services is reused; a new service appears after this time at the latest. */
const FRESH_MS = 1_000;

/** Maximum number of cached Grids. Dashboards for 1,000 services take about 10 MB. */
const MAX_GRIDS = 64;

/** Generated charts and dashboards of one Grid. */
export interface GridServiceDashboards {
  /** Sorted by service name. */
  readonly serviceDashboards: readonly ServiceDashboard[];
  readonly charts: ReadonlyMap<string, Chart>;
  readonly dashboards: ReadonlyMap<string, Dashboard>;
}

interface CacheEntry {
  readonly atMs: number;
  /** Change number of the rollups that the entry was built from. */
  readonly rollupChange: number;
  readonly dashboards: Promise<CachedDashboards>;
}

interface CachedDashboards extends GridServiceDashboards {
  readonly byService: ReadonlyMap<
    string,
    { readonly service: DiscoveredService; readonly dashboard: ServiceDashboard }
  >;
}

/**
 * Caches the generated dashboards of discovered services. Built on demand; only dashboards of changed services are
 * rebuilt.
 */
export class ServiceDashboardCache {
  private readonly grids = new Map<string, CacheEntry>();

  /** `clock` in ms since 1970. */
  constructor(
    private readonly getReader: ReaderForGrid,
    private readonly rollups: GridRollupReader,
    private readonly clock: () => number,
  ) {}

  async get(gridId: string, timeSlice: TimeSlice): Promise<GridServiceDashboards> {
    const entry = this.grids.get(gridId);
    if (entry !== undefined && Math.abs(this.clock() - entry.atMs) < FRESH_MS) return entry.dashboards;
    await this.rollups.refresh(gridId);
    const rollupChange = this.rollups.lastChange(gridId);
    if (entry?.rollupChange === rollupChange) return this.store(gridId, rollupChange, entry.dashboards);
    return this.store(gridId, rollupChange, this.build(gridId, entry?.dashboards, timeSlice));
  }

  private store(
    gridId: string,
    rollupChange: number,
    dashboards: Promise<CachedDashboards>,
  ): Promise<CachedDashboards> {
    const entry = { atMs: this.clock(), rollupChange, dashboards };
    this.grids.delete(gridId);
    if (this.grids.size >= MAX_GRIDS) this.grids.delete(this.grids.keys().next().value!);
    this.grids.set(gridId, entry);
    dashboards.catch(() => this.grids.get(gridId) === entry && this.grids.delete(gridId)); // the caller handles the error
    return dashboards;
  }

  private async build(
    gridId: string,
    previous: Promise<CachedDashboards> | undefined,
    timeSlice: TimeSlice,
  ): Promise<CachedDashboards> {
    const known = (await previous?.catch(() => undefined))?.byService; // the caller of that build handled the error
    const byService = new Map<string, { service: DiscoveredService; dashboard: ServiceDashboard }>();
    for (const service of await findDiscoveredServices(this.getReader(gridId), this.rollups, gridId, timeSlice)) {
      const unchanged = known?.get(service.serviceName);
      byService.set(
        service.serviceName,
        unchanged !== undefined && isSameService(unchanged.service, service)
          ? unchanged
          : { service, dashboard: buildServiceDashboard(gridId, service) },
      );
      await timeSlice.yieldIfDue();
    }
    const boards = [...byService.values()].map(({ dashboard }) => dashboard);
    return {
      byService,
      serviceDashboards: boards,
      charts: new Map(boards.flatMap(({ charts }) => charts.map((chart) => [chart.id, chart]))),
      dashboards: new Map(boards.map(({ dashboard }) => [dashboard.id, dashboard])),
    };
  }
}

function isSameService(a: DiscoveredService, b: DiscoveredService): boolean {
  return a.firstMs === b.firstMs && runtimeMetricsKey(a) === runtimeMetricsKey(b);
}

function runtimeMetricsKey({ runtimeMetrics }: DiscoveredService): string {
  return JSON.stringify([...runtimeMetrics].map(([metric, keys]) => [metric, [...keys].sort()]).sort());
}
