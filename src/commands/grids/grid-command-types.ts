import type { Precondition } from '../decider.js';
import type {
  ApiKeyKind,
  ApiKeySecret,
  Authored,
  GridSettings,
  MemberKind,
  Role,
} from '../../streams/events/grid-events.js';

export interface NewMember {
  readonly id: string;
  readonly kind: MemberKind;
}

interface CreateGrid {
  readonly type: 'CreateGrid';
  readonly gridId: string;
  readonly name: string;
  /** Becomes Owner; absent: the Grid starts without members. */
  readonly owner?: NewMember;
}

/** A Grid as clients read it. */
export interface GridRecord extends GridSettings {
  readonly gridId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

interface ChangeSettings {
  readonly type: 'ChangeSettings';
  readonly gridId: string;
  readonly changes: Partial<GridSettings>;
  readonly onlyIf?: Precondition<GridRecord> | undefined;
}

interface SetMember {
  readonly type: 'SetMember';
  readonly gridId: string;
  readonly userId: string;
  readonly role: Role;
  /** Absent: unchanged; a new member then counts as user and as application. */
  readonly kind?: MemberKind;
}

interface RemoveMember {
  readonly type: 'RemoveMember';
  readonly gridId: string;
  readonly userId: string;
}

interface IssueApiKey extends ApiKeySecret {
  readonly type: 'IssueApiKey';
  readonly gridId: string;
  readonly name: string;
  readonly kind: ApiKeyKind;
  /** Number of keys that the Grid may have; absent: any number. */
  readonly maxKeys?: number | undefined;
}

/** New secret with the same key id. */
interface RegenerateApiKey extends ApiKeySecret {
  readonly type: 'RegenerateApiKey';
  readonly gridId: string;
}

interface RevokeApiKey {
  readonly type: 'RevokeApiKey';
  readonly gridId: string;
  readonly keyId: string;
}

export type GridCommand = Authored &
  (CreateGrid | ChangeSettings | SetMember | RemoveMember | IssueApiKey | RegenerateApiKey | RevokeApiKey);

/** The command with this type. */
export type GridCommandByType<Type extends GridCommand['type']> = Extract<GridCommand, { readonly type: Type }>;
