import { formatCount, formatList, formatName } from '../answers/answer-formatting.js';
import type { QuestionMeasure, QuestionQuery } from './question-query.js';
import {
  capitalizeFirst,
  compareBy,
  describeFigure,
  describeMeasureName,
  describeRecords,
  formatNumber,
  NOUNS,
  type MeasuredGroup,
} from './query-sentences.js';
import { formatTime, type QueryWindow } from './query-windows.js';

const MAX_STEPS_SHOWN = 30;

interface MeasuredStep {
  readonly atMs: number;
  readonly figures: MeasuredGroup['figures'];
}

interface MeasuredSeries {
  readonly name: string;
  readonly steps: readonly MeasuredStep[];
}

type NamedStep = MeasuredStep & { readonly name: string };

/** All steps, then the highest or lowest that the question asks for, and of numbers the mean. */
export function describeSteps(
  query: QuestionQuery,
  series: readonly MeasuredSeries[],
  window: QueryWindow,
  nowMs: number,
): string {
  const { measures, stepSeconds = 60, subject } = query;
  const steps = series.flatMap(({ name, steps: own }) => own.map((each) => ({ name, ...each })));
  if (steps.every(({ figures }) => (figures.get('count()') ?? 0) === 0))
    return `No ${describeRecords(query, query.conditions)} ${window.words}.`;
  const format = ({ name, atMs, figures }: NamedStep): string =>
    `${formatTime(atMs, nowMs)}${name === '' ? '' : ` ${formatName(name)}`}: ${measures
      .map((measure) =>
        measure.fn === 'count' && measure.field === undefined
          ? formatCount(figures.get('count()') ?? 0, ...NOUNS[subject])
          : describeFigure(measure, figures),
      )
      .join(', ')}`;
  if (query.isLatest === true) return describeLatest(query, series, format);
  const title = `${capitalizeFirst(describeRecords(query, query.conditions))} by ${nameStep(stepSeconds)} ${window.words}`;
  const mean = series.length === 1 ? describeMean(query, steps, { ...window, toMs: Math.min(window.toMs, nowMs) }) : '';
  const ends = describeEnds(query, steps, { ...window, toMs: Math.min(window.toMs, nowMs) }, format);
  return `${title}:${formatList(steps.map(format), MAX_STEPS_SHOWN)}${ends}${mean}`;
}

/** The last step of each series that has values. */
function describeLatest(
  { conditions, groupBy, subject }: QuestionQuery,
  series: readonly MeasuredSeries[],
  format: (step: NamedStep) => string,
): string {
  const lines = series.flatMap(({ name, steps }) => {
    const last = steps.findLast(({ figures }) => (figures.get('count()') ?? 0) > 0);
    return last === undefined ? [] : [format({ name, ...last })];
  });
  const by = groupBy.length === 0 ? '' : ` by ${groupBy.join(' and ')}`;
  return `Last values${by} (${describeRecords({ subject }, conditions)}):${formatList(lines, MAX_STEPS_SHOWN)}`;
}

function nameStep(stepSeconds: number): string {
  return stepSeconds === 60 ? 'minute' : stepSeconds === 3_600 ? 'hour' : `${stepSeconds} s`;
}

/** The highest and the lowest step; of numbers, the lowest of those that lie in the window as a whole. */
function describeEnds(
  { order, stepSeconds = 60 }: QuestionQuery,
  steps: readonly NamedStep[],
  { fromMs, toMs }: QueryWindow,
  format: (step: NamedStep) => string,
): string {
  if (order === undefined) return '';
  const { measure } = order;
  const isWhole = ({ atMs }: NamedStep): boolean => atMs >= fromMs && atMs + 1_000 * stepSeconds <= toMs;
  const whole = isNumber(measure) ? steps.filter(isWhole) : [];
  const line = (descending: boolean): string => {
    const among = descending || whole.length === 0 ? steps : whole;
    const [first] = [...among].sort((a, b) =>
      compareBy({ measure, descending }, { names: [], figures: a.figures }, { names: [], figures: b.figures }),
    );
    return first === undefined
      ? ''
      : `\n${descending ? 'Highest' : 'Lowest'} ${describeMeasureName(measure)}: the ${nameStep(stepSeconds)} of ${format(first)}.`;
  };
  return whole.length > 1 ? `${line(order.descending)}${line(!order.descending)}` : line(order.descending);
}

/** Figures of which each record is a part, so that those of the steps add up. */
function isNumber({ fn, field }: QuestionMeasure): boolean {
  return fn === 'failures' || fn === 'rate' || (fn === 'count' && field === undefined);
}

/** The mean over the whole window, whose first and last step may be incomplete. */
function describeMean(
  { order, stepSeconds = 60 }: QuestionQuery,
  steps: readonly MeasuredStep[],
  { fromMs, toMs }: QueryWindow,
): string {
  if (order === undefined || !isNumber(order.measure) || toMs <= fromMs) return '';
  const isFailures = order.measure.fn === 'failures';
  const total = steps.reduce((sum, { figures }) => sum + (figures.get(isFailures ? 'failures()' : 'count()') ?? 0), 0);
  const seconds = (toMs - fromMs) / 1_000;
  const mean = order.measure.fn === 'rate' ? total / seconds : (total / seconds) * stepSeconds;
  const unit = order.measure.fn === 'rate' ? 'second' : nameStep(stepSeconds);
  return `\nOn average ${formatNumber(mean)} ${isFailures ? 'failed ' : ''}${/^\d/.test(unit) ? 'per' : unit === 'hour' ? 'an' : 'a'} ${unit} over the whole time.`;
}
