const MONTH = '(?:jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** What people write as a time, and what is left of a question only where nobody could read it as one. */
const TIMES = [
  /\b\d{1,2}:\d{2}(?::\d{2})?\b(?:\s*[ap]m\b)?/i,
  /\b\d{4}-\d{1,2}-\d{1,2}\b/,
  /\b\d{1,2}([./])\d{1,2}\1(?:19|20)\d{2}\b/,
  new RegExp(String.raw`\b${MONTH}\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b`, 'i'),
  new RegExp(String.raw`\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${MONTH}\b`, 'i'),
  /\b(?:in|during)\s+(?:the\s+year\s+)?(?:19|20)\d{2}\b(?!\s*(?:ms|milliseconds?|s|seconds?|[a-z]*s)\b)/i,
];

/** Nothing can have happened in it. */
const NO_STRETCH = /\b(?:last|past|previous)\s+0+(?:\.0+)?\s*[a-z]+\b/i;

/** A time that was said and is none, such as `25:99` or `February 31`. `rest`: the question without the times that were understood. */
export function unreadableTimeIn(text: string, rest: string): string | undefined {
  const stretch = NO_STRETCH.exec(text)?.[0];
  return stretch ?? TIMES.map((pattern) => pattern.exec(rest)?.[0]).find((found) => found !== undefined);
}
