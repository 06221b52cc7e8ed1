import type {
  CommandReceipt,
  GridReceipt,
  ApiKeyReceipt,
  MemberReceipt,
} from '../../src/commands/grids/grid-commands.js';
import { HindsightError } from '../../src/errors.js';
import type { GridPort } from '../../src/http/api-call.js';
import type {
  AdministrationQueries,
  ApiKeyRecord,
  AuditPage,
  GridRecord,
  MemberRecord,
} from '../../src/queries/administration/administration-query-types.js';
import type { Position } from '../../src/streams/event-store.js';
import { createInitialSettings } from '../../src/streams/events/grid-events.js';
import { GRID_A } from './fake-access.js';

const AT = Date.UTC(2026, 0, 1);

export const GRID_RECORD: GridRecord = { ...createInitialSettings('shop'), gridId: GRID_A, createdAt: AT };
export const MEMBER: MemberRecord = { userId: 'guest', role: 'Guest', addedAt: AT, addedBy: 'owner' };
export const API_KEY: ApiKeyRecord = {
  keyId: 'k1x9',
  name: 'checkout',
  kind: 'send',
  prefix: 'hs_k1x9_',
  createdAt: AT,
  createdBy: 'owner',
  lastUsedAt: AT + 1_000,
  lastSent: [{ signal: 'traces', at: AT + 1_000, accepted: 12, rejected: 1, message: 'span 3 has no name' }],
  lastRefused: { signal: 'logs', at: AT + 500, reason: 'the body does not parse' },
};

const POSITION = '7' as Position;

/** Records calls without changing state: each Grid has one member and one key. */
export class FakeGrids implements GridPort {
  readonly done: { readonly name: keyof GridPort; readonly with: readonly unknown[] }[] = [];
  /** Result of waiting for a position. */
  arrives: () => Promise<unknown> = async () => true;
  /** Error of all commands. */
  failure: HindsightError | undefined;

  createGrid(...asked: Parameters<GridPort['createGrid']>): Promise<GridReceipt> {
    return this.accepted('createGrid', asked, { ...GRID_RECORD, name: asked[1] });
  }

  changeSettings(...asked: Parameters<GridPort['changeSettings']>): Promise<GridReceipt> {
    return this.accepted('changeSettings', asked.slice(0, 3), { ...GRID_RECORD, ...asked[2] });
  }

  setMember(...asked: Parameters<GridPort['setMember']>): Promise<MemberReceipt> {
    return this.accepted('setMember', asked, { ...MEMBER, userId: asked[2], role: asked[3] });
  }

  removeMember(...asked: Parameters<GridPort['removeMember']>): Promise<CommandReceipt> {
    return this.accepted('removeMember', asked, {});
  }

  issueApiKey(...asked: Parameters<GridPort['issueApiKey']>): Promise<ApiKeyReceipt> {
    return this.accepted('issueApiKey', asked, {
      keyId: API_KEY.keyId,
      name: asked[2],
      kind: asked[3] ?? 'full',
      apiKey: 'hs_k1x9_secret',
      createdAt: AT,
      issuedAt: AT,
    });
  }

  regenerateApiKey(...asked: Parameters<GridPort['regenerateApiKey']>): Promise<ApiKeyReceipt> {
    this.requireKnown(asked[2]);
    return this.accepted('regenerateApiKey', asked, {
      keyId: API_KEY.keyId,
      name: API_KEY.name,
      kind: API_KEY.kind,
      apiKey: 'hs_k1x9_another',
      createdAt: AT,
      issuedAt: AT,
    });
  }

  revokeApiKey(...asked: Parameters<GridPort['revokeApiKey']>): Promise<CommandReceipt> {
    this.requireKnown(asked[2]);
    return this.accepted('revokeApiKey', asked, {});
  }

  waitForPosition(position: Position): Promise<unknown> {
    this.done.push({ name: 'waitForPosition', with: [position] });
    return this.arrives();
  }

  private requireKnown(keyId: string): void {
    if (keyId !== API_KEY.keyId) throw new HindsightError('not-found', 'There is no such API key.');
  }

  private async accepted<Answer extends object>(
    name: keyof GridPort,
    asked: readonly unknown[],
    answer: Answer,
  ): Promise<Answer & CommandReceipt> {
    this.done.push({ name, with: asked });
    if (this.failure !== undefined) throw this.failure;
    return { ...answer, position: POSITION };
  }
}

export class FakeAdministration implements AdministrationQueries {
  readonly asked: { readonly name: keyof AdministrationQueries; readonly with: readonly unknown[] }[] = [];

  async gridRecord(gridId: string): Promise<GridRecord> {
    this.asked.push({ name: 'gridRecord', with: [gridId] });
    return { ...GRID_RECORD, gridId };
  }

  async gridRecordsForMember(
    ...asked: Parameters<AdministrationQueries['gridRecordsForMember']>
  ): Promise<readonly GridRecord[]> {
    this.asked.push({ name: 'gridRecordsForMember', with: asked });
    return [GRID_RECORD];
  }

  async allGrids(): Promise<readonly GridRecord[]> {
    throw new Error('nobody may list all Grids over HTTP');
  }

  async gridsCreatedBy(userId: string): Promise<readonly string[]> {
    this.asked.push({ name: 'gridsCreatedBy', with: [userId] });
    return [GRID_A];
  }

  async members(gridId: string): Promise<readonly MemberRecord[]> {
    this.asked.push({ name: 'members', with: [gridId] });
    return [MEMBER];
  }

  async apiKeys(gridId: string): Promise<readonly ApiKeyRecord[]> {
    this.asked.push({ name: 'apiKeys', with: [gridId] });
    return [API_KEY];
  }

  async audit(...asked: Parameters<AdministrationQueries['audit']>): Promise<AuditPage> {
    this.asked.push({ name: 'audit', with: asked });
    return {
      entries: [{ at: AT, actor: 'owner', action: 'grid.created', target: GRID_A, details: { name: 'shop' } }],
      totalCount: 41,
    };
  }
}

export function fakeAdministration(): {
  readonly grids: FakeGrids;
  readonly administration: FakeAdministration;
  readonly defaultRetentionDays: number;
} {
  return { grids: new FakeGrids(), administration: new FakeAdministration(), defaultRetentionDays: 7 };
}
