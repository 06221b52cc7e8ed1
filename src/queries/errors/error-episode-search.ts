import type { WatchedErrorGroup } from '../../diagnostics/alerting/error-rule-readings.js';
import {
  belongsTo,
  findPossibleEpisodes,
  type ErrorEpisode,
  type GroupException,
} from '../../diagnostics/error-groups/error-episodes.js';
import { ErrorGroupKeys, MAX_ERROR_TYPE, type ErrorGroupKey } from '../../diagnostics/error-groups/error-group-key.js';
import { ExceptionIdentities, IDENTITY_BYTES } from '../../diagnostics/error-groups/exception-identities.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import type { ErrorSelection } from './error-group-query-types.js';
import type { StatusContext } from './error-group-status.js';
import type { ExceptionSource } from './exception-source.js';

const US_PER_MS = 1_000;
/** What a group and an exception of it take in memory, about. */
const GROUP_BYTES = 1_000;
const EXCEPTION_BYTES = 150;

/** What is known of when an episode began. */
export interface KnownStart {
  /** When an exception of the episode could be known, µs since 1970. */
  readonly knownUs: number;
  /** Whether it is the first one: everything before it has been read. Otherwise the episode began then or earlier. */
  readonly isFirst: boolean;
}

/** By `toEpisodeKey`. */
export type EpisodeStarts = Map<string, KnownStart>;

/**
 * The groups that are news at some time of the range: new ones, and those that occur again after they were resolved, with
 * their exceptions that could be known within the range.
 * @param known what was found of a range shortly before; receives what is found, and loses what is of other groups
 */
export async function findErrorEpisodes(
  source: ExceptionSource,
  selection: Pick<ErrorSelection, 'range' | 'serviceName'>,
  readChanges: StatusContext['readChanges'],
  known: EpisodeStarts,
): Promise<WatchedErrorGroup[]> {
  const groups = await collectGroups(source, selection);
  const changes = await readChanges([...groups.keys()]);
  const possible = [...groups.values()].map(({ key: { groupId, type }, exceptions }): WatchedErrorGroup => {
    exceptions.sort((a, b) => a.knownUs - b.knownUs);
    const ofGroup = changes.get(groupId) ?? [];
    return { groupId, type, exceptions, changes: ofGroup, episodes: findPossibleEpisodes(exceptions, ofGroup) };
  });
  forgetOthers(known, possible);
  await findEarlierExceptions(source, selection, possible, known);
  return possible.flatMap((group) => {
    const episodes = group.episodes.filter((episode) => isStart(known.get(toEpisodeKey(group, episode)), episode));
    return episodes.length === 0 ? [] : [{ ...group, episodes }];
  });
}

function isStart(known: KnownStart | undefined, { startUs }: ErrorEpisode): boolean {
  return known?.isFirst === true && known.knownUs === startUs;
}

function forgetOthers(known: EpisodeStarts, groups: readonly WatchedErrorGroup[]): void {
  const current = new Set(groups.flatMap((group) => group.episodes.map((episode) => toEpisodeKey(group, episode))));
  for (const key of known.keys()) if (!current.has(key)) known.delete(key);
}

interface CollectedGroup {
  readonly key: ErrorGroupKey;
  readonly exceptions: GroupException[];
}

async function collectGroups(
  source: ExceptionSource,
  { range, serviceName }: Pick<ErrorSelection, 'range' | 'serviceName'>,
): Promise<ReadonlyMap<string, CollectedGroup>> {
  const memory = source.timeSlice.openMemory();
  const keys = new ErrorGroupKeys();
  const groups = new Map<string, CollectedGroup>();
  const identities = new ExceptionIdentities();
  const add = (exception: ExceptionOccurrence, twinUs?: number): void => {
    const { timeUs, knownUs, version, service } = exception;
    if (knownUs < range.fromUs || knownUs >= range.toUs) return;
    if (serviceName !== undefined && service !== serviceName) return;
    const key = keys.find(exception);
    const group = groups.get(key.groupId) ?? { key, exceptions: [] };
    memory.charge(EXCEPTION_BYTES + (group.exceptions.length === 0 ? GROUP_BYTES : 0));
    group.exceptions.push({ timeUs, knownUs, version, service, ...(twinUs !== undefined && { twinUs }) });
    groups.set(key.groupId, group);
  };
  await source.forEachOfSpans(range, {
    visit(exception) {
      if (!identities.add(exception)) return;
      memory.charge(IDENTITY_BYTES);
      add(exception);
    },
  });
  await source.forEachOfLogs(range, { visit: (exception) => add(exception, identities.findKnownUs(exception)) });
  return groups;
}

/**
 * Finds for each episode whether an exception from before the range belongs to it, as far as that is not known. Reads
 * backwards, and ends as soon as one of each was found: all that is stored is read only for an episode that really begins.
 * Episodes that begin get their start in `known`, others an earlier exception.
 */
async function findEarlierExceptions(
  source: ExceptionSource,
  { range, serviceName }: Pick<ErrorSelection, 'range' | 'serviceName'>,
  groups: readonly WatchedErrorGroup[],
  known: EpisodeStarts,
): Promise<void> {
  const searched = new SearchedEpisodes(groups, known, range.fromUs);
  const keys = new ErrorGroupKeys();
  const before = { fromUs: searched.oldestUs, toUs: range.fromUs };
  const visitor = {
    visit(exception: ExceptionOccurrence) {
      if (exception.knownUs >= range.fromUs || !searched.types.has(exception.type.slice(0, MAX_ERROR_TYPE))) return;
      if (serviceName === undefined || exception.service === serviceName)
        searched.visit(keys.find(exception).groupId, exception);
    },
    isDone: () => searched.isDone,
  };
  await source.forEachOfLogs(before, visitor);
  await source.forEachOfSpans(before, visitor);
  searched.complete();
}

type OfGroup = Pick<WatchedErrorGroup, 'groupId'>;

/** Identifies an episode of a group, whichever exceptions of it have been read. */
function toEpisodeKey({ groupId }: OfGroup, { resolution }: Pick<ErrorEpisode, 'resolution'>): string {
  return `${groupId} ${resolution?.at ?? 'new'}`;
}

/** Episodes of which it is not known yet whether they begin within a range. */
class SearchedEpisodes {
  /** Of their groups. */
  readonly types = new Set<string>();
  /** When the earliest of their exceptions may have occurred, µs since 1970. */
  readonly oldestUs: number;
  private readonly pending = new Map<string, ErrorEpisode[]>();

  constructor(
    groups: readonly WatchedErrorGroup[],
    private readonly known: EpisodeStarts,
    fromUs: number,
  ) {
    for (const group of groups) {
      const unknown = group.episodes.filter((episode) => !this.isKnown(group, episode, fromUs));
      if (unknown.length === 0) continue;
      this.pending.set(group.groupId, unknown);
      this.types.add(group.type);
    }
    const starts = [...this.pending.values()].flat().map(({ resolution }) => (resolution?.at ?? 0) * US_PER_MS);
    this.oldestUs = Math.min(fromUs, ...starts);
  }

  get isDone(): boolean {
    return this.pending.size === 0;
  }

  /** An exception from before the range. */
  visit(groupId: string, exception: ExceptionOccurrence): void {
    const episodes = this.pending.get(groupId);
    if (episodes === undefined) return;
    const rest = episodes.filter((episode) => !belongsTo(episode, exception));
    for (const episode of episodes)
      if (!rest.includes(episode)) this.keep(groupId, episode, { knownUs: exception.knownUs, isFirst: false });
    if (rest.length === 0) this.pending.delete(groupId);
    else this.pending.set(groupId, rest);
  }

  /** Everything that is stored has been read: nothing is before what is left. */
  complete(): void {
    for (const [groupId, episodes] of this.pending)
      for (const episode of episodes) this.keep(groupId, episode, { knownUs: episode.startUs, isFirst: true });
  }

  private keep(groupId: string, episode: ErrorEpisode, start: KnownStart): void {
    this.known.set(toEpisodeKey({ groupId }, episode), start);
  }

  /** What another range has told counts if it is from before this one, or the start that this one has too. */
  private isKnown(group: OfGroup, episode: ErrorEpisode, fromUs: number): boolean {
    const start = this.known.get(toEpisodeKey(group, episode));
    return start !== undefined && (start.knownUs < fromUs || isStart(start, episode));
  }
}
