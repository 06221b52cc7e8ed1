import type { AccessControl } from '../../auth/access-control.js';
import type { TokenMember } from '../../auth/token-members.js';
import { selectStrongerRole } from '../../auth/tokens/token-roles.js';
import type { GridCommands } from '../../commands/grids/grid-commands.js';
import { HindsightError } from '../../errors.js';
import type { AdministrationQueries } from '../../queries/administration/administration-query-types.js';

/** Memberships that tokens of recent callers grant. */
export interface TokenMemberships {
  list(gridId: string): readonly TokenMember[];
  find(gridId: string, userId: string): TokenMember | undefined;
}

/** Adds members by token to the list. Of a recorded member with such a membership, the stronger role is listed. */
export function withTokenMembers<Queries extends Pick<AdministrationQueries, 'members'>>(
  queries: Queries,
  tokens: TokenMemberships,
): Queries {
  return {
    ...queries,
    async members(gridId: string) {
      const recorded = await queries.members(gridId);
      const ids = new Set(recorded.map(({ userId }) => userId));
      const byToken = tokens
        .list(gridId)
        .filter(({ userId }) => !ids.has(userId))
        .map(({ userId, role, since }) => ({ userId, role, addedAt: since, addedBy: BY_TOKEN }));
      const strengthened = recorded.map((member) => ({
        ...member,
        role: selectStrongerRole(member.role, tokens.find(gridId, member.userId)?.role) ?? member.role,
      }));
      return [...strengthened, ...byToken];
    },
  };
}

/** `addedBy` of members by token. */
const BY_TOKEN = 'token';

/**
 * Refuses to change or remove members by token with `conflict`: their token would go on deciding. A recorded membership of
 * the same user can be changed.
 */
export function refuseTokenMemberChanges<Commands extends Pick<GridCommands, 'setMember' | 'removeMember'>>(
  commands: Commands,
  tokens: Pick<TokenMemberships, 'find'>,
  access: Pick<AccessControl, 'findRole'>,
): Commands {
  const requireRecorded = async (gridId: string, userId: string): Promise<void> => {
    if (tokens.find(gridId, userId) === undefined || (await access.findRole(gridId, userId)) !== undefined) return;
    throw new HindsightError(
      'conflict',
      `The membership of ${userId} follows its token (OIDC_ROLE_CLAIM, OIDC_ROLE_MAP) and cannot be edited here: change it at the identity provider.`,
    );
  };
  return {
    ...commands,
    async setMember(actor: string, gridId: string, userId: string, ...rest) {
      await requireRecorded(gridId, userId);
      return commands.setMember(actor, gridId, userId, ...rest);
    },
    async removeMember(actor: string, gridId: string, userId: string) {
      await requireRecorded(gridId, userId);
      return commands.removeMember(actor, gridId, userId);
    },
  } satisfies Pick<GridCommands, 'setMember' | 'removeMember'> & Commands;
}
