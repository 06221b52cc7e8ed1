import { hasCode } from '../../../errors.js';
import { getTrace } from '../../tools/get-trace.js';
import { getTraceErrors } from '../../tools/get-trace-errors.js';
import { getTraceSpans } from '../../tools/get-trace-spans.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { clockOf } from '../when.js';
import { counted, listed, ms, quote, some } from '../wording.js';

export const trace: Intent = {
  name: 'trace',
  cues: { traceId: 8, spanId: 8, traces: 0.5 },
  forms: [],
  async answer(inquiry, { traceId, spanId }) {
    const followUps = ['Show me failed traces', 'Is anything broken?'];
    if (traceId === undefined && spanId === undefined) return { text: 'Which trace do you mean? Tell me its id.', followUps };
    try {
      if (traceId !== undefined) return await ofTrace(inquiry, traceId);
      return await ofSpan(inquiry, spanId ?? '');
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      return { text: `I know no ${traceId === undefined ? `span ${spanId}` : `trace ${traceId}`}.`, followUps };
    }
  },
};

async function ofTrace(inquiry: Inquiry, traceId: string): Promise<Draft> {
  const { spans } = await inquiry.ask(getTraceSpans, { traceId });
  const [first] = spans;
  if (first === undefined) return { text: `Trace ${traceId} is known from its logs alone.`, followUps: [`Show me the logs of trace ${traceId}`, 'Is anything broken?'] };
  const services = [...new Set(spans.map(({ serviceName }) => serviceName))];
  const failed = spans.filter(({ status }) => status === 'ERROR').length;
  const head = `Trace ${traceId}: ${counted(spans.length, 'span')} in ${some(services)}, began at ${clockOf(first.startTime, inquiry.nowMs)} with ${first.serviceName} ${first.operationName} (${ms(first.duration)}, ${first.status}); ${failed === 0 ? 'no span failed' : `${counted(failed, 'span')} failed`}.`;
  const longest = [...spans].sort((a, b) => b.duration - a.duration).map(({ serviceName, operationName, duration, status }) => `${serviceName} ${operationName}: ${ms(duration)}, ${status}`);
  const errors = failed === 0 || inquiry.left === 0 ? '' : await exceptionsOf(inquiry, traceId);
  return { text: `${head}\nIts longest spans:${listed(longest)}${errors}`, followUps: [`Show me the logs of trace ${traceId}`, `How is ${first.serviceName} doing?`], about: { services: services.slice(0, 1) } };
}

async function exceptionsOf(inquiry: Inquiry, traceId: string): Promise<string> {
  const { errors } = await inquiry.ask(getTraceErrors, { traceId });
  return errors.length === 0 ? '' : `\nExceptions:${listed(errors.map(({ serviceName, exceptionType, message }) => `${serviceName}: ${exceptionType}${message === '' ? '' : ` ${quote(message)}`}`), 3)}`;
}

async function ofSpan(inquiry: Inquiry, spanId: string): Promise<Draft> {
  const span = await inquiry.ask(getTrace, { spanId });
  const { serviceName, operationName, spanKind, status, statusMessage, duration, startTime, traceId } = span;
  const message = statusMessage === '' ? '' : ` ${quote(statusMessage)}`;
  const text = `Span ${spanId} of trace ${traceId}: ${serviceName} ${operationName} (${spanKind}), ${ms(duration)}, ${status}${message}, began at ${clockOf(startTime, inquiry.nowMs)}.`;
  return { text, followUps: [`Show me trace ${traceId}`, `How is ${serviceName} doing?`], about: { services: [serviceName] } };
}
