/** RFC 6901: the pointer of a member or an element of what `pointer` points to. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Undefined: there is no list at this pointer. */
export function listAt(data: object, pointer: string): readonly unknown[] | undefined {
  let value: unknown = data;
  for (const name of pointer.split('/').slice(1).map(unescaped)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return Array.isArray(value) ? value : undefined;
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
