import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../../../support/nats-server.js';
import { waitUntil } from '../../../../../support/wait-until.js';
import { describeIf } from '../../../../../support/speech-engines.js';

const CHILD = fileURLToPath(new URL('projector-child.js', import.meta.url));
const MOVED_WITHIN_MS = 10_000;

interface Projector {
  readonly process: ChildProcess;
  /** What it told last. */
  held: ReadonlyMap<number, number>;
}

describeIf(HAS_NATS)(`Three projectors as processes, at the speed of production${NATS_NEEDS}`, function () {
  this.timeout(120_000);
  let server: NatsServer;
  const projectors: Projector[] = [];
  /** The largest token that anybody told for a shard. */
  const tokens = new Map<number, number>();

  function start(): Projector {
    const projector: Projector = { process: fork(CHILD, [server.url], { execArgv: [] }), held: new Map() };
    projector.process.on('message', (held) => notified(projector, held as [number, number][]));
    projectors.push(projector);
    return projector;
  }

  function notified(projector: Projector, held: readonly [number, number][]): void {
    projector.held = new Map(held);
    for (const [shard, token] of held) tokens.set(shard, Math.max(token, tokens.get(shard) ?? 0));
  }

  /** Resolves with how long it took until these divide everything evenly, each shard under its largest token. */
  async function shared(...among: readonly Projector[]): Promise<number> {
    const began = performance.now();
    const least = Math.floor(256 / among.length);
    await waitUntil(
      () => among.every(({ held }) => held.size >= least && held.size <= least + 1) && whole(among),
      'everything is shared evenly',
      30_000,
    );
    return performance.now() - began;
  }

  function whole(among: readonly Projector[]): boolean {
    const held = among.flatMap((each) => [...each.held]);
    return (
      held.length === 256 &&
      new Set(held.map(([shard]) => shard)).size === 256 &&
      held.every(([shard, token]) => token === tokens.get(shard))
    );
  }

  before(async () => {
    server = await NatsServer.start();
  });
  after(async () => {
    for (const { process } of projectors) process.kill('SIGKILL');
    await server.dispose();
  });

  it('own all shards, soon after the first of a cluster has started', async () => {
    await shared(start(), start(), start());
  });

  it(`have what a killed one had within ${MOVED_WITHIN_MS / 1_000} s, under larger tokens`, async () => {
    const [first, second, third] = projectors;
    const lost = first.held;
    first.process.kill('SIGKILL');
    const tookMs = await shared(second, third);
    assert.ok(tookMs < MOVED_WITHIN_MS, `${tookMs} ms`);
    for (const [shard, token] of lost) assert.ok(tokens.get(shard)! > token, `shard ${shard}`);
  });

  it('take over from one that halts, which owns nothing when it resumes, and then rebalance', async () => {
    const [, second, third] = projectors;
    second.process.kill('SIGSTOP');
    third.held = new Map(third.held);
    await waitUntil(() => third.held.size === 256, 'the other has everything', MOVED_WITHIN_MS);
    const reported: number[] = [];
    second.process.on('message', (held) => reported.push((held as unknown[]).length));
    second.process.kill('SIGCONT');
    await waitUntil(() => reported.length > 0, 'it tells what it has');
    assert.equal(reported[0], 0);
    await shared(second, third);
  });

  it('lose their leases while NATS hangs, and regain the same ones afterwards', async () => {
    const [, second, third] = projectors;
    const before = [second.held, third.held];
    await server.freeze();
    await waitUntil(() => second.held.size === 0 && third.held.size === 0, 'the leases lapse', MOVED_WITHIN_MS);
    server.thaw();
    await waitUntil(() => second.held.size === 128 && third.held.size === 128, 'the leases come back', MOVED_WITHIN_MS);
    assert.deepEqual([second.held, third.held], before);
  });

  it('keep their shards when NATS restarts without its store', async () => {
    const [, second, third] = projectors;
    const before = [second.held, third.held];
    const reported: number[] = [];
    second.process.on('message', (held) => reported.push((held as unknown[]).length));
    await server.kill();
    server.loseStore();
    await server.start();
    const fourth = start();
    await shared(second, third, fourth);
    assert.ok(Math.min(...reported) >= 85, 'nothing was lost on the way');
    for (const [shard, token] of fourth.held)
      assert.ok(
        before.some((held) => token > (held.get(shard) ?? Infinity)),
        `shard ${shard}`,
      );
  });

  it('take over released shards within 3 s', async () => {
    const [, second, third, fourth] = projectors;
    second.process.send('leave');
    const tookMs = await shared(third, fourth);
    assert.ok(tookMs < 3_000, `${tookMs} ms`);
    if (second.process.exitCode === null) await once(second.process, 'exit');
    assert.equal(second.process.exitCode, 0);
  });
});
