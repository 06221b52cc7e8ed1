import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaleToBudget } from '../../../support/faults/budget.js';
import { gridStream } from '../../../../src/streams/stream-names.js';
import { logsReceived, metricsReceived, spansReceived } from '../engine/support/requests.js';
import { AuditedStore } from './support/audited-store.js';
import { ProjectorProcesses, type ProjectorProcess } from './support/projector-processes.js';

/** `HOST_HISTORIES=2000` tests more histories. */
const HISTORIES = scaleToBudget('HOST_HISTORIES', 25, 1_000);
const SHARES = 4;
const PROCESSES = 3;
const MINUTE = 60_000;

type Deed =
  | { readonly kind: 'join' | 'settle' | 'pass' }
  | { readonly kind: 'kill' | 'stall' | 'resume'; readonly which: number }
  | {
      readonly kind: 'spans' | 'logs' | 'points' | 'again' | 'expire' | 'apdex' | 'create';
      readonly grid: number;
      readonly n: number;
    };

const grid = fc.nat(7);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom('spans' as const, 'spans' as const, 'logs' as const, 'points' as const, 'again' as const),
      grid,
      n: fc.nat(40),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('expire' as const, 'apdex' as const, 'create' as const),
      grid,
      n: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('kill' as const, 'stall' as const, 'stall' as const, 'resume' as const),
      which: fc.nat(PROCESSES),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('join' as const, 'settle' as const, 'pass' as const) }) },
);

describe('shards that move between processes', () => {
  it('end as if undisturbed, and are never written by a former owner', async function () {
    this.timeout(HISTORIES * 10_000);
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 10, maxLength: 60 }),
        fc.constantFrom(4, 1 << 16),
        async (deeds, spanHorizon) => {
          const store = new AuditedStore();
          const processes = new ProjectorProcesses(SHARES, store, { spanHorizon, idleCheckpointIntervalMs: 0 });
          try {
            await processes.join();
            for (const each of deeds) await happen(processes, each);
            await healed(processes);
            await processes.settle();
            assert.deepEqual(store.violations, []);
            assert.deepEqual(await processes.digests(), await processes.expectedDigests());
            refusals += store.refusals;
          } finally {
            await processes.stop();
          }
        },
      ),
      { numRuns: HISTORIES },
    );
    assert.ok(refusals > 0, 'stale holders tried to write');
  });
});

async function happen(processes: ProjectorProcesses, deed: Deed): Promise<void> {
  switch (deed.kind) {
    case 'join':
      if (processes.all.length < PROCESSES) await processes.join();
      return;
    case 'settle':
      return processes.reachable.length === 0 ? undefined : processes.settle();
    case 'pass':
      return new Promise((resolve) => setTimeout(resolve, 2));
    case 'kill':
      return picked(processes.all, deed.which, (projector) => processes.kill(projector));
    case 'stall':
      return picked(processes.reachable, deed.which, (projector) => processes.stall(projector));
    case 'resume':
      return picked(
        processes.all.filter(({ leases }) => leases.isDisconnected),
        deed.which,
        (projector) => processes.resume(projector),
      );
    default:
      return append(processes, deed);
  }
}

async function picked(
  processes: readonly ProjectorProcess[],
  which: number,
  act: (member: ProjectorProcess) => void | Promise<void>,
): Promise<void> {
  if (processes.length > 0) await act(processes[which % processes.length]);
}

/** Everybody continues, and somebody is there. */
async function healed(processes: ProjectorProcesses): Promise<void> {
  for (const member of processes.all) if (member.leases.isDisconnected) await processes.resume(member);
  if (processes.all.length === 0) await processes.join();
}

async function append(
  { log }: ProjectorProcesses,
  { kind, grid, n }: Extract<Deed, { readonly grid: number }>,
): Promise<void> {
  const gridId = `grid-${grid}`;
  log.now += 1_000;
  const at = log.now - n * MINUTE;
  if (kind === 'spans')
    await log.append(
      spansReceived(
        [
          { trace: n % 5, span: n, start: at },
          { trace: n % 5, span: n + 1, start: at, service: 'bank' },
        ],
        gridId,
      ),
    );
  if (kind === 'logs') await log.append(logsReceived([{ time: at, body: `entry ${n}` }], gridId));
  if (kind === 'points') await log.append(metricsReceived([{ time: at, value: n, kind: 'sum' }], gridId));
  // The same request each time: it counts once in 15 minutes of the log.
  if (kind === 'again')
    await log.append(spansReceived([{ trace: 9, span: 99, start: log.now - (log.now % (60 * MINUTE)) }], gridId));
  if (kind === 'expire') await log.expire(log.now - n * MINUTE, gridId);
  if (kind === 'apdex') await log.setApdex(100 + n, gridId);
  if (kind === 'create') await create(log, gridId, n);
}

async function create(log: ProjectorProcesses['log'], gridId: string, n: number): Promise<void> {
  const data = { actor: 'owner', at: log.now, gridId, name: `shop ${n}` };
  await log.events.append(gridStream(gridId), 'none', [{ id: `created ${gridId}`, type: 'GridCreated.v1', data }]);
}
