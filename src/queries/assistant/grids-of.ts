import { byText } from '../../diagnostics/by-text.js';
import { accessCollections, type GridDocument, type MemberDocument } from '../../read-models/access.js';
import { eq } from '../../read-models/filter.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { NamedGrid } from './questions.js';

type Kind = NonNullable<MemberDocument['kind']>;

/** Grids of which the user, or the application, is a member, by name: without subscription, too. */
export async function gridsOf(store: ReadModelReader, userId: string, kind: Kind): Promise<NamedGrid[]> {
  const version = await activeVersion(store, 'access');
  if (version === undefined) return [];
  const { grids, members } = accessCollections(version);
  const memberships = (await store.find(members, { filter: eq('userId', userId) })).map(({ document }) => document).filter(isOfKind(kind));
  const found = await Promise.all(memberships.map(({ gridId }) => store.get(grids, gridId)));
  return found.filter((grid) => grid !== undefined).map(named).sort(byName);
}

export async function namedGrid(store: ReadModelReader, gridId: string): Promise<NamedGrid | undefined> {
  const version = await activeVersion(store, 'access');
  const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
  return grid && named(grid);
}

/** A membership that does not say whose counts for either, as it does for access. */
function isOfKind(kind: Kind) {
  return (member: MemberDocument): boolean => member.kind === undefined || member.kind === kind;
}

function named({ gridId, name, subscriptionActive }: GridDocument): NamedGrid {
  return { gridId, name, subscriptionActive };
}

function byName(a: NamedGrid, b: NamedGrid): number {
  return byText(a.name, b.name) || byText(a.gridId, b.gridId);
}
