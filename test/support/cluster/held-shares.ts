/** Shares that these processes keep together, of how many; both 1 where read models are embedded and not shared out. */
export async function heldShares(
  processes: readonly { readonly apiUrl: string }[],
): Promise<{ readonly held: number; readonly all: number }> {
  const texts = await Promise.all(processes.map(async ({ apiUrl }) => (await fetch(`${apiUrl}/metrics`)).text()));
  const gauge = (text: string, name: string): number =>
    Number(new RegExp(`^hindsight_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 1);
  return { held: texts.reduce((sum, text) => sum + gauge(text, 'shares_held'), 0), all: gauge(texts[0], 'shares') };
}

export async function areAllHeld(processes: readonly { readonly apiUrl: string }[]): Promise<boolean> {
  const { held, all } = await heldShares(processes);
  return held === all;
}
