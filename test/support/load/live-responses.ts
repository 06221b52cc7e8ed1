/** Response times (ms) of repeated `/live` requests until `over`, which reveal a blocked main thread. */
export async function measureLiveResponses(apiUrl: string, over: () => boolean): Promise<number[]> {
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
