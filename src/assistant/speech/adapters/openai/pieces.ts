/** The text in pieces of at most so many characters, cut after sentences, else after words, else anywhere. Without empty ones. */
export function piecesOf(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const end = cutOf(rest.slice(0, most + 1), most);
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

function cutOf(head: string, most: number): number {
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => head.lastIndexOf(end))) + 1;
  if (sentence > most / 2) return sentence;
  const word = head.lastIndexOf(' ');
  if (word > 0) return word;
  // Between the halves of a character is no place to cut.
  return /[\ud800-\udbff]/.test(head[most - 1]) ? most - 1 : most;
}
