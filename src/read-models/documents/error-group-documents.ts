import type { Collection } from '../read-model-store.js';

/** What a person did about a group; `at` is ms since 1970. */
export type ErrorGroupChange =
  | {
      readonly type: 'resolved';
      readonly at: number;
      readonly by: string;
      /** Empty: everywhere, at once. */
      readonly fixedIn: string;
      readonly knownVersions: readonly string[];
    }
  | { readonly type: 'reopened'; readonly at: number; readonly by: string };

export interface ErrorGroupDocument {
  readonly gridId: string;
  readonly groupId: string;
  /** The oldest first; at most MAX_ERROR_GROUP_CHANGES, the newest. */
  readonly changes: readonly ErrorGroupChange[];
}

/** Older changes of a group are forgotten, so that its document stays small. */
export const MAX_ERROR_GROUP_CHANGES = 100;

/** Name of the projection that writes this collection, and its version in this release. */
export const ERROR_GROUPS_PROJECTION = 'error-groups';
export const ERROR_GROUPS_VERSION = 1;

/** Groups of two Grids have the same id if their exceptions are alike. */
export function errorGroupDocumentId(gridId: string, groupId: string): string {
  return `${gridId}/${groupId}`;
}

export function errorGroupCollection(version: number): Collection<ErrorGroupDocument> {
  return { name: `error-groups.v${version}`, indexes: [['gridId']] };
}
