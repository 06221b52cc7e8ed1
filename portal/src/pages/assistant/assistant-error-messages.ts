/** Messages for rejected requests, by the last path segment of the problem type. */
const ERROR_ADVICE: Readonly<Record<string, string>> = {
  'daily-prompt-limit':
    'You have used all of your prompts for today in this Grid. The limit resets at midnight UTC; an Owner can raise it.',
  'energy-exhausted': 'You do not have enough energy left for this question. It regenerates by 10 every hour.',
  'session-limit-reached':
    'All assistant sessions of this Grid are in use. Wait until one ends, or ask an Owner to raise the limit.',
  'assistant-disabled': 'The assistant is switched off in this Grid. An Owner can switch it on under Usage and limits.',
  'speech-minutes-exceeded':
    'The speech minutes of this Grid are used up for this month. You can still use the assistant by text.',
  'audio-too-large': 'The recording is too long. Keep it to one or two sentences.',
};

/** A helpful message for the problem type, or else the service's own. */
export function describeAssistantError(type: string | undefined, message: string): string {
  const slug = type?.split('/').pop() ?? '';
  return Object.hasOwn(ERROR_ADVICE, slug) ? (ERROR_ADVICE[slug] ?? message) : message;
}
