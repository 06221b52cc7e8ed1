/** How long `/live`, which asks nobody, takes again and again until it is over: what the serving thread is held up (ms). */
export async function liveTimes(apiUrl: string, over: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!over()) {
    const began = performance.now();
    const response = await fetch(`${apiUrl}/live`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`/live answered ${response.status}`);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return times;
}
