import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../src/assistant/answerer.js';
import { Evidence } from './answer-evidence.js';
import type { Fact } from './expected-facts.js';
import { extractNumbers, extractWordsWithDigits } from './number-extraction.js';
import type { RecordedQuery } from './query-recorder.js';

/** Grade of an answer. */
export interface AnswerGrade {
  /** Missing facts, and violated rules that hold for every answer. */
  readonly faults: readonly string[];
  /** Numbers, times and names with digits for which there is no evidence. */
  readonly unexplained: readonly string[];
  /** A question that should be answered, but no tool was called. */
  readonly isUnanswered: boolean;
}

export interface GradingInput {
  /** All prompts of the conversation, the current one last. */
  readonly prompts: readonly string[];
  readonly answer: Answer;
  readonly facts: readonly Fact[];
  /** Queries of the tools, for the answers of this conversation. */
  readonly queries: readonly RecordedQuery[];
  readonly nowMs: number;
  readonly mostSources: number;
  /** Questions on usage and help: the assistant answers them without tools. */
  readonly needsSource: boolean;
}

const MAX_ANSWER_LENGTH = 4_000;
/** Without a tool call, quoted text is a suggested question: it claims nothing. */
const QUOTED_EXAMPLE = /“[^”]*”/g;

export function gradeAnswer(examined: GradingInput): AnswerGrade {
  const { answer, facts, nowMs, needsSource } = examined;
  const isRefusal = facts.some((fact) => fact.isRefusal === true);
  const missing = facts.filter((fact) => !fact.isMet(answer.response, nowMs)).map(({ name }) => name);
  const isUnanswered = needsSource && !isRefusal && answer.sources.length === 0;
  return {
    faults: [
      ...missing,
      ...findFaults(examined),
      ...(isRefusal && answer.sources.length > 0 ? ['tells of telemetry where it should decline'] : []),
    ],
    unexplained: findUnexplained(examined),
    isUnanswered,
  };
}

/** Rules that hold for every answer. */
function findFaults({ answer, mostSources }: GradingInput): string[] {
  const { response, sources, suggestedFollowUps, focus } = answer;
  return [
    ...(response.trim() === '' ? ['is empty'] : []),
    ...(response.length > MAX_ANSWER_LENGTH ? [`has ${response.length} characters`] : []),
    ...(/undefined|NaN|\[object|null\b/.test(response) ? ['prints what is no word'] : []),
    ...(sources.length > mostSources ? [`consulted ${sources.length} sources of ${mostSources}`] : []),
    ...(suggestedFollowUps.length === 0 ? ['suggests nothing'] : []),
    ...(isDeepStrictEqual(JSON.parse(JSON.stringify(focus)), focus) ? [] : ['keeps a focus that is no plain data']),
  ];
}

function findUnexplained({ prompts, answer, facts, queries, nowMs }: GradingInput): string[] {
  const evidence = new Evidence(nowMs);
  for (const prompt of prompts) evidence.addText(prompt);
  for (const { query, given, answer: result } of queries) {
    given.forEach((each) => evidence.addArgument(each));
    evidence.add(result, query);
  }
  for (const { numbers, times } of facts) {
    numbers.forEach((each) => evidence.add(each));
    times.forEach((each) => evidence.addMoment(each));
  }
  // Sources are part of the visible answer.
  const printed = [
    answer.sources.length > 0 ? answer.response : answer.response.replace(QUOTED_EXAMPLE, ''),
    ...answer.sources.map(({ description, traceCount }) => `${description}\n${traceCount ?? ''}`),
  ].join('\n');
  const { clocks, dates, names } = extractWordsWithDigits(printed);
  return [
    ...extractNumbers(printed)
      .filter((each) => !evidence.has(each))
      .map(({ text }) => text),
    ...clocks.filter((clock) => !evidence.hasClock(clock)),
    ...dates.filter((date) => !evidence.hasDate(date)),
    ...names.filter((name) => !evidence.hasName(name)),
  ];
}
