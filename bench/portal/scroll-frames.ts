import type { CDPSession, Locator, Page } from 'playwright-core';
import { percentile, type Measurement } from '../measurement-table.js';
import { ROWS } from './portal-fixture.js';

/** Scroll distance per wheel event: twenty rows, so that hardly a row stays visible for two frames. */
const WHEEL_PX = 600;
/** Wheel events between checks for the end, so that most frames contain no check. */
const WHEEL_TURNS = 20;
/** One and a half display frames (ms): longer frames are visible stutter. */
const FRAME_BUDGET_MS = 25;

/** Measurements of a page while it was scrolled. */
interface FrameRecording {
  /** Times between frames, in ms. */
  readonly frames: readonly number[];
  /** Durations of long tasks (50 ms and more), in ms. */
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

/** Scrolls a list to its end, or back to its start, and measures the frames. */
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

/** CPU time of the page's main thread, which hardly depends on other load. */
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

/** Whether the last, or the first, row of all is at the edge. */
async function isScrolledToEnd(list: Locator, direction: 'down' | 'up'): Promise<boolean> {
  const { top, height, whole } = await list.evaluate((element) => {
    const { scrollTop, clientHeight, scrollHeight } = element as unknown as Readonly<Record<string, number>>;
    return { top: scrollTop, height: clientHeight, whole: scrollHeight };
  });
  if (direction === 'up') return top === 0;
  const known = await list.getByRole('listitem').first().getAttribute('aria-setsize');
  return Number(known) === ROWS && top + height >= whole - 1;
}
