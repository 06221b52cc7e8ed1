import { isUnexpected, type ErrorResolution } from './error-resolution.js';
import type { ExceptionOccurrence } from './exception-occurrence.js';

const US_PER_MS = 1_000;

/** What a person did about a group, the time in ms since 1970. */
export type GroupChange =
  (ErrorResolution & { readonly type: 'resolved' }) | { readonly type: 'reopened'; readonly at: number };

/** An exception of one group. */
export interface GroupException extends Pick<ExceptionOccurrence, 'timeUs' | 'knownUs' | 'version' | 'service'> {
  /** Of a log record: when a span could be known that reports the same exception. Together they count once. */
  readonly twinUs?: number;
}

/** A time in which a group is news: it occurs for the first time, or again after it was resolved. */
export interface ErrorEpisode {
  /** When its first exception could be known, µs since 1970. */
  readonly startUs: number;
  /** Of its first exception. */
  readonly serviceName: string;
  /** The resolution that its first exception contradicts; absent: the group is new. */
  readonly resolution?: ErrorResolution;
  /** Exceptions from then on, ms since 1970, are those of a later state of the group; Infinity: there is none. */
  readonly untilMs: number;
}

/**
 * Episodes of a group that may begin with these exceptions, which are ordered by `knownUs`: each does unless an earlier
 * exception belongs to it.
 * @param changes the oldest first
 */
export function findPossibleEpisodes(
  exceptions: readonly GroupException[],
  changes: readonly GroupChange[],
): ErrorEpisode[] {
  const kinds: Omit<ErrorEpisode, 'startUs' | 'serviceName'>[] = [
    { untilMs: Infinity },
    ...changes.flatMap((change, at) =>
      change.type === 'resolved' ? [{ resolution: change, untilMs: changes.at(at + 1)?.at ?? Infinity }] : [],
    ),
  ];
  return kinds.flatMap((kind) => {
    const first = exceptions.find((exception) => belongsTo(kind, exception));
    return first === undefined ? [] : [{ ...kind, startUs: first.knownUs, serviceName: first.service }];
  });
}

/** Whether the episode contains this exception, or would if it had begun. */
export function belongsTo(
  { resolution, untilMs }: Pick<ErrorEpisode, 'resolution' | 'untilMs'>,
  { timeUs, version }: Pick<GroupException, 'timeUs' | 'version'>,
): boolean {
  if (resolution === undefined) return true;
  const isAfter = timeUs > resolution.at * US_PER_MS && timeUs < untilMs * US_PER_MS;
  return isAfter && isUnexpected(version, resolution);
}

/** Whether a person has resolved the group between the beginning of the episode and this moment, µs since 1970. */
export function isResolvedBy({ startUs }: ErrorEpisode, changes: readonly GroupChange[], momentUs: number): boolean {
  const last = changes.findLast(({ at }) => at * US_PER_MS < momentUs);
  return last?.type === 'resolved' && last.at * US_PER_MS >= startUs;
}
