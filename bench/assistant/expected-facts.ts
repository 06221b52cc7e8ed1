import { extractNumbers, type PrintedNumber } from './number-extraction.js';

/** A fact that a correct answer states, or must not state. */
export interface Fact {
  /** Description for the report. */
  readonly name: string;
  /** `nowMs` is the time of the question. */
  isMet(answer: string, nowMs: number): boolean;
  /** Numbers that a correct answer may print because of this fact. */
  readonly numbers: readonly number[];
  readonly times: readonly number[];
  /** The answer states nothing about telemetry, and needs no source. */
  readonly isRefusal?: true;
}

type Wording = string | RegExp;
const NOTHING = { numbers: [], times: [] } as const;

/** At least one of the texts, ignoring case. */
export function says(...any: readonly Wording[]): Fact {
  return {
    ...NOTHING,
    name: `says ${any.map(String).join(' or ')}`,
    isMet: (answer) => any.some((each) => matchesWording(each, answer)),
  };
}

/** All of the texts, ignoring case. */
export function names(...all: readonly string[]): Fact {
  return {
    ...NOTHING,
    name: `names ${all.join(', ')}`,
    isMet: (answer) => all.every((each) => matchesWording(each, answer)),
  };
}

/** None of the texts. */
export function never(...any: readonly Wording[]): Fact {
  return {
    ...NOTHING,
    name: `never says ${any.map(String).join(' or ')}`,
    isMet: (answer) => !any.some((each) => matchesWording(each, answer)),
  };
}

/** The first text occurs before the second: a ranking, or an order in time. */
export function before(first: string, second: string): Fact {
  const place = (answer: string, text: string): number => answer.toLowerCase().indexOf(text.toLowerCase());
  return {
    ...NOTHING,
    name: `has ${first} before ${second}`,
    isMet: (answer) =>
      place(answer, first) >= 0 && (place(answer, second) < 0 || place(answer, first) < place(answer, second)),
  };
}

/** The number, rounded as printed. */
export function number(value: number): Fact {
  return about(value, 0);
}

/** All of these facts. */
export function both(...facts: readonly Fact[]): Fact {
  return {
    name: facts.map(({ name }) => name).join(', and '),
    isMet: (answer, nowMs) => facts.every((fact) => fact.isMet(answer, nowMs)),
    numbers: facts.flatMap(({ numbers }) => numbers),
    times: facts.flatMap(({ times }) => times),
  };
}

/** A fact that an answer may state, but need not. */
export function permits(numbers: readonly number[], times: readonly number[] = []): Fact {
  return { name: 'permits', isMet: () => true, numbers, times };
}

/** A latency: mean or high percentile. */
export function speed({ avg, p95 }: { readonly avg: number; readonly p95: number }): Fact {
  return either(number(avg), percentile(p95));
}

/** A failure rate in percent, or a number of failures. */
export function failures({ errorRate, failed }: { readonly errorRate: number; readonly failed: number }): Fact {
  return either(number(errorRate), number(failed));
}

/** A percentile: sketches are off by 1 % (contract §5). */
export function percentile(ms: number): Fact {
  return about(ms, 0.01);
}

/** The number with a relative tolerance beside its rounding. Milliseconds may be printed as seconds. */
export function about(value: number, share: number): Fact {
  const isMet = (answer: string): boolean =>
    extractNumbers(answer).some((printed) =>
      listCandidateValues(value, printed).some(
        (each) => Math.abs(printed.value - each) <= printed.slack + share * Math.abs(each),
      ),
    );
  return {
    name: `has ${Number(value.toFixed(3))}${share === 0 ? '' : ` ± ${100 * share} %`}`,
    isMet,
    numbers: [value],
    times: [],
  };
}

/** At least one of these facts. */
export function either(...facts: readonly Fact[]): Fact {
  return {
    name: facts.map(({ name }) => name).join(', or '),
    isMet: (answer, nowMs) => facts.some((fact) => fact.isMet(answer, nowMs)),
    numbers: facts.flatMap(({ numbers }) => numbers),
    times: facts.flatMap(({ times }) => times),
  };
}

/** The time, as clock time (UTC) or as time ago, with a tolerance in minutes. */
export function moment(ms: number, withinMinutes = 2): Fact {
  const minutes = Math.floor(ms / 60_000);
  const isMet = (answer: string, nowMs: number): boolean => {
    const clocks = [...answer.matchAll(/(?<![\d:.])(\d{1,2}):(\d{2})(?::\d{2})?/g)].map(
      ([, h, m]) => Number(h) * 60 + Number(m),
    );
    const agos = [...answer.matchAll(/(\d+) min(?:ute)?s? ago/g)].map(([, ago]) => nowMs / 60_000 - Number(ago));
    return [...clocks, ...agos].some(
      (each) => Math.abs(((((each - minutes) % 1440) + 2160) % 1440) - 720) <= withinMinutes,
    );
  };
  return {
    name: `tells ${new Date(ms).toISOString().slice(11, 16)} ± ${withinMinutes} min`,
    isMet,
    numbers: [],
    times: [ms],
  };
}

const REFUSALS = [
  /\b(?:can|could|do|does|did|will|would|am|is|are|was)(?: ?not|n['’]t)\b/i,
  /\bcan(?:not|['’]t)\b/i,
  /\b(?:unable|not able)\b/i,
  /\bonly (?:answer|know|read|understand|speak|look|help|report|change)/i,
  /\bEnglish only\b/i,
  /\bknow (?:no|nothing)\b/i,
  /\b(?:outside|beyond) (?:of )?(?:what|my)\b/i,
];

/** The answer declines, and states no facts. */
export function declines(): Fact {
  return {
    ...NOTHING,
    name: 'declines',
    isMet: (answer) => REFUSALS.some((each) => each.test(answer)),
    isRefusal: true,
  };
}

/** The answer declines, names at least one of these words as not understood, and states no facts. */
export function refuses(...words: readonly string[]): Fact {
  return {
    ...NOTHING,
    name: `refuses and names ${words.join(' or ')}`,
    isMet: (answer) => REFUSALS.some((each) => each.test(answer)) && words.some((word) => matchesWording(word, answer)),
    isRefusal: true,
  };
}

/** The count stands in the first line of the answer; none as `no` or 0. */
export function total(count: number): Fact {
  const digits = new RegExp(String.raw`(?<![\d.,:/-])${count}(?![\d/]|[.,:]\d)`);
  return {
    name: `begins with a count of ${count}`,
    isMet(answer) {
      const [head = ''] = answer.split('\n');
      return count === 0 ? /\b(?:no|none|nothing|0)\b/i.test(head) : digits.test(head);
    },
    numbers: [count],
    times: [],
  };
}

/** The answer says that the thing does not exist. */
export function unknown(what: string): Fact {
  const wordings = [/\b(?:no|not|nothing|never|none|unknown)\b/i, /n['’]t\b/];
  return {
    ...NOTHING,
    name: `does not know ${what}`,
    isMet: (answer) => matchesWording(what, answer) && wordings.some((each) => each.test(answer)),
  };
}

function matchesWording(wording: Wording, answer: string): boolean {
  return typeof wording === 'string' ? answer.toLowerCase().includes(wording.toLowerCase()) : wording.test(answer);
}

function listCandidateValues(value: number, { unit }: PrintedNumber): readonly number[] {
  return unit === 's' ? [value, value / 1000] : [value, -value];
}
