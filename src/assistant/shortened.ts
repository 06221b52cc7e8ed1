/** A copy in which no text is longer than so many UTF-16 units, and each that was says how long. Members keep their order. */
export function shortened<Value>(value: Value, length: number): Value {
  return copied(value, length) as Value;
}

function copied(value: unknown, length: number): unknown {
  if (typeof value === 'string') return value.length <= length ? value : `${wholeCharacters(value, length)}… (${value.length} characters)`;
  if (Array.isArray(value)) return value.map((element) => copied(element, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, length)]));
}

/** The beginning of a text; a character of two units that would be cut in two is left out. */
export function wholeCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
