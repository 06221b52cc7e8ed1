import type { Section } from './section.js';

/** A column in the form that searches read: from which blobs it comes, and how. */
export interface BlockColumn<Document, Value> {
  /** Unique among the columns of one kind of block. */
  readonly name: string;
  /** Blobs that `decode` takes, in its order. */
  blobs(document: Document): readonly string[];
  decode(sections: readonly Section[], document: Document): Value;
  /** Size of the value in memory. */
  bytes(value: Value): number;
}

/** A column that is made of one blob. */
export function columnOf<Document, Value>(
  name: string,
  blob: string,
  decode: (section: Section, document: Document) => Value,
  bytes: (value: Value) => number,
): BlockColumn<Document, Value> {
  const blobs = [blob];
  return { name, blobs: () => blobs, decode: ([section], document) => decode(section, document), bytes };
}
