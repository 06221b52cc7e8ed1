import { workerData } from 'node:worker_threads';
import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import { openReadModelReader } from '../engines/read-models.js';
import { HindsightError } from '../errors.js';
import { storedPosition } from '../projections/stored-position.js';
import { createAccessQueries, type AccessQueries } from '../queries/access.js';
import { createAlertQueries, type AlertQueries } from '../queries/alerts.js';
import { createAdministrationQueries } from '../queries/administration/administration-queries.js';
import { keyUsesOf } from '../queries/administration/api-keys.js';
import type { AdministrationQueries, KeyUse } from '../queries/administration/questions.js';
import type { UsageQueries } from '../queries/assistant/questions.js';
import { createUsageQueries } from '../queries/assistant/usage-queries.js';
import { telemetryAges, type TelemetryAge } from '../queries/telemetry-age.js';
import { checkInstallation } from '../read-models/installation.js';
import { readersByGrid } from '../read-models/shares/readers-by-grid.js';
import type { Position } from '../streams/event-store.js';
import { Shares } from '../streams/shares.js';
import type { ThreadSettings } from './thread-settings.js';
import { endThread, serveThread } from './thread.js';

/** Small look-ups that everything waits for: no search may stand before them, so they have a thread and a connection of their own. */
export interface AccessApi extends AccessQueries, AdministrationQueries, UsageQueries, Pick<AlertQueries, 'alertRules' | 'openAlerts'> {
  /** What is stored of the use of a Grid's keys. */
  keyUses(gridId: string): Promise<readonly KeyUse[]>;
  /** Of every Grid, for retention. */
  telemetryAges(): Promise<readonly TelemetryAge[]>;
  /**
   * Up to where the read models of a projection reflect the log; undefined before the first commit.
   * @param gridId whose read models, where that is a projection of telemetry and the Grids are shared out
   */
  position(projection: string, gridId?: string): Promise<Position | undefined>;
  /** Resolves when the read models can be read and are those of this process's settings; rejects with why not. */
  ping(): Promise<void>;
}

const settings = workerData as ThreadSettings;
const store = await openReadModelReader(settings, endThread);
const readerOf = readersByGrid(store, new Shares(settings.projectorShares));
const alerts = createAlertQueries(store);

const api: AccessApi = {
  ...createAccessQueries(store),
  ...createAdministrationQueries(store),
  ...createUsageQueries(store),
  alertRules: (gridId) => alerts.alertRules(gridId),
  openAlerts: () => alerts.openAlerts(),
  keyUses: (gridId) => keyUsesOf(store, gridId),
  telemetryAges: () => telemetryAges(store, readerOf),
  position: (projection, gridId) => storedPosition(gridId === undefined ? store : readerOf(gridId), projection),
  async ping() {
    const health = await store.check();
    if (!health.ok) throw new HindsightError('unavailable', health.reason);
    if (!areReadModelsEmbedded(settings)) await checkInstallation(store, settings.projectorShares);
  },
};

serveThread(api);
