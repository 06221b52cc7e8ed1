/** Roles of a member, weakest first. */
export const ROLES = ['Guest', 'User', 'Member', 'Owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who did it and when (ms since 1970): carried by every event of a command; the audit is read from it. */
export interface Authored {
  readonly actor: string;
  readonly at: number;
}

export interface GridSettings {
  readonly name: string;
  readonly apdexThresholdMs: number;
  readonly errorRateThreshold: number;
  readonly apdexHealthThreshold: number;
  /** Null: the service's RETENTION_DAYS. 0: for ever. */
  readonly retentionDays: number | null;
  readonly subscriptionActive: boolean;
}

/** Settings that a Grid starts with: what `GridCreated.v1` means. */
export function createInitialSettings(name: string): GridSettings {
  return {
    name,
    apdexThresholdMs: 500,
    errorRateThreshold: 5,
    apdexHealthThreshold: 0.7,
    retentionDays: null,
    subscriptionActive: true,
  };
}

/** Whom a membership is for. Users and applications share one space of ids, so the kind keeps one from becoming the other. */
export type MemberKind = 'user' | 'application';

export type GridEvent =
  | { readonly type: 'GridCreated.v1'; readonly data: Authored & { readonly gridId: string; readonly name: string } }
  | {
      readonly type: 'GridSettingsChanged.v1';
      readonly data: Authored & { readonly gridId: string; readonly changes: Partial<GridSettings> };
    }
  | {
      readonly type: 'MemberSet.v1';
      readonly data: Authored & {
        readonly gridId: string;
        readonly userId: string;
        readonly role: Role;
        readonly kind?: MemberKind;
      };
    }
  | {
      readonly type: 'MemberRemoved.v1';
      readonly data: Authored & { readonly gridId: string; readonly userId: string };
    }
  | {
      readonly type: 'ApiKeyIssued.v1';
      readonly data: Authored & ApiKeySecret & { readonly gridId: string; readonly name: string };
    }
  | { readonly type: 'ApiKeyRegenerated.v1'; readonly data: Authored & ApiKeySecret & { readonly gridId: string } }
  | {
      readonly type: 'ApiKeyRevoked.v1';
      readonly data: Authored & { readonly gridId: string; readonly keyId: string };
    };

/** What the log knows of a key: never the secret itself. */
export interface ApiKeySecret {
  readonly keyId: string;
  /** Hex SHA-256 of the secret part. */
  readonly secretHash: string;
}
