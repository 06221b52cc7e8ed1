import type { Chart, Dashboard } from '../../diagnostics/chart.js';
import type { GridRollups } from '../../read-models/rollups/grid-rollups.js';
import type { ReaderOf } from '../../read-models/shares/readers-by-grid.js';
import type { Turn } from '../giving-way.js';
import { discoveredServices, type DiscoveredService } from './discovered-services.js';
import { serviceBoard, type ServiceBoard } from './service-charts.js';

/** A service that was discovered shows within so many ms: services are looked for no more often. */
const FRESH_MS = 1_000;

/** Grids whose boards are kept. Of a thousand services they take 10 MB. */
const MAX_GRIDS = 64;

/** What is made for the services of one Grid. */
export interface GridBoards {
  /** By service. */
  readonly boards: readonly ServiceBoard[];
  readonly charts: ReadonlyMap<string, Chart>;
  readonly dashboards: ReadonlyMap<string, Dashboard>;
}

interface Kept {
  readonly atMs: number;
  /** The look whose findings it shows. */
  readonly look: number;
  readonly known: Promise<Known>;
}

interface Known extends GridBoards {
  readonly byService: ReadonlyMap<string, { readonly service: DiscoveredService; readonly board: ServiceBoard }>;
}

/** Dashboards of discovered services: made when they are asked for, and again only for services that have changed. */
export class ServiceBoards {
  private readonly grids = new Map<string, Kept>();

  /** `clock` in ms since 1970. */
  constructor(
    private readonly readerOf: ReaderOf,
    private readonly rollups: GridRollups,
    private readonly clock: () => number,
  ) {}

  async of(gridId: string, turn: Turn): Promise<GridBoards> {
    const kept = this.grids.get(gridId);
    if (kept !== undefined && Math.abs(this.clock() - kept.atMs) < FRESH_MS) return kept.known;
    await this.rollups.look(gridId);
    const look = this.rollups.lastChange(gridId);
    if (kept?.look === look) return this.keep(gridId, look, kept.known);
    return this.keep(gridId, look, this.make(gridId, kept?.known, turn));
  }

  private keep(gridId: string, look: number, known: Promise<Known>): Promise<Known> {
    const kept = { atMs: this.clock(), look, known };
    this.grids.delete(gridId);
    if (this.grids.size >= MAX_GRIDS) this.grids.delete(this.grids.keys().next().value!);
    this.grids.set(gridId, kept);
    known.catch(() => this.grids.get(gridId) === kept && this.grids.delete(gridId)); // whoever asked is told
    return known;
  }

  private async make(gridId: string, before: Promise<Known> | undefined, turn: Turn): Promise<Known> {
    const known = (await before?.catch(() => undefined))?.byService; // a failure was told to who asked then
    const byService = new Map<string, { service: DiscoveredService; board: ServiceBoard }>();
    for (const service of await discoveredServices(this.readerOf(gridId), this.rollups, gridId, turn)) {
      const same = known?.get(service.serviceName);
      byService.set(service.serviceName, same !== undefined && isSame(same.service, service) ? same : { service, board: serviceBoard(gridId, service) });
      await turn.giveWay();
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

function isSame(a: DiscoveredService, b: DiscoveredService): boolean {
  return a.firstMs === b.firstMs && textOf(a) === textOf(b);
}

function textOf({ runtimeMetrics }: DiscoveredService): string {
  return JSON.stringify([...runtimeMetrics].map(([metric, keys]) => [metric, [...keys].sort()]).sort());
}
