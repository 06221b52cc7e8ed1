import { isWithin, type IncidentStory } from './incident-story.js';
import { requestAttributes, type BusinessAttributes } from './business-attributes.js';
import { SPAN_KIND, type PlainException, type PlainSpan } from './plain-telemetry-types.js';

type Random = () => number;

/** An answered call: its times and the called service. */
export interface CompletedCall {
  readonly spanId: string;
  /** ms from the start of the trace. */
  readonly endsMs: number;
  readonly failed: boolean;
}

interface SpanOptions {
  readonly parent: string;
  readonly startsMs: number;
  readonly endsMs: number;
  readonly failure?: PlainException | true;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Builds one trace. Times are ms from its start; inner spans come first. */
export class TraceBuilder {
  readonly spans: PlainSpan[] = [];
  readonly traceId: string;
  private ids = 0;

  constructor(
    private readonly story: IncidentStory,
    private readonly number: number,
    readonly startMs: number,
    readonly random: Random,
  ) {
    this.traceId = `7e57${number.toString(16).padStart(28, '0')}`;
  }

  get business(): BusinessAttributes {
    return requestAttributes(this.number);
  }

  /** Id of a span, needed by its children before the span ends. */
  newId(): string {
    return `5${this.number.toString(16).padStart(12, '0')}${(this.ids++).toString(16).padStart(3, '0')}`;
  }

  /** A random duration around this mean, in ms. */
  varyMs(ms: number): number {
    return ms * (0.8 + 0.4 * this.random());
  }

  add(
    spanId: string,
    service: string,
    operation: string,
    kind: number,
    { parent, startsMs, endsMs, failure, attributes = {} }: SpanOptions,
  ): CompletedCall {
    const { traceId } = this;
    const us = (ms: number): number => Math.round((this.startMs + ms) * 1000);
    const exception = typeof failure === 'object' ? { exception: failure } : {};
    const failed = failure !== undefined;
    this.spans.push({
      traceId,
      spanId,
      parentSpanId: parent,
      service,
      operation,
      kind,
      startUs: us(startsMs),
      endUs: us(endsMs),
      failed,
      attributes,
      ...exception,
      ...this.findProcess(service),
    });
    return { spanId, endsMs, failed };
  }

  /** A call of an uninstrumented dependency. */
  call(service: string, operation: string, peer: Readonly<Record<string, string>>, work: SpanOptions): CompletedCall {
    return this.add(this.newId(), service, operation, SPAN_KIND.client, { ...work, attributes: peer });
  }

  private findProcess(service: string): { version: string; instance: string } {
    const { startMs, story } = this;
    if (service === 'payment')
      return { version: startMs < story.paymentDeployedMs ? '2.3.1' : '2.4.0', instance: 'payment-0' };
    if (service === 'shipping')
      return { version: startMs < story.shippingDeployedMs ? '1.8.0' : '1.9.0', instance: 'shipping-0' };
    if (service === 'cart')
      return {
        version: '3.1.4',
        instance: `cart-${Math.floor(this.random() * (startMs < story.cartScaledMs ? 2 : 4))}`,
      };
    return { version: '1.0.0', instance: `${service}-0` };
  }

  isDuring(window: { readonly fromMs: number; readonly toMs: number }): boolean {
    return isWithin(window, this.startMs);
  }
}

/** Network time between client and server span. */
const NETWORK_DELAY_MS = 1;

/** A call of another service; `answer` does its work from the time of the request. */
export function callService(
  trace: TraceBuilder,
  caller: string,
  parent: string,
  startsMs: number,
  operation: string,
  answer: (parent: string, startsMs: number) => CompletedCall,
): CompletedCall {
  const spanId = trace.newId();
  const { endsMs, failed } = answer(spanId, startsMs + NETWORK_DELAY_MS);
  return trace.add(spanId, caller, operation, SPAN_KIND.client, {
    parent,
    startsMs,
    endsMs: endsMs + NETWORK_DELAY_MS,
    ...(failed && { failure: true }),
  });
}
