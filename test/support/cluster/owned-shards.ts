/** Shards owned by these processes in total, and the number of all shards; both 1 for embedded read models. */
export async function countOwnedShards(
  processes: readonly { readonly apiUrl: string }[],
): Promise<{ readonly held: number; readonly all: number }> {
  const texts = await Promise.all(processes.map(async ({ apiUrl }) => (await fetch(`${apiUrl}/metrics`)).text()));
  const gauge = (text: string, name: string): number =>
    Number(new RegExp(`^hindsight_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 1);
  return { held: texts.reduce((sum, text) => sum + gauge(text, 'shares_held'), 0), all: gauge(texts[0], 'shares') };
}

export async function areAllShardsOwned(processes: readonly { readonly apiUrl: string }[]): Promise<boolean> {
  const { held, all } = await countOwnedShards(processes);
  return held === all;
}
