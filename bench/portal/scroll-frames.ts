import type { CDPSession, Locator, Page } from 'playwright-core';
import { percentile, type Measurement } from '../measurement-table.js';
import { ROWS } from './portal-fixture.js';

/** Of a turn of the wheel: twenty rows, so that hardly a row of one frame is there in the next but one. */
const WHEEL_PX = 600;
/** Asked whether the end is reached after so many, so that asking is no part of most frames. */
const WHEEL_TURNS = 20;
/** A display's frame (ms) and half of the next one: what took longer was seen to stumble. */
const FRAME_BUDGET_MS = 25;

/** What a page saw of itself while it was scrolled. */
interface FrameRecording {
  /** Between one frame and the next, in ms. */
  readonly frames: readonly number[];
  /** Tasks of 50 ms and more, in ms. */
  readonly longTasks: readonly number[];
}

const RECORD = `(() => {
  const [frames, longTasks] = [[], []];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  let [isOn, last] = [true, undefined];
  const next = (at) => {
    if (last !== undefined) frames.push(at - last);
    last = at;
    if (isOn) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  window.recorded = () => {
    isOn = false;
    observer.disconnect();
    return { frames, longTasks };
  };
})()`;

/** Turns the wheel over a list until it is at its end, or back at its begin, and tells how the frames came. */
export async function measureScroll(
  page: Page,
  list: Locator,
  direction: 'down' | 'up',
  name: string,
): Promise<Measurement> {
  await list.hover();
  const thread = await MainThread.attach(page);
  await page.evaluate(RECORD);
  do
    for (let turn = 0; turn < WHEEL_TURNS; turn++)
      await page.mouse.wheel(0, direction === 'down' ? WHEEL_PX : -WHEEL_PX);
  while (!(await isScrolledToEnd(list, direction)));
  const { frames, longTasks } = await page.evaluate<FrameRecording>('window.recorded()');
  const busyMs = (await thread.readWorkMs()) / frames.length;
  const inTime = frames.filter((ms) => ms <= FRAME_BUDGET_MS).length / frames.length;
  const rows = await list.getByRole('listitem').count();
  return {
    name: `${name}: frame, p95`,
    value: percentile(frames, 95),
    unit: 'ms',
    note: `${busyMs.toFixed(1)} ms CPU of the page's thread a frame; p50 ${percentile(frames, 50).toFixed(1)}, longest ${percentile(frames, 100).toFixed(0)}; ${(inTime * 100).toFixed(1)} % of ${frames.length} in time; ${longTasks.length} long tasks${longTasks.length > 0 ? ` up to ${percentile(longTasks, 100).toFixed(0)} ms` : ''}; ${rows} rows exist`,
  };
}

/** Processor time of the thread that runs a page: what others do on the machine hardly moves it. */
class MainThread {
  private constructor(
    private readonly session: CDPSession,
    private readonly beganMs: number,
  ) {}

  static async attach(page: Page): Promise<MainThread> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new MainThread(session, await readTaskMs(session));
  }

  async readWorkMs(): Promise<number> {
    const worked = (await readTaskMs(this.session)) - this.beganMs;
    await this.session.detach();
    return worked;
  }
}

async function readTaskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** Whether the last row of all, or the first one, is at the edge. */
async function isScrolledToEnd(list: Locator, direction: 'down' | 'up'): Promise<boolean> {
  const { top, height, whole } = await list.evaluate((element) => {
    const { scrollTop, clientHeight, scrollHeight } = element as unknown as Readonly<Record<string, number>>;
    return { top: scrollTop, height: clientHeight, whole: scrollHeight };
  });
  if (direction === 'up') return top === 0;
  const known = await list.getByRole('listitem').first().getAttribute('aria-setsize');
  return Number(known) === ROWS && top + height >= whole - 1;
}
