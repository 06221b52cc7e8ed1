import { listMemberIds, type Member } from '../../auth/member-role.js';
import type { AdministrationQueries, GridRecord } from '../../queries/administration/administration-query-types.js';
import type { NamedGrid, UsageQueries } from '../../queries/usage/usage-query-types.js';

/** Looks up Grids by recorded membership, and by id. */
interface GridSource<Grid> {
  readonly ofMember: (memberId: string, kind: Member['kind']) => Promise<readonly Grid[]>;
  readonly byId: (gridId: string) => Promise<Grid | undefined>;
}

/** Grids of the caller by recorded memberships and by its token, sorted by name. */
export function listGridRecords(
  queries: Pick<AdministrationQueries, 'gridRecordsForMember' | 'gridRecord'>,
  member: Member,
): Promise<readonly GridRecord[]> {
  return listGrids(member, {
    ofMember: (id, kind) => queries.gridRecordsForMember(id, kind),
    byId: (gridId) => queries.gridRecord(gridId),
  });
}

/** As `listGridRecords`. */
export function listNamedGrids(
  queries: Pick<UsageQueries, 'gridsForMember' | 'namedGrid'>,
  member: Member,
): Promise<readonly NamedGrid[]> {
  return listGrids(member, {
    ofMember: (id, kind) => queries.gridsForMember(id, kind),
    byId: (gridId) => queries.namedGrid(gridId),
  });
}

async function listGrids<Grid extends { readonly gridId: string; readonly name: string }>(
  member: Member,
  { ofMember, byId }: GridSource<Grid>,
): Promise<readonly Grid[]> {
  const [recorded, granted] = await Promise.all([
    Promise.all(listMemberIds(member).map((id) => ofMember(id, member.kind))),
    Promise.all([...(member.roles?.keys() ?? [])].map(byId)),
  ]);
  const [only, ...others] = recorded;
  if (only !== undefined && others.length === 0 && granted.length === 0) return only; // sorted already
  const found = [...recorded.flat(), ...granted.filter((grid) => grid !== undefined)];
  return [...new Map(found.map((grid) => [grid.gridId, grid])).values()].sort(compareByName);
}

function compareByName(a: { readonly name: string }, b: { readonly name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
