const SERIES = 10;

/** A colour of the theme for each service, in the order in which they come into play. */
export function coloursOf(services: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    services.map((name, index) => [name, index < SERIES ? `var(--series-${index + 1})` : 'var(--series-other)']),
  );
}
