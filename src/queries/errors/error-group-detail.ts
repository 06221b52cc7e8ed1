import { compareText } from '../../diagnostics/text-order.js';
import { ErrorGroupKeys } from '../../diagnostics/error-groups/error-group-key.js';
import {
  ERROR_GROUP_BOUNDS,
  ErrorGroupCounts,
  OTHER_NAMES,
  type ErrorGroup,
} from '../../diagnostics/error-groups/error-group.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import { listSteps } from '../query/series-query.js';
import type { QueryRange } from '../query/query-model.js';
import { forEachCounted } from './counted-exceptions.js';
import { markNewGroups } from './error-baseline.js';
import type { ErrorGroupDetail, ErrorGroupQuery, ErrorStep, SampleException } from './error-group-query-types.js';
import { addErrorGroupStates, type StatusContext } from './error-group-status.js';
import type { ExceptionSource } from './exception-source.js';

const US_PER_SECOND = 1e6;
/** Characters of a message and of a stack trace that are shown. */
const MAX_TEXT = 65_536;
const MAX_STEPS = 60;
const DAY_SECONDS = 86_400;
/** Lengths of steps. */
const STEP_SECONDS = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, DAY_SECONDS, 7 * DAY_SECONDS];

/** Reads one group with its counts over time and an exception as it was reported; undefined if there is none. */
export async function readErrorGroup(
  source: ExceptionSource,
  query: ErrorGroupQuery,
  context: StatusContext,
): Promise<ErrorGroupDetail | undefined> {
  const collected = new GroupCollector(query);
  await forEachCounted(source, query, source.timeSlice.openMemory(), (exception) => collected.add(exception));
  const found = collected.finish();
  if (found === undefined) return undefined;
  const { damagedRecords } = source;
  const withState = await addErrorGroupStates(source, [found], query, context);
  const [detail] = await markNewGroups(source, query, withState);
  return { ...detail, ...(damagedRecords > 0 && { damagedRecords }) };
}

/** The length of at most 60 steps over the range. */
export function chooseStepSeconds({ fromUs, toUs }: QueryRange): number {
  const seconds = (toUs - fromUs) / US_PER_SECOND;
  const fits = STEP_SECONDS.find((step) => seconds / step <= MAX_STEPS);
  return fits ?? Math.ceil(seconds / MAX_STEPS / DAY_SECONDS) * DAY_SECONDS;
}

class GroupCollector {
  private readonly keys = new ErrorGroupKeys();
  private readonly stepSeconds: number;
  private readonly countsByStep: Map<string, number>[];
  private readonly first: number;
  private counts: ErrorGroupCounts | undefined;
  private sample: SampleException | undefined;

  constructor(private readonly query: ErrorGroupQuery) {
    this.stepSeconds = chooseStepSeconds(query.range);
    const { first, count } = listSteps(query.range, this.stepSeconds);
    this.first = first;
    this.countsByStep = Array.from({ length: count }, () => new Map<string, number>());
  }

  add(exception: ExceptionOccurrence): void {
    const key = this.keys.find(exception);
    if (key.groupId !== this.query.groupId) return;
    this.counts ??= new ErrorGroupCounts(key);
    this.counts.add(exception);
    this.countStep(exception);
    const sample = toSample(exception);
    if (this.sample === undefined || compareSamples(sample, this.sample) < 0) this.sample = sample;
  }

  finish(): (ErrorGroup & Pick<ErrorGroupDetail, 'stepSeconds' | 'steps' | 'sample'>) | undefined {
    const group = this.counts?.toGroup();
    if (group === undefined || this.sample === undefined) return undefined;
    return { ...group, stepSeconds: this.stepSeconds, steps: this.listSteps(group), sample: this.sample };
  }

  private countStep({ timeUs, version }: ExceptionOccurrence): void {
    const step = this.countsByStep[Math.floor(timeUs / (this.stepSeconds * US_PER_SECOND)) - this.first];
    const isFull = !step.has(version) && step.size >= ERROR_GROUP_BOUNDS.names;
    const name = isFull ? OTHER_NAMES : version;
    step.set(name, (step.get(name) ?? 0) + 1);
  }

  private listSteps({ versions }: ErrorGroup): ErrorStep[] {
    const names = versions.map(({ name }) => name).filter((name) => name !== OTHER_NAMES);
    return this.countsByStep.map((counts, at) => {
      const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
      const named = names.flatMap((name) => (counts.has(name) ? [{ name, count: counts.get(name)! }] : []));
      const others = count - named.reduce((sum, each) => sum + each.count, 0);
      return {
        timeUs: (this.first + at) * this.stepSeconds * US_PER_SECOND,
        count,
        versions: others > 0 ? [...named, { name: OTHER_NAMES, count: others }] : named,
      };
    });
  }
}

function toSample({
  message,
  stackTrace,
  service,
  version,
  traceId,
  spanId,
  timeUs,
}: ExceptionOccurrence): SampleException {
  return {
    message: message.slice(0, MAX_TEXT),
    stackTrace: stackTrace.slice(0, MAX_TEXT),
    serviceName: service,
    ...{ version, traceId, spanId, timeUs },
  };
}

/** Those with a stack trace first, then the newest; the order does not depend on that of the blocks. */
function compareSamples(a: SampleException, b: SampleException): number {
  return (
    Number(a.stackTrace === '') - Number(b.stackTrace === '') ||
    b.timeUs - a.timeUs ||
    compareText(`${a.traceId}/${a.spanId}/${a.message}`, `${b.traceId}/${b.spanId}/${b.message}`)
  );
}
