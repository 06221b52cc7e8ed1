import type { AccessControl, ApiKeyAccess, GridAccess } from '../../src/auth/access-control.js';
import type { VerifyBearer } from '../../src/auth/tokens/token-verifier.js';
import type { ApiKeyKind, MemberKind } from '../../src/streams/events/grid-events.js';
import type { Role } from '../../src/http/route.js';

export const GRID_A = '0a0a0a0a-1111-4222-8333-0123456789ab';
export const GRID_B = '0b0b0b0b-1111-4222-8333-0123456789ab';
/** Exists, with an inactive subscription. */
export const GRID_INACTIVE = '0c0c0c0c-1111-4222-8333-0123456789ab';
export const GRID_UNKNOWN = '0d0d0d0d-1111-4222-8333-0123456789ab';

/** The twelve callers of the authorization matrix. */
export const CALLERS = [
  'owner',
  'member',
  'user',
  'guest',
  'owner-of-b',
  'outsider',
  'application',
  'application-without-permission',
  'key',
  'key-of-b',
  'revoked-key',
  'anonymous',
] as const;
export type CallerName = (typeof CALLERS)[number];

export function credentialsOf(caller: CallerName): Record<string, string> {
  if (caller === 'anonymous') return {};
  return caller.includes('key') ? { 'api-key': `hs_${caller}_secret` } : { Authorization: `Bearer token-of.${caller}` };
}

export const SEND_KEY = 'hs_send_secret';
export const READ_KEY = 'hs_read_secret';

/** Issued by the operator: its calls count for itself. */
function keyOf(keyId: string, gridId: string, kind: ApiKeyKind): ApiKeyAccess {
  return { keyId, gridId, kind, issuedBy: 'operator:root' };
}

/** Grids, memberships and keys in maps that tests can change while the app runs. */
export class FakeAccess implements AccessControl {
  readonly grids = new Map<string, GridAccess>(
    [GRID_A, GRID_B, GRID_INACTIVE].map((gridId) => [gridId, activeGrid(gridId)]),
  );
  /** By `gridId memberId`. The member `application` is one, all others are users. */
  readonly roles = new Map<string, Role>();
  readonly keys = new Map([
    ['hs_key_secret', keyOf('key-a', GRID_A, 'full')],
    ['hs_key-of-b_secret', keyOf('key-b', GRID_B, 'full')],
    [SEND_KEY, keyOf('key-send', GRID_A, 'send')],
    [READ_KEY, keyOf('key-read', GRID_A, 'read')],
  ]);

  constructor() {
    for (const gridId of [GRID_A, GRID_INACTIVE]) this.enrol(gridId);
    this.roles.set(`${GRID_B} owner-of-b`, 'Owner');
    this.grids.set(GRID_INACTIVE, { ...activeGrid(GRID_INACTIVE), subscriptionActive: false });
  }

  async findApiKey(presented: string): Promise<ApiKeyAccess | undefined> {
    return this.keys.get(presented);
  }

  async findGrid(gridId: string): Promise<GridAccess | undefined> {
    return this.grids.get(gridId);
  }

  async findRetentionWatermark(): Promise<number> {
    return 0;
  }

  async findRole(gridId: string, memberId: string, kind?: MemberKind): Promise<Role | undefined> {
    if (kind !== (memberId === 'application' ? 'application' : 'user')) return undefined;
    return this.roles.get(`${gridId} ${memberId}`);
  }

  private enrol(gridId: string): void {
    const members = { owner: 'Owner', member: 'Member', user: 'User', guest: 'Guest', application: 'Member' } as const;
    for (const [memberId, role] of Object.entries(members)) this.roles.set(`${gridId} ${memberId}`, role);
  }
}

/** Accepts `token-of.<caller>`; the text after the dot is the caller's id. */
export const fakeVerifier: VerifyBearer = async (token) => {
  const id = /^token-of\.(.+)$/.exec(token)?.[1];
  if (id === undefined)
    return { ok: false, reason: 'unauthenticated', expired: false, detail: 'The access token is not valid.' };
  if (id === 'application-without-permission')
    return { ok: false, reason: 'forbidden', detail: 'The application lacks the permission Grid.Access.' };
  return { ok: true, principal: { kind: id === 'application' ? 'application' : 'user', id } };
};

function activeGrid(gridId: string): GridAccess {
  return { gridId, subscriptionActive: true, retentionDays: 7 };
}
