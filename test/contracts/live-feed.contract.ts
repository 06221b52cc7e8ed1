import assert from 'node:assert/strict';
import { filter, firstValueFrom } from 'rxjs';
import type { Position } from '../../src/streams/event-store.js';
import type { ChangeHint, LiveFeed } from '../../src/streams/live/live-feed.js';
import { waitUntil } from '../support/wait-until.js';

export interface OpenedFeeds {
  /** Two feeds that receive each other's hints. */
  readonly feeds: readonly [LiveFeed, LiveFeed];
  /** A feed of the same kind that must not exchange hints with them. */
  readonly stranger: LiveFeed;
  /** Closes everything. */
  dispose(): Promise<void>;
}

export const appended = (position: string): ChangeHint => ({ topic: 'appended', position: position as Position });

/** One hint per topic, with names that are difficult to encode. */
const HINTS: readonly ChangeHint[] = [
  appended('00000000000000000042'),
  { topic: 'projected', projection: 'traces.v1', position: '7' as Position },
  { topic: 'projected', projection: 'with *, > and blanks', position: '8' as Position },
  { topic: 'diagnosed', gridId: 'Gitter Grün.>', diagnostic: 'health', version: 3 },
];

/** One test per sentence of the port. Every adapter must pass it. `describeSuite` skips the suite if its server is absent. */
export function liveFeedContract(
  name: string,
  open: () => Promise<OpenedFeeds>,
  describeSuite: Mocha.SuiteFunction | Mocha.PendingSuiteFunction = describe,
): void {
  describeSuite(`LiveFeed: ${name}`, () => {
    let opened: OpenedFeeds;
    let [here, there]: LiveFeed[] = [];

    beforeEach(async () => {
      opened = await open();
      [here, there] = opened.feeds;
    });
    afterEach(() => opened.dispose());

    it('delivers a hint to the announcing feed before announce returns', () => {
      const received = collect(here);
      for (const hint of HINTS) here.announce(hint);
      assert.deepEqual(received, HINTS);
    });

    it('delivers hints of every topic unchanged', async () => {
      const received = collect(there);
      for (const hint of HINTS) here.announce(hint);
      await waitUntil(() => received.length >= HINTS.length, 'every hint is received');
      assert.deepEqual(received, HINTS);
    });

    it('delivers the latest of many hints, and never more than were announced', async () => {
      const received = collect(there);
      for (let i = 1; i <= 5_000; i++) here.announce(appended(String(i).padStart(8, '0')));
      await waitUntil(
        () => received.at(-1) !== undefined && (received.at(-1) as { position: string }).position === '00005000',
        'the latest hint is received',
      );
      const positions = received.map((hint) => (hint as { position: string }).position);
      assert.deepEqual(positions, [...new Set(positions)].sort());
    });

    it('works in both directions and does not echo a hint to its sender', async () => {
      const received = collect(here);
      here.announce(appended('1'));
      const answer = firstValueFrom(here.hints.pipe(filter((hint) => hint.topic === 'projected')));
      there.announce(HINTS[1]);
      assert.deepEqual(await answer, HINTS[1]);
      assert.deepEqual(received, [appended('1'), HINTS[1]]);
    });

    it('delivers hints only from the subscription on', async () => {
      const first = firstValueFrom(there.hints);
      here.announce(appended('1'));
      await first;
      const late = firstValueFrom(there.hints);
      here.announce(appended('2'));
      assert.deepEqual(await late, appended('2'));
    });

    it('is isolated from other feeds', async () => {
      const received = collect(there);
      opened.stranger.announce(appended('1'));
      await opened.stranger.check();
      const sentinel = firstValueFrom(there.hints);
      here.announce(appended('2'));
      await sentinel;
      assert.deepEqual(received, [appended('2')]);
    });

    it('is healthy until closed, and can be closed twice and before first use', async () => {
      assert.deepEqual(await here.check(), { ok: true });
      for (const feed of [here, here, opened.stranger]) await feed.close();
      assert.equal((await here.check()).ok, false);
      assert.equal((await opened.stranger.check()).ok, false);
    });

    it('completes its hints when closed, and ignores later announcements', async () => {
      let completed = false;
      const received: ChangeHint[] = [];
      here.hints.subscribe({ next: (hint) => received.push(hint), complete: () => (completed = true) });
      await here.close();
      here.announce(appended('1'));
      assert.ok(completed);
      assert.deepEqual(received, []);
    });
  });
}

function collect(feed: LiveFeed): ChangeHint[] {
  const received: ChangeHint[] = [];
  feed.hints.subscribe((hint) => received.push(hint));
  return received;
}
