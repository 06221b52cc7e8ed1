/** What to do about what the assistant refuses, by the last part of the problem's type. */
const ERROR_ADVICE: Readonly<Record<string, string>> = {
  'daily-prompt-limit':
    'Your prompts of today are used up in this Grid. New ones come at midnight UTC. An Owner can raise the limit.',
  'energy-exhausted': 'Your energy is used up. It comes back by itself, 10 every hour.',
  'session-limit-reached':
    'As many people as the Grid allows talk to the assistant now. Wait until one leaves, or ask an Owner for more sessions.',
  'assistant-disabled': 'The assistant is switched off in this Grid. An Owner can switch it on under Usage and limits.',
  'speech-minutes-exceeded':
    'The speech minutes of this Grid are used up for this month. Reading and writing still work.',
  'audio-too-large': 'The recording is too long. Ask in one or two sentences.',
};

/** The problem in words that help; the service's own where there are no better ones. */
export function describeAssistantError(type: string | undefined, message: string): string {
  const slug = type?.split('/').pop() ?? '';
  return Object.hasOwn(ERROR_ADVICE, slug) ? (ERROR_ADVICE[slug] ?? message) : message;
}
