/** Roles of a member, weakest first. */
export const ROLES = ['Guest', 'User', 'Member', 'Owner'] as const;
export type Role = (typeof ROLES)[number];

/** Actor and time (ms since 1970) of a command; part of each of its events and the source of the audit log. */
export interface Authored {
  readonly actor: string;
  readonly at: number;
}

export interface GridSettings {
  readonly name: string;
  readonly apdexThresholdMs: number;
  readonly errorRateThreshold: number;
  readonly apdexHealthThreshold: number;
  /** Null: RETENTION_DAYS of the service. 0: unlimited. */
  readonly retentionDays: number | null;
  readonly subscriptionActive: boolean;
}

/** Settings of a new Grid, as implied by `GridCreated.v1`. */
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

/** Kind of a member. Users and applications share one id space; the kind prevents one from acting as the other. */
export type MemberKind = 'user' | 'application';

/** What an API key may do: send telemetry, read the API, or both. */
export const API_KEY_KINDS = ['send', 'read', 'full'] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

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
      readonly type: 'ApiKeyIssued.v2';
      readonly data: Authored &
        ApiKeySecret & { readonly gridId: string; readonly name: string; readonly kind: ApiKeyKind };
    }
  | { readonly type: 'ApiKeyRegenerated.v1'; readonly data: Authored & ApiKeySecret & { readonly gridId: string } }
  | {
      readonly type: 'ApiKeyRevoked.v1';
      readonly data: Authored & { readonly gridId: string; readonly keyId: string };
    };

/** Event of releases whose API keys had no kind; read as `ApiKeyIssued.v2` with the kind `full`. */
export const API_KEY_ISSUED_V1 = 'ApiKeyIssued.v1';

/** Stored part of an API key, never the secret itself. */
export interface ApiKeySecret {
  readonly keyId: string;
  /** Hex SHA-256 of the secret part. */
  readonly secretHash: string;
}
