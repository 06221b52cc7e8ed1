import type { NameCount } from '../../diagnostics/error-groups/error-group.js';
import type {
  ErrorGroupDetail,
  ErrorGroupState,
  FoundErrorGroup,
} from '../../queries/errors/error-group-query-types.js';
import { toIsoString } from './tool-arguments.js';

const US_PER_MS = 1_000;

export type ListedErrorGroup = ReturnType<typeof toListedErrorGroup>;

/** An error group with the member names of the API. */
export function toListedErrorGroup(group: FoundErrorGroup) {
  const { groupId, type, messagePattern, topFrames, count, isNew, firstVersion } = group;
  return {
    ...{ groupId, exceptionType: type, messagePattern, topFrames, count },
    firstSeen: formatMicros(group.firstSeenUs),
    lastSeen: formatMicros(group.lastSeenUs),
    ...(isNew !== undefined && { isNew }),
    firstVersion,
    versions: group.versions.map(toVersionCount),
    services: group.services.map(({ name, count: each }) => ({ serviceName: name, count: each })),
    sampleTraceIds: group.sampleTraces.map(({ traceId }) => traceId),
    ...toState(group),
  };
}

export type DetailedErrorGroup = ReturnType<typeof toDetailedErrorGroup>;

export function toDetailedErrorGroup(group: ErrorGroupDetail) {
  const { stepSeconds, damagedRecords } = group;
  const { timeUs: sampledUs, ...sample } = group.sample;
  return {
    ...toListedErrorGroup(group),
    stepSeconds,
    steps: group.steps.map(({ timeUs, count, versions }) => ({
      time: formatMicros(timeUs),
      count,
      versions: versions.map(toVersionCount),
    })),
    sample: { time: formatMicros(sampledUs), ...sample },
    exact: true,
    ...(damagedRecords !== undefined && { damagedRecords }),
  };
}

function toState({ status, resolvedBy, resolvedInVersion, resolvedAtUs, reopenedAtUs }: ErrorGroupState) {
  return {
    ...(status !== undefined && { status }),
    ...(resolvedAtUs !== undefined && { resolvedAt: formatMicros(resolvedAtUs) }),
    ...(resolvedBy !== undefined && { resolvedBy }),
    ...(resolvedInVersion !== undefined && { resolvedInVersion }),
    ...(reopenedAtUs !== undefined && { reopenedAt: formatMicros(reopenedAtUs) }),
  };
}

function toVersionCount({ name, count }: NameCount) {
  return { version: name, count };
}

function formatMicros(us: number): string {
  return toIsoString(Math.floor(us / US_PER_MS));
}
