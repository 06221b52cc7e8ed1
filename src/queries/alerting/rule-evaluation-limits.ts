/**
 * Evaluations at the same time, on one thread, of all owners and of one. Each may take the memory of a query; the rules of an
 * owner follow each other, and have slots of their own beside the queries that people ask.
 */
export const CONCURRENT_RULE_EVALUATIONS = { all: 2, ofOwner: 1 } as const;
