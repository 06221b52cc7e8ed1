/** A number, and the letters that follow it. */
export const NUMBER_WITH_UNIT = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-zµμ%]*)$/i;

/** Sizes in bytes. */
export const SIZE_BYTES: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** Whether a value without quotes is read as a number of bytes. */
export function isSize(text: string): boolean {
  return Object.hasOwn(SIZE_BYTES, NUMBER_WITH_UNIT.exec(text)?.[2] ?? '');
}
