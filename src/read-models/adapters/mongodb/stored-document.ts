import type { Document } from '../../store.js';

/** How a document lies in MongoDB: its fields under `document`, so that none of them can be mistaken for one of ours. */
export interface StoredDocument {
  readonly _id: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The JSON text itself, of a document with strings that UTF-8 cannot hold; BSON would replace their half characters. */
  readonly json?: string;
}

/** Half of a surrogate pair, as JSON.stringify writes it. Text that only looks like it costs some bytes, nothing else. */
const HALF_CHARACTER = /\\ud[89a-f]/;

/**
 * What MongoDB gives a meaning to in a name: a leading dollar (operators, references), dots (paths), and the zero byte that
 * ends a name in BSON. The percent sign itself, so that a name is never read as what it is not.
 */
const SPECIAL = /^\$|[%.\0]/g;
const ESCAPED = /%(24|25|2E|00)/g;

const escapeName = (name: string): string => name.replace(SPECIAL, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
const unescapeName = (name: string): string => name.replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** The document as its JSON says: members that are undefined are gone, `toJSON` was asked. Throws where it has none. */
export function storedDocument(id: string, document: Document): StoredDocument {
  const json = JSON.stringify(document);
  const fields = renamed(JSON.parse(json), escapeName) as Record<string, unknown>;
  return { _id: id, document: fields, ...(HALF_CHARACTER.test(json) && { json }) };
}

export function documentOf<D>({ document, json }: StoredDocument): D {
  return (json === undefined ? renamed(document, unescapeName) : JSON.parse(json)) as D;
}

/** The value with every field name at every depth through `rename`. Defined, not assigned: a field may be called `__proto__`. */
function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  if (typeof value !== 'object' || value === null) return value;
  const fields = {};
  for (const [name, each] of Object.entries(value)) {
    Object.defineProperty(fields, rename(name), { value: renamed(each, rename), enumerable: true, configurable: true, writable: true });
  }
  return fields;
}
