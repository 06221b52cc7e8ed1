import {
  RESOURCE_CONVENTIONS,
  RESOURCE_PATTERNS,
  RESOURCE_ROLES,
  type PressureType,
  type ResourceConvention,
  type ResourceRole,
  type SeriesSelector,
} from './resource-conventions.js';

/** Meaning of a metric according to one convention. */
export interface ConventionMatch {
  readonly type: PressureType;
  readonly resource: string;
  readonly namedBy: readonly string[];
  readonly role: ResourceRole;
  readonly selector: SeriesSelector;
  /** Values with the same number and name belong to one resource. */
  readonly convention: number;
}

/** Cache limit for names without a convention; further names are matched each time. */
const MAX_PATTERN_MATCHES = 20_000;

const MATCHES_BY_METRIC = indexConventions();
const patternMatches = new Map<string, readonly ConventionMatch[]>();

/** Matches of a metric name, none for most names. Cached. */
export function matchConventions(metric: string): readonly ConventionMatch[] {
  const known = MATCHES_BY_METRIC.get(metric) ?? patternMatches.get(metric);
  if (known !== undefined) return known;
  const matches = matchPatterns(metric);
  if (patternMatches.size < MAX_PATTERN_MATCHES) patternMatches.set(metric, matches);
  return matches;
}

function indexConventions(): ReadonlyMap<string, readonly ConventionMatch[]> {
  const matches = new Map<string, ConventionMatch[]>();
  RESOURCE_CONVENTIONS.forEach((convention, number) => {
    for (const match of listMatches(convention, number)) {
      for (const metric of match.selector.metrics) matches.set(metric, [...(matches.get(metric) ?? []), match]);
    }
  });
  return matches;
}

function listMatches(convention: ResourceConvention, number: number): ConventionMatch[] {
  const { namedBy = [], resource, type } = convention;
  return RESOURCE_ROLES.flatMap((role) => {
    const selector = convention[role];
    return selector === undefined ? [] : [{ type, resource, namedBy, role, selector, convention: number }];
  });
}

function matchPatterns(metric: string): readonly ConventionMatch[] {
  for (const { pattern, role, type } of RESOURCE_PATTERNS) {
    const resource = pattern.exec(metric)?.[1];
    if (resource !== undefined)
      return [
        {
          type,
          resource,
          namedBy: ['messaging.destination.name', 'queue', 'name'],
          role,
          selector: { metrics: [metric] },
          convention: RESOURCE_CONVENTIONS.length,
        },
      ];
  }
  return [];
}
