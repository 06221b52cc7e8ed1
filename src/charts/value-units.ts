/** How values of a unit are formatted: scales, tick steps and name. */
export interface Unit {
  readonly kind: 'time' | 'bytes' | 'percent' | 'count';
  /** Factor to seconds, bytes, percent or plain counts. */
  readonly base: number;
  /** Suffix after the scale: `/s` of `By/s`. */
  readonly per: string;
  /** What is counted, such as `req/s`: shown once at the axis, not at its ticks. */
  readonly name: string;
}

/** Values on an axis are divided by the scale's size and get its suffix. */
export interface UnitScale {
  readonly size: number;
  readonly suffix: string;
}

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  min: 60,
  h: 3_600,
  d: 86_400,
};
const BYTES: Readonly<Record<string, number>> = {
  By: 1,
  KiBy: 1024,
  MiBy: 1024 ** 2,
  GiBy: 1024 ** 3,
  TiBy: 1024 ** 4,
  kBy: 1e3,
  KBy: 1e3,
  MBy: 1e6,
  GBy: 1e9,
  TBy: 1e12,
};
/** UCUM codes that are not in common use elsewhere. */
const NAMES: Readonly<Record<string, string>> = { 1: '', Cel: '°C', bit: 'bit' };

/**
 * Parses a UCUM unit as used by OpenTelemetry. An annotation that stands alone becomes the name, others are ignored:
 * `{request}/s`, `By{total}`.
 */
export function parseUnit(text: string): Unit {
  const plain = text
    .replace(/(^|[/.])\{([^{}]*)\}/g, '$1$2')
    .replace(/\{[^{}]*\}/g, '')
    .trim();
  const [, amount = '', per = ''] = /^([^/]*)(\/.*)?$/.exec(plain) ?? [];
  if (amount === '%') return { kind: 'percent', base: 1, per, name: '' };
  if (Object.hasOwn(BYTES, amount)) return { kind: 'bytes', base: BYTES[amount], per, name: '' };
  if (Object.hasOwn(SECONDS, amount) && per === '') return { kind: 'time', base: SECONDS[amount], per, name: '' };
  return { kind: 'count', base: 1, per: '', name: (Object.hasOwn(NAMES, amount) ? NAMES[amount] : amount) + per };
}

/** Ascending; a scale is used for values from `from` times its size. */
const SCALES: Readonly<Record<Unit['kind'], readonly (UnitScale & { readonly from: number })[]>> = {
  // 90 s is more familiar than 1.5 min.
  time: [
    { size: 1e-9, suffix: ' ns', from: 0 },
    { size: 1e-6, suffix: ' µs', from: 1 },
    { size: 1e-3, suffix: ' ms', from: 1 },
    { size: 1, suffix: ' s', from: 1 },
    { size: 60, suffix: ' min', from: 2 },
    { size: 3_600, suffix: ' h', from: 2 },
    { size: 86_400, suffix: ' d', from: 3 },
  ],
  bytes: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'].map((name, power) => ({
    size: 1024 ** power,
    suffix: ` ${name}`,
    from: power === 0 ? 0 : 1,
  })),
  percent: [{ size: 1, suffix: '%', from: 0 }],
  // Up to four digits are easy to read; values beyond the prefixes use powers of ten.
  count: [
    { size: 1, suffix: '', from: 0 },
    { size: 1e3, suffix: 'k', from: 10 },
    ...['M', 'G', 'T', 'P', 'E'].map((suffix, index) => ({ size: 1_000 ** (index + 2), suffix, from: 1 })),
    { size: 1, suffix: '', from: 1e21 },
  ],
};

/** The scale for an axis up to this value; `value` is in the original unit. */
export function selectScale(unit: Unit, value: number): UnitScale {
  const magnitude = Math.abs(value) * unit.base;
  const { size, suffix } =
    magnitude === 0
      ? zeroScale(unit)
      : SCALES[unit.kind].findLast((scale) => magnitude >= scale.from * scale.size * (1 - 1e-9))!;
  return { size: size / unit.base, suffix: suffix + unit.per };
}

/** Zero is formatted as 0 ms, not 0 ns. */
function zeroScale({ kind, base }: Unit): UnitScale {
  return SCALES[kind].find((scale) => scale.size === base) ?? SCALES[kind][0];
}

/** Longer names would hide the values; they are shown at the axis only. */
const MAX_NAME_LENGTH = 12;

/** Three significant digits with the unit: `412 ms`, `1.5 GiB`, `12.3k req/s`. */
export function formatValue(value: number, unit: Unit): string {
  const scale = selectScale(unit, value);
  const name = unit.name === '' || unit.name.length > MAX_NAME_LENGTH ? '' : ` ${unit.name}`;
  return `${formatThreeDigits(value / scale.size)}${scale.suffix}${name}`;
}

function formatThreeDigits(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e6)) return value.toExponential(2).replace(/\.?0+e/, 'e');
  const decimals = magnitude === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(magnitude)));
  const fixed = value.toFixed(Math.min(decimals, 6));
  return groupThousands(fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed);
}

/** `1,234.5` and `−5`. */
export function groupThousands(number: string): string {
  const [whole, ...fraction] = number.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.').replace('-', '−');
}
