/** What a command answers: one JSON value for programs, a text for people. */
export function print(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

/** What people have to read beside the answer. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
