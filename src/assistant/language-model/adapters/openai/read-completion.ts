import { ModelError, type Completion, type ToolCall } from '../../language-model.js';

/**
 * The message in an answer, which is as it is called by convention alone: endpoints of this kind are of many makers. Throws
 * `malformed` for anything else, and for a message that was cut: the end of a figure could be missing.
 */
export function readCompletion(answer: unknown): Completion {
  const choice = member(member(answer, 'choices'), '0');
  const message = member(choice, 'message');
  if (!isObject(message)) throw malformed('no message');
  if (member(choice, 'finish_reason') === 'length') throw malformed('a message that was cut');
  const { content = null, tool_calls: calls = null } = message;
  if (content !== null && typeof content !== 'string') throw malformed('a message that is no text');
  if (calls !== null && !Array.isArray(calls)) throw malformed('calls that are no list');
  return { text: content ?? '', calls: (calls ?? []).map(readCall) };
}

function readCall(call: unknown): ToolCall {
  const [id, name] = [member(call, 'id'), member(member(call, 'function'), 'name')];
  const given = member(member(call, 'function'), 'arguments') ?? '';
  if (typeof name !== 'string') throw malformed('a call without a name');
  // Some send an object where OpenAI sends its JSON.
  return { id: typeof id === 'string' ? id : '', name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}

function malformed(what: string): ModelError {
  return new ModelError('malformed', `The model answered ${what}`);
}

function member(value: unknown, name: string): unknown {
  return (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
