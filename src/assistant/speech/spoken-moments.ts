const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** Dates and times of day as they are said: `2026-11-20T14:05:30Z` is "November 20, 14 oh 5 and 30 seconds UTC". */
export function spokenMoments(text: string): string {
  return text
    .replace(/\b\d{4}-(0[1-9]|1[0-2])-(\d\d)(?:[T ](?=\d\d:\d\d)|(?![\w-]))/g, (matched, month: string, day: string) => `${MONTHS[Number(month) - 1]} ${Number(day)}${/[T ]$/.test(matched) ? ', ' : ''}`)
    .replace(/\b([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z\b|\s?[+-]00:?00\b)?(?![\d:])/g, (_, hour: string, minute: string, second: string | undefined, zone: string | undefined) =>
      `${timeOfDay(Number(hour), Number(minute), Number(second ?? 0))}${zone === undefined ? '' : ' UTC'}`);
}

function timeOfDay(hour: number, minute: number, second: number): string {
  const clock = minute === 0 ? `${hour} o'clock` : minute < 10 ? `${hour} oh ${minute}` : `${hour} ${minute}`;
  return second === 0 ? clock : `${clock} and ${second} ${second === 1 ? 'second' : 'seconds'}`;
}
