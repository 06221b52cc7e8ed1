/** One and several of each unit, by how it is written. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  'ns': ['nanosecond', 'nanoseconds'],
  'µs': ['microsecond', 'microseconds'],
  'us': ['microsecond', 'microseconds'],
  'ms': ['millisecond', 'milliseconds'],
  's': ['second', 'seconds'],
  'sec': ['second', 'seconds'],
  'min': ['minute', 'minutes'],
  'm': ['minute', 'minutes'],
  'h': ['hour', 'hours'],
  'd': ['day', 'days'],
  'B': ['byte', 'bytes'],
  'kB': ['kilobyte', 'kilobytes'],
  'KB': ['kilobyte', 'kilobytes'],
  'KiB': ['kibibyte', 'kibibytes'],
  'MB': ['megabyte', 'megabytes'],
  'MiB': ['mebibyte', 'mebibytes'],
  'GB': ['gigabyte', 'gigabytes'],
  'GiB': ['gibibyte', 'gibibytes'],
  'k': ['thousand', 'thousand'],
  'K': ['thousand', 'thousand'],
  'M': ['million', 'million'],
  'req': ['request', 'requests'],
  'x': ['times', 'times'],
  '×': ['times', 'times'],
  '%': ['percent', 'percent'],
};

const NUMBER = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`;
const SEPARATE = Object.keys(UNITS).sort((a, b) => b.length - a.length).join('|');
const QUANTITY = new RegExp(String.raw`(?<![\p{L}\p{N}_.])([+\-−])?(${NUMBER})(\s?)(${SEPARATE})?(/s|/min|/h|\sper\s(?:second|minute|hour))?(?![\p{L}\p{N}_%]|[.,]\d)`, 'gu');

const RATES: Readonly<Record<string, string>> = { '/s': ' per second', '/min': ' per minute', '/h': ' per hour' };

/** Figures with their units: `p95 is 2,300 ms (+145%)` is "p 95 is 2,300 milliseconds (plus 145 percent)". */
export function spokenQuantities(text: string): string {
  return text
    .replace(/\b[pP](50|75|90|95|99|999)\b/g, 'p $1')
    .replace(new RegExp(String.raw`(?<![\p{L}\p{N}.-])(${NUMBER})\s?[–-]\s?(?=${NUMBER}(?![\d-]))`, 'gu'), '$1 to ')
    .replace(QUANTITY, said)
    .replace(/\breqs?\/(s|min|h)\b/g, (_, per: string) => `requests${RATES[`/${per}`]}`)
    .replace(/\b(?:rps|RPS)\b/g, 'requests per second')
    .replace(/\s?%/g, ' percent');
}

function said(_: string, sign: string | undefined, amount: string, gap: string, unit: string | undefined, rate: string | undefined): string {
  const words = [signed(sign), amount].filter(Boolean).join(' ');
  const [one, several] = unit === undefined ? ['', ''] : UNITS[unit];
  const named = unit === undefined ? words + gap : `${words} ${amount === '1' ? one : several}`;
  return named + (rate === undefined ? '' : (RATES[rate] ?? rate));
}

function signed(sign: string | undefined): string {
  return sign === undefined ? '' : sign === '+' ? 'plus' : 'minus';
}
