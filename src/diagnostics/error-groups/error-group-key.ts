import { createHash } from 'node:crypto';
import { LogTemplateExtractor } from '../../telemetry/log-template.js';
import type { ExceptionOccurrence } from './exception-occurrence.js';
import { findTopFrames } from './stack-frames.js';

/** What the exceptions of a group have in common. */
export interface ErrorGroupKey {
  /** The same for the same key, in every process and at any time. */
  readonly groupId: string;
  readonly type: string;
  /** The message with `*` for what varies. */
  readonly messagePattern: string;
  /** Innermost first; see `findTopFrames`. */
  readonly topFrames: readonly string[];
}

/** Hex digits of an id: collisions among millions of groups are out of reach. */
const ID_DIGITS = 32;
const ID_FORM = new RegExp(`^[0-9a-f]{${ID_DIGITS}}$`);
/** Longer types are cut. */
export const MAX_ERROR_TYPE = 256;
/** Longest part of a message that can decide on its pattern. */
const MAX_MESSAGE = 4_096;
/** Characters of remembered exceptions. */
const MAX_REMEMBERED = 4 * 1024 * 1024;

/** Whether a group can have this id. */
export function isErrorGroupId(id: string): boolean {
  return ID_FORM.test(id);
}

/** Finds the groups of exceptions. Remembers those of the last exceptions, because most are repeated. */
export class ErrorGroupKeys {
  private readonly templates = new LogTemplateExtractor();
  private readonly known = new Map<string, ErrorGroupKey>();
  private characters = 0;

  find({ type, message, stackTrace }: Pick<ExceptionOccurrence, 'type' | 'message' | 'stackTrace'>): ErrorGroupKey {
    const text = `${type.length}/${message.length}/${type}${message}${stackTrace}`;
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const key = this.derive(type, message, stackTrace);
    if (this.characters + text.length > MAX_REMEMBERED) {
      this.known.clear();
      this.characters = 0;
    }
    this.known.set(text, key);
    this.characters += text.length;
    return key;
  }

  /** The texts are parsed again, because parts of a string keep the whole alive: a stack trace of megabytes each. */
  private derive(fullType: string, message: string, stackTrace: string): ErrorGroupKey {
    const parts = [fullType.slice(0, MAX_ERROR_TYPE), this.normalize(message), findTopFrames(stackTrace)];
    const text = JSON.stringify(parts);
    const [type, messagePattern, topFrames] = JSON.parse(text) as [string, string, string[]];
    const groupId = createHash('sha256').update(text).digest('hex').slice(0, ID_DIGITS);
    return { groupId, type, messagePattern, topFrames };
  }

  /** Numbers, ids, addresses and quoted values become `*`: the masks of Drain, see LogTemplateExtractor. */
  private normalize(message: string): string {
    const bytes = Buffer.from(message.slice(0, MAX_MESSAGE));
    this.templates.extract(bytes, 0, bytes.length);
    return Buffer.from(this.templates.bytes.subarray(0, this.templates.length)).toString();
  }
}
