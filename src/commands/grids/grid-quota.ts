import { HindsightError } from '../../errors.js';
import type { GridCommands, GridReceipt } from './grid-commands.js';

export interface GridQuota {
  /** Ids of the users and applications that may create Grids; undefined: everybody. */
  readonly creators: ReadonlySet<string> | undefined;
  /** Grids that one of them may create; 0: any number. */
  readonly gridsPerUser: number;
  /** Ids of the Grids that the user created, as far as the read models know. */
  readonly findCreatedGrids: (userId: string) => Promise<readonly string[]>;
}

/** What this process knows of one user: Grids that the read models may not show yet, and the last call. */
interface Creator {
  readonly unseen: Set<string>;
  last: Promise<unknown>;
  /** Calls that run or wait. */
  pending: number;
}

/**
 * Wraps the commands so that users create no more Grids than they may. The calls of one user run one after the other,
 * and Grids that the read models do not show yet are remembered, so that concurrent calls of one process cannot exceed
 * the quota. Several processes may exceed it by one Grid each while the read models lag.
 *
 * `createGrid` also rejects with `forbidden` for those who may not create Grids, and with `conflict` beyond the quota.
 */
export function withGridQuota<Commands extends Pick<GridCommands, 'createGrid'>>(
  commands: Commands,
  quota: GridQuota,
): Commands {
  const creators = new Map<string, Creator>();
  const createGrid: GridCommands['createGrid'] = async (actor, ...grid) => {
    assertMayCreate(actor, quota);
    if (quota.gridsPerUser === 0) return commands.createGrid(actor, ...grid);
    return runInTurn(creators, actor, async (unseen) => {
      await assertWithinQuota(actor, unseen, quota);
      const created: GridReceipt = await commands.createGrid(actor, ...grid);
      unseen.add(created.gridId);
      return created;
    });
  };
  return { ...commands, createGrid };
}

function assertMayCreate(actor: string, { creators }: GridQuota): void {
  if (creators === undefined || creators.has(actor)) return;
  throw new HindsightError(
    'forbidden',
    'You are not allowed to create Grids. The operator sets in GRID_CREATORS who is.',
  );
}

async function assertWithinQuota(
  actor: string,
  unseen: Set<string>,
  { gridsPerUser, findCreatedGrids }: GridQuota,
): Promise<void> {
  const seen = await findCreatedGrids(actor);
  for (const gridId of seen) unseen.delete(gridId);
  if (seen.length + unseen.size < gridsPerUser) return;
  throw new HindsightError(
    'conflict',
    `You have created ${gridsPerUser} Grids, the limit for one user (GRIDS_PER_USER). Use one of them, or ask the operator.`,
  );
}

/** Runs the work after the earlier calls of the user. Forgets users without calls and without unseen Grids. */
async function runInTurn<Result>(
  creators: Map<string, Creator>,
  userId: string,
  work: (unseen: Set<string>) => Promise<Result>,
): Promise<Result> {
  const creator = creators.get(userId) ?? { unseen: new Set(), last: Promise.resolve(), pending: 0 };
  creators.set(userId, creator);
  creator.pending++;
  const run = creator.last.then(() => work(creator.unseen));
  creator.last = run.catch(() => undefined);
  try {
    return await run;
  } finally {
    creator.pending--;
    if (creator.pending === 0 && creator.unseen.size === 0) creators.delete(userId);
  }
}
