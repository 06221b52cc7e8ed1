/** A reworded text, and where each of its characters stood before. */
export interface AlignedText {
  readonly text: string;
  /** Offset in the original of each character of `text`, and behind it the length of the original. Never falls. */
  readonly origins: readonly number[];
}

export function alignText(text: string): AlignedText {
  return { text, origins: Array.from({ length: text.length + 1 }, (_, at) => at) };
}

/**
 * Replaces all matches of the global pattern, like `String.replace`. Characters of a replacement stand where those of
 * the match stood, the excess where its last one did.
 */
export function replaceAligned(
  { text, origins }: AlignedText,
  pattern: RegExp,
  createReplacement: (match: RegExpExecArray) => string,
): AlignedText {
  let reworded = '';
  const moved: number[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [{ length }, from] = [match[0], match.index];
    const replacement = createReplacement(match);
    reworded += text.slice(end, from) + replacement;
    moved.push(...origins.slice(end, from));
    for (let at = 0; at < replacement.length; at++) moved.push(origins[from + Math.min(at, length - 1)]);
    end = from + length;
  }
  return { text: reworded + text.slice(end), origins: [...moved, ...origins.slice(end)] };
}
