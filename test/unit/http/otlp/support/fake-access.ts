import type { AccessControl, ApiKeyAccess, GridAccess } from '../../../../../src/auth/access-control.js';

export const API_KEY = 'hs_key_secret';
export const GRID = 'grid';

/** One Grid and its key, in plain maps that a test may change while a server runs. */
export class FakeAccess implements AccessControl {
  readonly keys = new Map<string, ApiKeyAccess>([
    [API_KEY, { keyId: 'key', gridId: GRID, kind: 'full', issuedBy: 'owner' }],
  ]);
  readonly grids = new Map<string, GridAccess>([[GRID, { gridId: GRID, subscriptionActive: true, retentionDays: 7 }]]);

  /** Telemetry from before this time (ms) has expired. */
  retentionWatermark = 0;

  async findApiKey(presented: string): Promise<ApiKeyAccess | undefined> {
    return this.keys.get(presented);
  }

  async findGrid(gridId: string): Promise<GridAccess | undefined> {
    return this.grids.get(gridId);
  }

  async findRetentionWatermark(): Promise<number> {
    return this.retentionWatermark;
  }

  async findRole(): Promise<undefined> {
    return undefined;
  }
}
