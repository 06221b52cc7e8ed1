import { AddressSpellings } from './address-spellings.js';
import type { Position } from '../streams/event-store.js';
import type { ApiKeyKind, GridEvent, MemberKind, Role } from '../streams/events/grid-events.js';
import type { RetentionMarkWithdrawn } from '../streams/events/retention-events.js';
import type { TELEMETRY_EXPIRED_TYPE, TelemetryExpired } from '../streams/events/telemetry-events.js';

export interface GridRecord {
  readonly gridId: string;
  /** The first Owner; absent until there is one. */
  readonly ownerId?: string;
  readonly subscriptionActive: boolean;
  /** Null: the default of the service. 0: unlimited. */
  readonly retentionDays: number | null;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly gridId: string;
  /** Hex SHA-256. */
  readonly secretHash: string;
  readonly kind: ApiKeyKind;
  /** Who issued the secret. */
  readonly issuedBy: string;
}

export interface MemberRecord {
  readonly role: Role;
  /** Absent: user and application. */
  readonly kind?: MemberKind;
}

/** All records as of a position; they may contain later events as well. */
export interface AccessSnapshot {
  readonly position: Position;
  /** The same for Grids, keys and members, without retention watermarks: at or after `position`. */
  readonly accessPosition: Position;
  readonly grids: readonly GridRecord[];
  readonly apiKeys: readonly ApiKeyRecord[];
  readonly retentionWatermarks: readonly { readonly gridId: string; readonly before: number }[];
  readonly members: readonly (MemberRecord & { readonly gridId: string; readonly userId: string })[];
}

/** An event of a Grid's stream, or of the stream of its retention. */
export interface GridStreamEvent {
  readonly type: string;
  readonly data: unknown;
  readonly position: Position;
}

/**
 * Grids, API keys and members as of a position of the event log, in memory: a small record for each. Holds what
 * authorization needs of the read model `access`, and agrees with it at the same position.
 */
export class AccessRegistry {
  readonly #grids = new Map<string, GridRecord>();
  readonly #apiKeys = new Map<string, ApiKeyRecord>();
  readonly #members = new Map<string, MemberRecord>();
  readonly #retentionWatermarks = new Map<string, number>();
  readonly #spellings = new AddressSpellings();
  #position = '' as Position;
  /** Grids, keys and members contain all events up to here already. */
  #accessPosition = '' as Position;

  /** All events of Grids up to here are contained. */
  get position(): Position {
    return this.#position;
  }

  /** Number of records. */
  get size(): number {
    return this.#grids.size + this.#apiKeys.size + this.#members.size;
  }

  /**
   * Replaces all records. Events between the two positions change retention watermarks alone: applied again, they would
   * bring back a key whose revocation has been damaged since.
   */
  load({ position, accessPosition, grids, apiKeys, members, retentionWatermarks }: AccessSnapshot): void {
    for (const records of [this.#grids, this.#apiKeys, this.#members, this.#retentionWatermarks, this.#spellings])
      records.clear();
    for (const grid of grids) this.#grids.set(grid.gridId, grid);
    for (const key of apiKeys) this.#apiKeys.set(key.keyId, key);
    for (const member of members) {
      this.#members.set(memberKey(member.gridId, member.userId), toMemberRecord(member));
      this.#spellings.add(member.gridId, member.userId);
    }
    for (const { gridId, before } of retentionWatermarks) this.#retentionWatermarks.set(gridId, before);
    this.#position = position;
    this.#accessPosition = accessPosition;
  }

  grid(gridId: string): GridRecord | undefined {
    return this.#grids.get(gridId);
  }

  apiKey(keyId: string): ApiKeyRecord | undefined {
    return this.#apiKeys.get(keyId);
  }

  member(gridId: string, memberId: string): MemberRecord | undefined {
    return this.#members.get(memberKey(gridId, memberId));
  }

  /** Ids of members, with capital letters, that equal the address but for the case of letters. */
  findSpellings(address: string): readonly string[] {
    return this.#spellings.find(address);
  }

  /** Time (ms since 1970) before which telemetry of the Grid has expired; 0: nothing has. */
  retentionWatermark(gridId: string): number {
    return this.#retentionWatermarks.get(gridId) ?? 0;
  }

  /** Applies the next event; one that is contained already has no effect. Returns whether it concerns access. */
  apply({ type, data, position }: GridStreamEvent): boolean {
    if (position <= this.#position) return false;
    this.#position = position;
    if (type === ('TelemetryExpired.v1' satisfies typeof TELEMETRY_EXPIRED_TYPE))
      this.#expire(data as TelemetryExpired);
    if (type === ('RetentionMarkWithdrawn.v1' satisfies RetentionMarkWithdrawn['type']))
      this.#withdrawWatermark(data as RetentionMarkWithdrawn['data']);
    return position > this.#accessPosition && this.#evolve({ type, data } as GridEvent);
  }

  /** Marks that there are no events of Grids between the current position and this one. */
  advanceTo(position: Position): void {
    if (position > this.#position) this.#position = position;
  }

  #evolve(event: GridEvent): boolean {
    switch (event.type) {
      case 'GridCreated.v1':
        this.#grids.set(event.data.gridId, {
          gridId: event.data.gridId,
          subscriptionActive: true,
          retentionDays: null,
        });
        return true;
      case 'GridSettingsChanged.v1':
        return this.#changeGrid(event.data);
      case 'ApiKeyIssued.v2':
        this.#apiKeys.set(event.data.keyId, toApiKeyRecord(event.data));
        return true;
      case 'ApiKeyRegenerated.v1':
        return this.#replaceSecret(event.data);
      case 'ApiKeyRevoked.v1':
        return this.#apiKeys.delete(event.data.keyId);
      case 'MemberSet.v1':
        return this.#setMember(event.data);
      case 'MemberRemoved.v1':
        this.#spellings.remove(event.data.gridId, event.data.userId);
        return this.#members.delete(memberKey(event.data.gridId, event.data.userId));
      default:
        return false; // streams of Grids also contain alert rules, charts and events of newer versions
    }
  }

  #changeGrid({ gridId, changes }: EventData<'GridSettingsChanged.v1'>): boolean {
    const grid = this.#grids.get(gridId);
    const { subscriptionActive, retentionDays } = changes;
    if (grid === undefined || (subscriptionActive === undefined && retentionDays === undefined)) return false;
    this.#grids.set(gridId, {
      ...grid,
      subscriptionActive: subscriptionActive ?? grid.subscriptionActive,
      retentionDays: retentionDays === undefined ? grid.retentionDays : retentionDays,
    });
    return true;
  }

  #setMember(data: EventData<'MemberSet.v1'>): boolean {
    const { gridId, userId, role } = data;
    const grid = this.#grids.get(gridId);
    if (role === 'Owner' && grid !== undefined && grid.ownerId === undefined)
      this.#grids.set(gridId, { ...grid, ownerId: userId });
    this.#members.set(memberKey(gridId, userId), toMemberRecord(data));
    this.#spellings.add(gridId, userId);
    return true;
  }

  #expire({ gridId, before }: TelemetryExpired): void {
    if (before > this.retentionWatermark(gridId)) this.#retentionWatermarks.set(gridId, before);
  }

  /** From now on older telemetry is accepted again; the rebuild that follows the withdrawal finds it in the log. */
  #withdrawWatermark({ gridId, before }: RetentionMarkWithdrawn['data']): void {
    if (before < this.retentionWatermark(gridId)) this.#retentionWatermarks.set(gridId, before);
  }

  #replaceSecret({ keyId, secretHash, actor }: EventData<'ApiKeyRegenerated.v1'>): boolean {
    const key = this.#apiKeys.get(keyId);
    if (key !== undefined) this.#apiKeys.set(keyId, { ...key, secretHash, issuedBy: actor });
    return key !== undefined;
  }
}

type EventData<Type extends GridEvent['type']> = Extract<GridEvent, { type: Type }>['data'];

function toApiKeyRecord({ keyId, gridId, secretHash, kind, actor }: EventData<'ApiKeyIssued.v2'>): ApiKeyRecord {
  return { keyId, gridId, secretHash, kind, issuedBy: actor };
}

function toMemberRecord({ role, kind }: MemberRecord): MemberRecord {
  return kind === undefined ? { role } : { role, kind };
}

function memberKey(gridId: string, memberId: string): string {
  return `${gridId}/${memberId}`;
}
