/** JSON objects and lists over several lines; undefined for any other text. */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A text that only begins like JSON is shown as it is.
    return undefined;
  }
}
