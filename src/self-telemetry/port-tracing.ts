import type { Tracer } from './tracer.js';

type Method = (...args: unknown[]) => unknown;

/**
 * Decorates an object of async methods: each call becomes a span named `<component> <method>`. Arguments and results
 * are not recorded.
 */
export function tracePort<Port extends object>(port: Port, component: string, tracer: Tracer): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // Awaiting the port itself reads `then`.
      if (typeof member !== 'function' || typeof name !== 'string' || name === 'then') return member;
      return (...args: unknown[]) =>
        traceCall(tracer, `${component} ${name}`, () => (member as Method).apply(target, args));
    },
  });
}

function traceCall(tracer: Tracer, name: string, work: () => unknown): unknown {
  const span = tracer.start(name, 'internal');
  try {
    const result = span.runWithin(work);
    if (!(result instanceof Promise)) {
      span.end({}, false);
      return result;
    }
    return result.then(
      (answer: unknown) => {
        span.end({}, false);
        return answer;
      },
      (error: unknown) => {
        span.end(toErrorAttributes(error), true);
        throw error;
      },
    );
  } catch (error) {
    span.end(toErrorAttributes(error), true);
    throw error;
  }
}

function toErrorAttributes(error: unknown): { 'error.type'?: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? { 'error.type': error.code }
    : {};
}
