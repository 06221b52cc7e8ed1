import type { ServerResponse } from 'node:http';

/** An answer that stays open: once every step has passed it takes the response over, and ends it when it ends. */
export class OpenAnswer {
  /**
   * @param open resolves once the first of it is written, or nobody is there any more. What it rejects with before that
   *   is answered as a problem, and so is an answer that took too long: then it MUST leave the response alone
   */
  constructor(readonly open: (response: ServerResponse) => Promise<void>) {}
}
