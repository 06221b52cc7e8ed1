const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'] as const;
const HOUR = `(${NUMBERS.slice(1).join('|')}|1[0-2]|[1-9])`;
const MINUTES = '(half|(?:a\\s+)?quarter|five|ten|twenty|twenty[\\s-]five|\\d{1,2})(?:\\s+min(?:ute)?s?)?';
const CLOCK = new RegExp(String.raw`(?<!\b(?:from|between)\s+)\b${MINUTES}\s+(past|to|after|till)\s+${HOUR}(?!:?\d)(?!\s*(?:min|h\b|hour|sec|ms|day|%))(?:\s*(am|pm)\b)?`, 'gi');
const ON_THE_HOUR = new RegExp(String.raw`\b${HOUR}\s+o['’]?\s?clock\b(?:\s*(am|pm)\b)?`, 'gi');
const HALF_DAY_MINUTES = 12 * 60;
const MINUTE_MS = 60_000;

/** `half past one` and `ten to three` as `13:30` and `02:50`: without am or pm, of the two that a day has the one that was last. */
export function clocksInDigits(text: string, nowMs: number): string {
  return text
    .replace(CLOCK, (said, minutes: string, side: string, hour: string, half?: string) => {
      const past = minutesOf(minutes);
      // "10 to 3", and "30 minutes after 2", are no clocks; nor is what follows "from" in words.
      if (past === undefined || (/^\d/.test(minutes) && !/^past$/i.test(side))) return said;
      return clockAt(60 * hourOf(hour) + (/^(?:past|after)$/i.test(side) ? past : -past), half, nowMs);
    })
    .replace(ON_THE_HOUR, (_, hour: string, half?: string) => clockAt(60 * hourOf(hour), half, nowMs));
}

function clockAt(minutes: number, half: string | undefined, nowMs: number): string {
  const early = ((minutes % HALF_DAY_MINUTES) + HALF_DAY_MINUTES) % HALF_DAY_MINUTES;
  const late = early + HALF_DAY_MINUTES;
  const soFar = Math.floor(nowMs / MINUTE_MS) % (2 * HALF_DAY_MINUTES);
  const isLate = half === undefined ? late <= soFar || early > soFar : /pm/i.test(half);
  const told = isLate ? late : early;
  return `${String(Math.floor(told / 60)).padStart(2, '0')}:${String(told % 60).padStart(2, '0')}`;
}

function minutesOf(said: string): number | undefined {
  if (/half/i.test(said)) return 30;
  if (/quarter/i.test(said)) return 15;
  const words: Readonly<Record<string, number>> = { five: 5, ten: 10, twenty: 20, 'twenty five': 25 };
  const minutes = words[said.toLowerCase().replace('-', ' ')] ?? Number(said);
  return minutes < 60 ? minutes : undefined;
}

function hourOf(said: string): number {
  const at = NUMBERS.indexOf(said.toLowerCase() as (typeof NUMBERS)[number]);
  return at < 0 ? Number(said) : at;
}
