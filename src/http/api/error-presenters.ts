import type { NameCount } from '../../diagnostics/error-groups/error-group.js';
import type {
  ErrorGroupDetail,
  ErrorGroupPage,
  ErrorGroupState,
  FoundErrorGroup,
} from '../../queries/errors/error-group-query-types.js';
import type {
  ErrorGroup as ErrorGroupSchema,
  ErrorGroupDetail as ErrorGroupDetailSchema,
  ErrorGroups,
} from '../schemas/error-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { formatTimestamp } from './value-conversions.js';

const US_PER_MS = 1_000;

export function presentErrorGroups({
  groups,
  totalCount,
  exceptionCount,
  page,
  pageSize,
  foldedExceptions,
  damagedRecords,
}: ErrorGroupPage & { readonly page: number; readonly pageSize: number }): ResponseBody<typeof ErrorGroups> {
  return {
    errors: groups.map(presentErrorGroup),
    ...{ totalCount, exceptionCount, page, pageSize },
    exact: true,
    ...(foldedExceptions !== undefined && { foldedExceptions }),
    ...(damagedRecords !== undefined && { damagedRecords }),
  };
}

export function presentErrorGroup(group: FoundErrorGroup): ResponseBody<typeof ErrorGroupSchema> {
  const { groupId, type, messagePattern, topFrames, count, isNew, firstVersion } = group;
  return {
    ...{ groupId, exceptionType: type, messagePattern, topFrames: [...topFrames], count },
    firstSeen: formatMicros(group.firstSeenUs),
    lastSeen: formatMicros(group.lastSeenUs),
    ...(isNew !== undefined && { isNew }),
    firstVersion,
    versions: presentVersions(group.versions),
    services: group.services.map(({ name, count: each }) => ({ serviceName: name, count: each })),
    sampleTraceIds: group.sampleTraces.map(({ traceId }) => traceId),
    ...presentState(group),
  };
}

export function presentErrorGroupDetail(group: ErrorGroupDetail): ResponseBody<typeof ErrorGroupDetailSchema> {
  const { stepSeconds, damagedRecords } = group;
  const { timeUs: sampledUs, serviceName, version, traceId, spanId, message, stackTrace } = group.sample;
  return {
    ...presentErrorGroup(group),
    stepSeconds,
    steps: group.steps.map(({ timeUs, count, versions }) => ({
      time: formatMicros(timeUs),
      count,
      versions: presentVersions(versions),
    })),
    sample: { time: formatMicros(sampledUs), serviceName, version, traceId, spanId, message, stackTrace },
    exact: true,
    ...(damagedRecords !== undefined && { damagedRecords }),
  };
}

function presentState({ status, resolvedBy, resolvedInVersion, ...times }: ErrorGroupState) {
  const { resolvedAtUs, reopenedAtUs } = times;
  return {
    ...(status !== undefined && { status }),
    ...(resolvedAtUs !== undefined && { resolvedAt: formatMicros(resolvedAtUs) }),
    ...(resolvedBy !== undefined && { resolvedBy }),
    ...(resolvedInVersion !== undefined && { resolvedInVersion }),
    ...(reopenedAtUs !== undefined && { reopenedAt: formatMicros(reopenedAtUs) }),
  };
}

function presentVersions(versions: readonly NameCount[]): { version: string; count: number }[] {
  return versions.map(({ name, count }) => ({ version: name, count }));
}

function formatMicros(us: number): string {
  return formatTimestamp(Math.floor(us / US_PER_MS));
}
