import type { Chart, Dashboard } from '../../diagnostics/chart-model.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { findDiscoveredServices, type DiscoveredService } from './discovered-services.js';
import { buildServiceDashboard, type ServiceDashboard } from './service-dashboard.js';

/** A service that was discovered shows within so many ms: services are looked for no more often. */
const FRESH_MS = 1_000;

/** Grids whose boards are kept. Of a thousand services they take 10 MB. */
const MAX_GRIDS = 64;

/** What is made for the services of one Grid. */
export interface GridServiceDashboards {
  /** By service. */
  readonly boards: readonly ServiceDashboard[];
  readonly charts: ReadonlyMap<string, Chart>;
  readonly dashboards: ReadonlyMap<string, Dashboard>;
}

interface CacheEntry {
  readonly atMs: number;
  /** The look whose findings it shows. */
  readonly look: number;
  readonly known: Promise<CachedDashboards>;
}

interface CachedDashboards extends GridServiceDashboards {
  readonly byService: ReadonlyMap<string, { readonly service: DiscoveredService; readonly board: ServiceDashboard }>;
}

/** Dashboards of discovered services: made when they are asked for, and again only for services that have changed. */
export class ServiceDashboardCache {
  private readonly grids = new Map<string, CacheEntry>();

  /** `clock` in ms since 1970. */
  constructor(
    private readonly readerOf: ReaderForGrid,
    private readonly rollups: GridRollupReader,
    private readonly clock: () => number,
  ) {}

  async get(gridId: string, turn: TimeSlice): Promise<GridServiceDashboards> {
    const kept = this.grids.get(gridId);
    if (kept !== undefined && Math.abs(this.clock() - kept.atMs) < FRESH_MS) return kept.known;
    await this.rollups.refresh(gridId);
    const look = this.rollups.lastChange(gridId);
    if (kept?.look === look) return this.keep(gridId, look, kept.known);
    return this.keep(gridId, look, this.build(gridId, kept?.known, turn));
  }

  private keep(gridId: string, look: number, known: Promise<CachedDashboards>): Promise<CachedDashboards> {
    const kept = { atMs: this.clock(), look, known };
    this.grids.delete(gridId);
    if (this.grids.size >= MAX_GRIDS) this.grids.delete(this.grids.keys().next().value!);
    this.grids.set(gridId, kept);
    known.catch(() => this.grids.get(gridId) === kept && this.grids.delete(gridId)); // whoever asked is told
    return known;
  }

  private async build(
    gridId: string,
    before: Promise<CachedDashboards> | undefined,
    turn: TimeSlice,
  ): Promise<CachedDashboards> {
    const known = (await before?.catch(() => undefined))?.byService; // a failure was told to who asked then
    const byService = new Map<string, { service: DiscoveredService; board: ServiceDashboard }>();
    for (const service of await findDiscoveredServices(this.readerOf(gridId), this.rollups, gridId, turn)) {
      const same = known?.get(service.serviceName);
      byService.set(
        service.serviceName,
        same !== undefined && isSameService(same.service, service)
          ? same
          : { service, board: buildServiceDashboard(gridId, service) },
      );
      await turn.yieldIfDue();
    }
    const boards = [...byService.values()].map(({ board }) => board);
    return {
      byService,
      boards,
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
