/** Projections whose read models tell of Grids, members, keys and the audit: small, and quickly read from any log. */
export const ADMINISTRATIVE: readonly string[] = ['access', 'audit', 'key-use'];
