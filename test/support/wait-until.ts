/** Below the timeout of mocha (60 s), so that the error has the name of the condition. */
const DEFAULT_LIMIT_MS = 50_000;

/** Polls every 20 ms until the condition holds; rejects with its name after `limitMs`. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  name: string,
  limitMs = DEFAULT_LIMIT_MS,
): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    if (await condition()) return;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
