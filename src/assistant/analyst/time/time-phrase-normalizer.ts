/** A reworded text, and where each of its characters stood before. */
export interface AlignedText {
  readonly text: string;
  /** Offset in the original of each character of `text`, and behind it the length of the original. Never falls. */
  readonly origins: readonly number[];
}

export function alignText(text: string): AlignedText {
  return { text, origins: Array.from({ length: text.length + 1 }, (_, at) => at) };
}

/**
 * Replaces all matches of the global pattern, like `String.replace`. Characters of a replacement stand where those of
 * the match stood, the excess where its last one did.
 */
export function replaceAligned(
  { text, origins }: AlignedText,
  pattern: RegExp,
  createReplacement: (match: RegExpExecArray) => string,
): AlignedText {
  let reworded = '';
  const moved: number[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [{ length }, from] = [match[0], match.index];
    const replacement = createReplacement(match);
    reworded += text.slice(end, from) + replacement;
    moved.push(...origins.slice(end, from));
    for (let at = 0; at < replacement.length; at++) moved.push(origins[from + Math.min(at, length - 1)]);
    end = from + length;
  }
  return { text: reworded + text.slice(end), origins: [...moved, ...origins.slice(end)] };
}

/** Rewrites time phrases that chrono cannot parse into ones that it can. Applied in order. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  // Without a length, a quarter of an hour on each side.
  [
    /(?<!\b(?:min(?:ute)?s?|h(?:ou)?rs?)\s+)\bbefore\s*(?:and|vs\.?|versus|&|\/)\s*after\s+(?=(?:at\s+)?(?:\d{1,2}:\d{2}|\d{1,2}\s*[ap]m\b|noon\b))/gi,
    '15 minutes before and after ',
  ],
  [/\bgood\s+(?:morning|afternoon|evening|night)\b/gi, 'hello'],
  [/\b(?:lst|lsat|alst|lats|psat|pats)\s+(?=\d|h(?:ou)?r\b|min)/gi, 'last '],
  // After 3:00, chrono takes midnight to be the next one.
  [/\b(?:last\s+)?midnight\b/gi, '00:00'],
  [
    /\b(since|until|till|at|around|before|after)\s+([01]?\d|2[0-4])(?=\s*(?:[?!.,]|$|utc\b|today\b|yesterday\b))(?!\.\d)/gi,
    '$1 $2:00',
  ],
  // One of two hours says what both are.
  [
    /\b(?:between|from)\s+([01]?\d|2[0-4])\s*(?:and|to|till|until|-|–)\s*((?:[01]?\d|2[0-4]):[0-5]\d)\b/gi,
    'from $1:00 to $2',
  ],
  [
    /\b(?:between|from)\s+((?:[01]?\d|2[0-4]):[0-5]\d)\s*(?:and|to|till|until|-|–)\s*([01]?\d|2[0-4])\b(?![:.]?\d)(?!\s*[ap]m\b)/gi,
    'from $1 to $2:00',
  ],
  [
    /\b(?:between|from)\s+([01]?\d|2[0-4])\s*(?:and|to|till|until|-|–)\s*([01]?\d|2[0-4])\s*o['’]?\s?clock\b/gi,
    'from $1:00 to $2:00',
  ],
  [/\bbetween\s+(\d{1,2}(?::\d{2})?)\s*(?:and|-|–)\s*(\d{1,2}(?::\d{2})?)\s*(am|pm)\b/gi, 'from $1 $3 to $2 $3'],
  [
    /\bbetween\s+((?:yesterday|today)\s+)?(?:at\s+)?(\d{1,2}:\d{2}\S*|\d{1,2}\s*[ap]m|noon|midnight)\s*(?:utc\s*)?and\s+(?=\d|noon|midnight)/gi,
    '$1from $2 to ',
  ],
  [
    /\b(?:between|from)\s+([01]?\d|2[0-4])\s*(?:h\s*)?(?:and|to|-|–)\s*([01]?\d|2[0-4])(?:\s*h)?(?=\s*(?:[?!.,]|$|utc|today|yesterday))/gi,
    'from $1:00 to $2:00',
  ],
  [
    /\b(?:from\s+|between\s+)?([01]?\d|2[0-4])\s*(?:to|and|till|until|-|–)\s*([01]?\d|2[0-4])(?=\s+(?:this|yesterday)\s+morning\b)(?:\s+(?:this|(yesterday))\s+morning)/gi,
    '$3 $1:00 to $2:00',
  ],
  [/\bbetween\s+((?:the\s+)?(?:last|past|this|yesterday|today|now|[a-z]+day)\b.*?)\s+and\s+(.+)$/gi, '$1 versus $2'],
  [/\b(\d{1,2})\.([0-5]\d)\b(?!\.?\d)(?=\s*(?:utc|h\b|$|[,?!])|\s+(?:and|to|until|today|yesterday)\b)/gi, '$1:$2'],
  [/\b(\d{1,2}(?::\d{2})?)\s*o['’]?\s?clock\b/gi, '$1:00'],
  [/\b(?:the\s+)?(?:previous|preceding|most recent)\s+(?=(?:\d+|few|couple)?\s*(?:min|hour|h\b|day|sec))/gi, 'last '],
  [
    /\b(?:within|over|during|in)\s+(?:the\s+)?(\d+|an?|one|two|three|five|ten|fifteen|twenty|thirty)\s+(min(?:ute)?s?|h(?:ou)?rs?|days?)(?=\s*(?:[?.!,]|$))/gi,
    'last $1 $2',
  ],
  [/\b(?:last|past)\s+half\s+(?:an\s+)?hour\b/gi, 'last 30 minutes'],
  [/\b(?:last|past)\s+quarter\s+(?:of\s+an\s+)?hour\b/gi, 'last 15 minutes'],
  [/\b(last|past)\s+(?:a\s+)?couple\s+(?:of\s+)?/gi, '$1 2 '],
  [/\b(last|past)\s+(?:a\s+)?few\s+/gi, '$1 3 '],
  [/\b(last|past)\s+(?:an?|one)\s+/gi, '$1 '],
  [/\b(\d+)\s*(?:mins?|m)\b(?!s)/gi, '$1 minutes'],
];

export function normalizeTimePhrases(text: AlignedText): AlignedText {
  return REWRITES.reduce(
    (reworded, [pattern, template]) => replaceAligned(reworded, pattern, (match) => fillTemplate(template, match)),
    text,
  );
}

/** Inserts the groups of the match for `$1` and so on. */
function fillTemplate(template: string, match: RegExpExecArray): string {
  return template.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
}

/** Hours of the parts of a day, from and to; hours from 24 are on the next day. */
export const DAY_PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  tonight: [18, 24],
  night: [18, 30],
};

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
] as const;
const HOUR = `(${NUMBERS.slice(1).join('|')}|1[0-2]|[1-9])`;
const MINUTES = '(half|(?:a\\s+)?quarter|five|ten|twenty|twenty[\\s-]five|\\d{1,2})(?:\\s+min(?:ute)?s?)?';
/** What follows a time of day and says which half of the day is meant. */
const PART_OF_DAY = String.raw`(?:\s+(?:(?<day>this|yesterday|tomorrow|last|in\s+the|at)\s+(?<part>morning|afternoon|evening|night)|(?<tonight>tonight))\b)?`;
const CLOCK = new RegExp(
  String.raw`(?<!\b(?:from|between)\s+)\b${MINUTES}\s+(past|to|after|till)\s+${HOUR}(?!:?\d)(?!\s*(?:min|h\b|hour|sec|ms|day|%))(?:\s*(am|pm)\b)?${PART_OF_DAY}`,
  'gi',
);
const ON_THE_HOUR = new RegExp(String.raw`\b${HOUR}\s+o['’]?\s?clock\b(?:\s*(am|pm)\b)?${PART_OF_DAY}`, 'gi');
/** "Six pm". */
const HOUR_OF_HALF = new RegExp(
  String.raw`(?<!\b(?:past|to|after|till)\s+)\b(${NUMBERS.slice(1).join('|')})\s*(am|pm)\b`,
  'gi',
);
const HALF_DAY_MINUTES = 12 * 60;
const MINUTE_MS = 60_000;

/**
 * Converts `half past one` and `ten to three` into `13:30` and `02:50`: without am or pm, the most recent of the two
 * possible times.
 */
export function normalizeClockPhrases(text: AlignedText, nowMs: number): AlignedText {
  const withHours = replaceAligned(text, HOUR_OF_HALF, ([, hour, half]) => `${parseHour(hour)} ${half}`);
  const withMinutes = replaceAligned(
    withHours,
    CLOCK,
    ({ 0: phrase, 1: minutes, 2: side, 3: hour, 4: half, groups }) => {
      const past = parseMinutes(minutes);
      // "10 to 3" and "30 minutes after 2" are not clock times; neither are words after "from".
      if (past === undefined || (/^\d/.test(minutes) && !/^past$/i.test(side))) return phrase;
      return toDayTime(60 * parseHour(hour) + (/^(?:past|after)$/i.test(side) ? past : -past), half, groups, nowMs);
    },
  );
  return replaceAligned(withMinutes, ON_THE_HOUR, ({ 1: hour, 2: half, groups }) =>
    toDayTime(60 * parseHour(hour), half, groups, nowMs),
  );
}

const NIGHT_MORNING_MINUTES = 6 * 60;

/** The time and its day: the part of the day says which half is meant, and is not read again. */
function toDayTime(
  minutes: number,
  written: string | undefined,
  { day = '', part, tonight }: Readonly<Record<string, string | undefined>> = {},
  nowMs: number,
): string {
  const named = (tonight === undefined ? part : 'evening')?.toLowerCase();
  const isNight = named === 'night';
  const isAfterMidnight =
    minutes % HALF_DAY_MINUTES < NIGHT_MORNING_MINUTES && (written === undefined || /am/i.test(written));
  const half = written ?? halfOf(named) ?? (isNight && day !== 'at' ? (isAfterMidnight ? 'am' : 'pm') : undefined);
  const clock = toClockTime(minutes, half, nowMs);
  switch (day.toLowerCase()) {
    case 'yesterday':
    case 'tomorrow':
      return `${clock} ${day}`;
    case 'last':
      // After midnight, last night is today.
      return isNight && isAfterMidnight ? `${clock} today` : `${clock} yesterday`;
    case 'this':
      return `${clock} today`;
    default:
      return tonight === undefined ? clock : `${clock} today`;
  }
}

/** "Half past two at night" may be either half. */
function halfOf(part: string | undefined): string | undefined {
  if (part === undefined || part === 'night') return undefined;
  return part === 'morning' ? 'am' : 'pm';
}

function toClockTime(minutes: number, half: string | undefined, nowMs: number): string {
  const early = ((minutes % HALF_DAY_MINUTES) + HALF_DAY_MINUTES) % HALF_DAY_MINUTES;
  const late = early + HALF_DAY_MINUTES;
  const soFar = Math.floor(nowMs / MINUTE_MS) % (2 * HALF_DAY_MINUTES);
  const isLate = half === undefined ? late <= soFar || early > soFar : /pm/i.test(half);
  const minutesOfDay = isLate ? late : early;
  return `${String(Math.floor(minutesOfDay / 60)).padStart(2, '0')}:${String(minutesOfDay % 60).padStart(2, '0')}`;
}

function parseMinutes(phrase: string): number | undefined {
  if (/half/i.test(phrase)) return 30;
  if (/quarter/i.test(phrase)) return 15;
  const words: Readonly<Record<string, number>> = { five: 5, ten: 10, twenty: 20, 'twenty five': 25 };
  const minutes = words[phrase.toLowerCase().replace('-', ' ')] ?? Number(phrase);
  return minutes < 60 ? minutes : undefined;
}

function parseHour(phrase: string): number {
  const at = NUMBERS.indexOf(phrase.toLowerCase() as (typeof NUMBERS)[number]);
  return at < 0 ? Number(phrase) : at;
}
