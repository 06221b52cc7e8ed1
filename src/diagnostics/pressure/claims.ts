import { CONVENTIONS, PATTERNS, ROLES, type Convention, type Part, type PressureType, type Role } from './conventions.js';

/** What a metric tells by one convention. */
export interface Claim {
  readonly type: PressureType;
  readonly resource: string;
  readonly namedBy: readonly string[];
  readonly role: Role;
  readonly part: Part;
  /** Of the same number are the values of one resource. */
  readonly convention: number;
}

/** Past this many names that no convention knows they are looked at anew each time. */
const MAX_KNOWN = 20_000;

const KNOWN = claimsByMetric();
const byForm = new Map<string, readonly Claim[]>();

/** What a metric of this name tells of, nothing for most. */
export function claimsOf(metric: string): readonly Claim[] {
  const known = KNOWN.get(metric) ?? byForm.get(metric);
  if (known !== undefined) return known;
  const claims = claimsByForm(metric);
  if (byForm.size < MAX_KNOWN) byForm.set(metric, claims);
  return claims;
}

function claimsByMetric(): ReadonlyMap<string, readonly Claim[]> {
  const claims = new Map<string, Claim[]>();
  CONVENTIONS.forEach((convention, number) => {
    for (const claim of claimsIn(convention, number)) {
      for (const metric of claim.part.metrics) claims.set(metric, [...(claims.get(metric) ?? []), claim]);
    }
  });
  return claims;
}

function claimsIn(convention: Convention, number: number): Claim[] {
  const { namedBy = [], resource, type } = convention;
  return ROLES.flatMap((role) => {
    const part = convention[role];
    return part === undefined ? [] : [{ type, resource, namedBy, role, part, convention: number }];
  });
}

function claimsByForm(metric: string): readonly Claim[] {
  for (const { pattern, role, type } of PATTERNS) {
    const resource = pattern.exec(metric)?.[1];
    if (resource !== undefined) return [{ type, resource, namedBy: ['messaging.destination.name', 'queue', 'name'], role, part: { metrics: [metric] }, convention: CONVENTIONS.length }];
  }
  return [];
}
