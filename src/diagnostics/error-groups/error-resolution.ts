/** That a person has resolved a group. */
export interface ErrorResolution {
  /** ms since 1970. */
  readonly at: number;
  /** `service.version` in which it is fixed; empty: everywhere, at once. */
  readonly fixedIn: string;
  /** Versions that had reported it: with `fixedIn`, they may do so again until they are replaced. */
  readonly knownVersions: readonly string[];
}

/** A version that was known when the group was resolved may report it until it is replaced by the one that fixes it. */
export function isUnexpected(
  version: string,
  { fixedIn, knownVersions }: Pick<ErrorResolution, 'fixedIn' | 'knownVersions'>,
): boolean {
  return fixedIn === '' || version === fixedIn || !knownVersions.includes(version);
}
