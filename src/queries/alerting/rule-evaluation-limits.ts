/**
 * Evaluations at the same time, on one thread, of all owners and of one. They have slots and memory of their own beside the
 * queries that people ask (`QueryMemoryPool`), each the largest amount of a query if it has to wait for it; the rules of an
 * owner follow each other.
 */
export const CONCURRENT_RULE_EVALUATIONS = { all: 2, ofOwner: 1 } as const;
