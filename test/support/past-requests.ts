import { KIND, spanId, spansOf, traceId, type Pairs, type SpanFields } from './otlp-requests.js';

const MINUTE_MS = 60_000;

export interface PastRequests {
  readonly count: number;
  /** Duration of each request. */
  readonly ms?: number;
  readonly more?: Partial<SpanFields>;
}

/** Generates server spans in past minutes, with unique ids. */
export class PastMinutes {
  private spans = 0;

  /** Start of the current minute at the start of the test (ms since 1970). */
  constructor(readonly wholeMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS) {}

  /** Start of an earlier minute (ms since 1970). */
  at(minutesAgo: number): number {
    return this.wholeMs - minutesAgo * MINUTE_MS;
  }

  iso(minutesAgo: number): string {
    return new Date(this.at(minutesAgo)).toISOString();
  }

  /** An export request with server spans that end in the given past minute, evenly distributed. */
  requests(resource: string | Pairs, minutesAgo: number, { count, ms = 20, more = {} }: PastRequests): object {
    const spans = Array.from({ length: count }, (_, i): SpanFields => {
      const endMs = this.at(minutesAgo) + Math.floor((i * MINUTE_MS) / count) + 30;
      const number = ++this.spans;
      return {
        traceId: traceId(number),
        spanId: spanId(number),
        name: 'GET /',
        kind: KIND.server,
        start: BigInt(endMs - ms) * 1_000_000n,
        end: BigInt(endMs) * 1_000_000n,
        ...more,
      };
    });
    return spansOf(resource, ...spans);
  }
}

/** Resource attributes of a service instance. */
export function resourceOf(service: string, version: string, instance = ''): Pairs {
  return [
    ['service.name', service],
    ['service.version', version],
    ...(instance === '' ? [] : [['service.instance.id', instance] as const]),
  ];
}
