import { isUtf8 } from '../utf8.js';
import { MAX_RESOURCE_OR_SCOPE_BYTES } from '../otlp/validation/record-rejections.js';
import type { WireReader } from '../otlp/wire/wire-reader.js';
import type { Label } from './remote-write.js';
import type { SymbolTable } from './symbol-table.js';

/** More labels than any sender sets: they are read into memory, and each may stand for a long text. */
const MAX_LABELS = 1_000;
/** Names and values of a series or exemplar. Labels identify series, so that their text is copied into keys. */
const MAX_LABEL_BYTES = MAX_RESOURCE_OR_SCOPE_BYTES;
/** Message Label of version 1. */
const LABEL = { name: 0x0a, value: 0x12 } as const;
/** References of version 2, packed or not. */
const REFERENCES = { packed: 0x0a, single: 0x08 } as const;
/** Messages Label of a series or an exemplar. */
const LABELS = 0x0a;

export interface LabelSet {
  readonly labels: readonly Label[];
  /** Why they cannot be taken; undefined if they can. */
  readonly fault: string | undefined;
}

/** Reads the labels of a series or an exemplar, field by field. */
export interface LabelReader {
  begin(): void;
  /** False if the field holds no labels: it is not read then. */
  readField(reader: WireReader, tag: number, limit: number): boolean;
  finish(): LabelSet;
}

/** Labels of version 1: messages of a name and a value. */
export class InlineLabelReader implements LabelReader {
  private labels: Label[] = [];
  private bytes = 0;
  private fault: string | undefined;

  begin(): void {
    this.labels = [];
    this.bytes = 0;
    this.fault = undefined;
  }

  readField(reader: WireReader, tag: number, limit: number): boolean {
    if (tag !== LABELS) return false;
    const end = reader.readPayloadEnd(limit);
    let [name, value] = ['', ''];
    while (reader.pos < end) {
      const inner = reader.readTag(end);
      if (inner === LABEL.name) name = this.takeText(reader, end);
      else if (inner === LABEL.value) value = this.takeText(reader, end);
      else reader.skip(inner, end);
    }
    if (this.labels.length < MAX_LABELS) this.labels.push([name, value]);
    else this.fault ??= TOO_MANY_LABELS;
    return true;
  }

  finish(): LabelSet {
    return checkLabels(this.labels, this.fault);
  }

  private takeText(reader: WireReader, limit: number): string {
    const end = reader.readPayloadEnd(limit);
    const { pos } = reader;
    reader.pos = end;
    this.bytes += end - pos;
    if (this.bytes > MAX_LABEL_BYTES) this.fault ??= TOO_LARGE;
    if (this.fault !== undefined) return '';
    if (isUtf8(reader.bytes, reader.view, pos, end)) return reader.decodeText(pos, end);
    this.fault ??= INVALID_UTF8;
    return '';
  }
}

/** Labels of version 2: pairs of references to symbols. */
export class SymbolLabelReader implements LabelReader {
  private labels: Label[] = [];
  private name: string | undefined;
  private bytes = 0;
  private fault: string | undefined;

  constructor(private readonly symbols: Pick<SymbolTable, 'find' | 'findSize' | 'size'>) {}

  begin(): void {
    this.labels = [];
    this.bytes = 0;
    this.name = this.fault = undefined;
  }

  readField(reader: WireReader, tag: number, limit: number): boolean {
    if (tag === REFERENCES.single) this.add(reader.readVarint(limit));
    else if (tag === REFERENCES.packed) {
      const end = reader.readPayloadEnd(limit);
      while (reader.pos < end) this.add(reader.readVarint(end));
    } else return false;
    return true;
  }

  finish(): LabelSet {
    if (this.name !== undefined) this.fault ??= 'with a label name without a value: labels_refs are not pairs';
    return checkLabels(this.labels, this.fault);
  }

  /** Looks no symbol up once the labels cannot be taken: a small body may hold millions of references. */
  private add(reference: number): void {
    if (this.fault !== undefined) return;
    this.bytes += this.symbols.findSize(reference);
    if (this.labels.length === MAX_LABELS) this.fault = TOO_MANY_LABELS;
    else if (this.bytes > MAX_LABEL_BYTES) this.fault = TOO_LARGE;
    else this.addText(this.symbols.find(reference), reference);
  }

  private addText(text: string | undefined, reference: number): void {
    if (text === undefined)
      this.fault =
        reference < this.symbols.size
          ? INVALID_UTF8
          : `with a reference to one of ${this.symbols.size} symbols that does not exist`;
    else if (this.name === undefined) this.name = text;
    else {
      this.labels.push([this.name, text]);
      this.name = undefined;
    }
  }
}

const TOO_MANY_LABELS = `with more than ${MAX_LABELS} labels`;
const TOO_LARGE = `with labels larger than ${MAX_LABEL_BYTES} bytes`;
const INVALID_UTF8 = 'with a label that is not UTF-8';

/** An empty value means that there is no such label (Prometheus data model). */
function checkLabels(all: readonly Label[], fault: string | undefined): LabelSet {
  if (fault !== undefined) return { labels: [], fault };
  const labels = all.some(([, value]) => value === '') ? all.filter(([, value]) => value !== '') : all;
  return { labels, fault: findNameFault(labels) };
}

function findNameFault(labels: readonly Label[]): string | undefined {
  if (labels.some(([name]) => name === '')) return 'with a label without a name';
  const isSorted = labels.every(([name], i) => i === 0 || labels[i - 1][0] < name);
  if (isSorted || new Set(labels.map(([name]) => name)).size === labels.length) return undefined;
  return 'with two labels of the same name';
}
