import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/**
 * A value that must not be printed. Templates, JSON, loggers and `console.log` see `[secret]`;
 * only `reveal` gives the text, so that every use of a secret is found by searching for that word.
 * The text is a private field: spreading, cloning and inspecting cannot reach it.
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
