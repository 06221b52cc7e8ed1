import type { ExpectedQuery } from './blind-question.js';

export interface BlindAnswer {
  readonly response: string;
  readonly conversationId: string;
}

const MINUTE_MS = 60_000;
const MAX_ATTEMPTS = 5;

/** A running service, asked through its API with one credential after the other, since each has energy for 100 answers. */
export class BlindService {
  private session = '';

  constructor(
    private readonly url: string,
    private readonly grid: string,
    private readonly credentials: Readonly<Record<string, string>>[],
  ) {}

  /** Asks one question. Throws when no credential has energy left. */
  async ask(prompt: string, conversationId: string | undefined): Promise<BlindAnswer> {
    if (this.session === '')
      this.session = (
        (await this.send('POST', `/assistant/sessions/${this.grid}`)) as { instanceSecondaryId: string }
      ).instanceSecondaryId;
    return (await this.send('POST', `/assistant/chat/${this.session}`, { prompt, conversationId })) as BlindAnswer;
  }

  /** Goes on with the next credential. */
  changeCredential(): void {
    this.credentials.push(this.credentials.shift()!);
    this.session = '';
  }

  /** The rows that the API answers to a query, over the range of the answer where it printed one close to that asked. */
  async rows(query: ExpectedQuery, response: string, nowMs: number): Promise<unknown> {
    const expected = rangeOf(query, nowMs);
    const printed = readPrintedRange(response);
    const [from, to] = printed !== undefined && isClose(printed, expected) ? printed : expected;
    const { signal = 'spans', where, groupBy, select = [{ fn: 'count' }] } = query;
    const body = { signal, where, groupBy, select, rangeStart: toIso(from), rangeEnd: toIso(to) };
    const { rows } = (await this.send('POST', `/apm/query/${this.grid}`, body)) as { rows: unknown };
    return rows;
  }

  /** Repeats what a loaded machine could not answer in time. */
  private async send(method: string, path: string, body?: object): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${this.url}${path}?api-version=2.0`, {
        method,
        headers: { ...this.credentials[0], ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
      if (response.ok) return response.json();
      if (response.status !== 503 || attempt === MAX_ATTEMPTS)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    }
  }
}

type Range = readonly [from: number, to: number];

function rangeOf({ range }: ExpectedQuery, nowMs: number): Range {
  if (typeof range === 'number') return [nowMs - range * MINUTE_MS, nowMs];
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const [from, to] = range.map((time) => Date.parse(`${day}T${time}:00Z`));
  return [from, to ?? nowMs];
}

function readPrintedRange(response: string): Range | undefined {
  const [, from, to] = /"rangeStart":"([^"]+)","rangeEnd":"([^"]+)"/.exec(response) ?? [];
  return to === undefined ? undefined : [Date.parse(from), Date.parse(to)];
}

const isClose = (printed: Range, expected: Range): boolean =>
  printed.every((ms, at) => Math.abs(ms - expected[at]) <= 2 * MINUTE_MS);

const toIso = (ms: number): string => new Date(ms).toISOString();
