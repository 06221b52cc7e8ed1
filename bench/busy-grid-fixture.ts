import { sumGrid, sumService } from '../src/diagnostics/rollups/rollup-sums.js';
import type { GridRollup, ServiceRollup } from '../src/diagnostics/rollups/rollup-types.js';
import { accessCollections, type GridDocument } from '../src/read-models/documents/access-documents.js';
import { PROJECTIONS } from '../src/read-models/documents/projection-documents.js';
import {
  ROLLUP_BLOB,
  rollupId,
  spanRollupCollections,
  type RollupCatalogDocument,
  type RollupCollection,
} from '../src/read-models/documents/rollup-documents.js';
import { encodeGridRollup } from '../src/read-models/rollups/grid-rollup-codec.js';
import { encodeServiceRollup } from '../src/read-models/rollups/service-rollup-codec.js';
import type { DocumentChange, ReadModelStore } from '../src/read-models/read-model-store.js';
import { createInitialSettings } from '../src/streams/events/grid-events.js';
import { createMinuteRollups, serviceName, type GridSize } from './rollup-fixture.js';

export const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e10';
export const SIZE: GridSize = { services: 50, operations: 40, edges: 60, requests: 30 };
export const DAYS = 7;
export const MINUTE_MS = 60_000;
export const MINUTES_AN_HOUR = 60;
/**
 * Minute rollups are written where queries mix them with hours, before now and before this time yesterday; all would be
 * 4 GB without more insight.
 */
export const STORED_MINUTES = 4 * MINUTES_AN_HOUR;
const YESTERDAY = 24 * MINUTES_AN_HOUR;
/** Generated minutes; the others repeat them. */
const VARIANTS = 12;

type RollupBlobs = readonly {
  readonly collection: RollupCollection;
  readonly service: string;
  readonly blob: Uint8Array;
}[];

/** Seven days of rollups of one busy Grid, and its open minute, which can be rewritten repeatedly. */
export class BusyGridFixture {
  private readonly variants = Array.from({ length: VARIANTS }, (_, seed) => createMinuteRollups(SIZE, seed + 1));
  private readonly minutes = this.variants.map(({ grid, services }) => encodeRollups(grid, services, 'minutes'));
  private stamp = 1;

  constructor(private readonly store: ReadModelStore) {}

  async fill(nowMs: number): Promise<void> {
    const hour = buildHourRollups(this.variants);
    const running = Math.floor(nowMs / MINUTE_MS);
    const first = Math.floor(running / MINUTES_AN_HOUR) * MINUTES_AN_HOUR - DAYS * 24 * MINUTES_AN_HOUR;
    await this.store.commit(buildCatalogDocuments(first, nowMs), []);
    for (let start = first; start <= running; start += MINUTES_AN_HOUR) {
      this.stamp++;
      const changes: DocumentChange[] = [];
      for (let minute = start; minute < start + MINUTES_AN_HOUR; minute++)
        if (isStoredMinute(minute, running)) changes.push(...this.minuteChanges(minute, minute % VARIANTS));
      if (!isOpenHour(start, running)) changes.push(...toRollupChanges(hour, start, this.stamp));
      await this.store.commit(changes, []);
    }
  }

  /** Like a commit of the projection for each second of traffic: every service has sent something. */
  async writeRunningMinute(nowMs: number): Promise<void> {
    this.stamp++;
    const running = Math.floor(nowMs / MINUTE_MS);
    await this.store.commit(
      [...this.minuteChanges(running, this.stamp % VARIANTS), ...buildRollupCatalogs(running, this.stamp)],
      [],
    );
  }

  private minuteChanges(minute: number, variant: number): DocumentChange[] {
    return toRollupChanges(this.minutes[variant], minute, this.stamp);
  }
}

function isStoredMinute(minute: number, running: number): boolean {
  const ago = running - minute;
  return ago >= 0 && (ago <= STORED_MINUTES || Math.abs(ago - YESTERDAY) <= MINUTES_AN_HOUR);
}

function isOpenHour(hour: number, running: number): boolean {
  return running < hour + MINUTES_AN_HOUR + 10;
}

function buildHourRollups(
  variants: readonly { readonly grid: GridRollup; readonly services: readonly ServiceRollup[] }[],
): RollupBlobs {
  const parts = Array.from({ length: MINUTES_AN_HOUR }, (_, minute) => variants[minute % VARIANTS]);
  const services = variants[0].services.map((_, index) => sumService(parts.map((part) => part.services[index])));
  return encodeRollups(sumGrid(parts.map(({ grid }) => grid)), services, 'hours');
}

function encodeRollups(
  grid: GridRollup,
  services: readonly ServiceRollup[],
  interval: 'minutes' | 'hours',
): RollupBlobs {
  const collections = spanRollupCollections(1);
  return [
    { collection: collections.grids[interval], service: '', blob: encodeGridRollup(grid) },
    ...services.map((rollup) => ({
      collection: collections.services[interval],
      service: rollup.service,
      blob: encodeServiceRollup(rollup),
    })),
  ];
}

function toRollupChanges(blobs: RollupBlobs, minute: number, stamp: number): DocumentChange[] {
  return blobs.map(({ collection, service, blob }) => {
    const document = { gridId: GRID, minute, service, stamp };
    return { kind: 'put', collection, id: rollupId(document), document, blobs: { [ROLLUP_BLOB]: blob } };
  });
}

/** What queries read beside rollups: the Grid, complete hours, and when names were seen. */
function buildCatalogDocuments(first: number, nowMs: number): DocumentChange[] {
  const { catalogs } = spanRollupCollections(1);
  const grid: GridDocument = {
    ...createInitialSettings('bench'),
    gridId: GRID,
    createdAt: first * MINUTE_MS,
    createdBy: 'bench',
  };
  const times = { firstUs: first * MINUTE_MS * 1000, lastUs: nowMs * 1000 };
  return [
    ...['access', 'traces', 'logs', 'metrics', 'alerts', 'charts'].map((projection) =>
      putDocument(PROJECTIONS, projection, { active: 1, schema: 1 }),
    ),
    putDocument(accessCollections(1).grids, GRID, grid),
    ...buildRollupCatalogs(Math.floor(nowMs / MINUTE_MS), 1),
    ...Array.from({ length: SIZE.services }, (_, index) => serviceName(index)).map((service) =>
      putDocument(catalogs, `${GRID}/${service}`, {
        gridId: GRID,
        service,
        ...times,
        operations: [],
        versions: [{ version: '1.4.2', ...times }],
      }),
    ),
  ];
}

function buildRollupCatalogs(running: number, stamp: number): DocumentChange[] {
  const { grids, services } = spanRollupCollections(1);
  const openHours = [
    running - (running % MINUTES_AN_HOUR) - MINUTES_AN_HOUR,
    running - (running % MINUTES_AN_HOUR),
  ].filter((hour) => isOpenHour(hour, running));
  const known: RollupCatalogDocument = { gridId: GRID, stamp, newestMinute: running, openHours, expiredBefore: 0 };
  return [putDocument(grids.catalogs, GRID, known), putDocument(services.catalogs, GRID, known)];
}

function putDocument(collection: DocumentChange['collection'], id: string, document: object): DocumentChange {
  return { kind: 'put', collection, id, document };
}
