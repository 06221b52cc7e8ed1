import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/**
 * A value that must not be printed. Templates, JSON, loggers and `console.log` output `[secret]`; only `reveal` returns
 * the text, so that every use of a secret can be found by searching for that method. The text is a private field, so
 * spreading, cloning and inspecting cannot read it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
