import { MIN_MEMORY_LIMIT, type ProcessRole } from '../../config/settings.js';

const MIB = 1024 * 1024;

/** Limit without MEMORY_LIMIT and without a limit of the control group. */
export const DEFAULT_MEMORY_LIMIT = 1024 * MIB;
/** Part of the limit of a control group that the process uses: the kernel ends a process that exceeds it. */
const CONTROL_GROUP_FRACTION = 0.9;
/** The program without requests and without caches: code, heaps of its threads, stacks, connections. */
const PROGRAM_BYTES = 256 * MIB;
/**
 * Tables of the projector that recognise repeated requests and spans. Their size is part of what a replay decides, so it
 * must not depend on the limit.
 */
const PROJECTOR_BYTES = 176 * MIB;
/** A body of 64 MiB and its decompressed form, each in a half of which one request takes at most seven eighths. */
const MIN_REQUEST_BYTES = 147 * MIB;
const MAX_REQUEST_BYTES = 512 * MIB;
/** Part of what remains beside program and projector that requests may use. */
const REQUEST_FRACTION = 0.28;
/**
 * Groups of queries and of rules on queries: part of what remains beside program and projector. The cache of the thread that
 * answers them lends the rest.
 */
const QUERY_FRACTION = 0.07;
const MIN_QUERY_BYTES = 16 * MIB;
/** All that may run at the same time: four large queries of 96 MiB, 1 MiB for each of four, 8 for each of two evaluations. */
const MAX_QUERY_BYTES = 404 * MIB;
/** Part of the caches' memory that is left to garbage, which collectors remove only now and then. */
const GARBAGE_FRACTION = 0.1;

/** Shares of the caches: the rollups of two hours are read every second, so a small cache there costs most. */
const CACHE_SHARES = {
  rollups: 55,
  rollupIndex: 5,
  searchBlocks: 20,
  pages: 7,
  impactBlocks: 4,
  charts: 3,
  bodies: 3,
  impactMatches: 3,
} as const;
/** Beyond these sizes more memory does not make anything faster. */
const CACHE_LIMITS: Readonly<Record<CacheName, number>> = {
  rollups: 1024 * MIB,
  rollupIndex: 128 * MIB,
  searchBlocks: 2048 * MIB,
  pages: 256 * MIB,
  impactBlocks: 192 * MIB,
  charts: 128 * MIB,
  bodies: 128 * MIB,
  impactMatches: 96 * MIB,
};

export type CacheName = keyof typeof CACHE_SHARES;

/** How the memory of one process is divided, in bytes. */
export interface MemoryPlan {
  readonly limitBytes: number;
  readonly programBytes: number;
  /** 0 in a process that does not project. */
  readonly projectorBytes: number;
  /** Bodies of export requests that are read, validated and appended at the same time. */
  readonly requestBytes: number;
  /** Groups of queries and of rules on queries, beside what the cache of blocks lends them. */
  readonly queryBytes: number;
  readonly caches: Readonly<Record<CacheName, number>>;
}

/** Limit of a process in bytes. `configured`: MEMORY_LIMIT; `controlGroup`: limit of the control group, if there is one. */
export function resolveMemoryLimit(configured: number | undefined, controlGroup: number | undefined): number {
  if (configured !== undefined) return configured;
  if (controlGroup === undefined) return DEFAULT_MEMORY_LIMIT;
  return Math.max(MIN_MEMORY_LIMIT, Math.floor(controlGroup * CONTROL_GROUP_FRACTION));
}

/** Divides the memory among the parts that a process with these roles has. */
export function planMemory(limitBytes = DEFAULT_MEMORY_LIMIT, roles: ReadonlySet<ProcessRole>): MemoryPlan {
  const projectorBytes = roles.has('project') ? PROJECTOR_BYTES : 0;
  const flexible = Math.max(0, limitBytes - PROGRAM_BYTES - projectorBytes);
  const requestBytes = roles.has('ingest')
    ? clamp(flexible * REQUEST_FRACTION, MIN_REQUEST_BYTES, MAX_REQUEST_BYTES)
    : 0;
  const queryBytes = answersQueries(roles) ? clamp(flexible * QUERY_FRACTION, MIN_QUERY_BYTES, MAX_QUERY_BYTES) : 0;
  const forCaches = Math.max(0, flexible - requestBytes - queryBytes) * (1 - GARBAGE_FRACTION);
  return {
    limitBytes,
    programBytes: PROGRAM_BYTES,
    projectorBytes,
    requestBytes,
    queryBytes,
    caches: divideAmongCaches(forCaches, roles),
  };
}

/** Projectors do, too: they evaluate alert rules on queries. */
function answersQueries(roles: ReadonlySet<ProcessRole>): boolean {
  return roles.has('api') || roles.has('project');
}

function divideAmongCaches(bytes: number, roles: ReadonlySet<ProcessRole>): Record<CacheName, number> {
  const names = answersQueries(roles) ? (Object.keys(CACHE_SHARES) as CacheName[]) : [];
  const total = names.reduce((sum, name) => sum + CACHE_SHARES[name], 0);
  const computeSize = (name: CacheName): number =>
    names.includes(name) ? Math.min(CACHE_LIMITS[name], Math.floor((bytes * CACHE_SHARES[name]) / total)) : 0;
  return {
    rollups: computeSize('rollups'),
    rollupIndex: computeSize('rollupIndex'),
    searchBlocks: computeSize('searchBlocks'),
    pages: computeSize('pages'),
    impactBlocks: computeSize('impactBlocks'),
    charts: computeSize('charts'),
    bodies: computeSize('bodies'),
    impactMatches: computeSize('impactMatches'),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.floor(Math.min(max, Math.max(min, value)));
}
