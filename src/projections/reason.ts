const MAX_LENGTH = 200;

/** Why something failed, for health: one short line, without the credentials that an address may hold. */
export function reasonOf(error: unknown): string {
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.slice(0, MAX_LENGTH).replace(/\/\/[^/\s]*@/g, '//');
}
