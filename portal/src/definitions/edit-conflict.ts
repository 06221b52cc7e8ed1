import type { WithEtag } from '../api/api-client';
import { hasStatus } from '../api/api-error';

/** Somebody else has saved it since it was read. */
export class EditConflictError<Record> extends Error {
  override readonly name = 'ChangedMeanwhile';

  /** @param thing such as `dashboard` */
  constructor(
    thing: string,
    readonly theirs: WithEtag<Record>,
  ) {
    super(`Somebody has changed this ${thing} since you opened it.`);
  }
}

/** What somebody else has made of it, where that is why a change failed. */
export const conflictingVersion = (error: Error | null): WithEtag<unknown> | undefined =>
  error instanceof EditConflictError ? (error as EditConflictError<unknown>).theirs : undefined;

/** Runs a change that is bound to what was read; where that is another by now, rejects with `ChangedMeanwhile`, which brings what `read` finds. */
export async function changeIfUnmodified<Record, Answer>(
  thing: string,
  change: () => Promise<Answer>,
  read: () => Promise<WithEtag<Record>>,
): Promise<Answer> {
  try {
    return await change();
  } catch (error) {
    if (!hasStatus(error, 412)) throw error;
    throw new EditConflictError(thing, await read());
  }
}

/** Others may come first so often before a change that goes on from whatever is there gives up. */
const MAX_ATTEMPTS = 4;

/** Changes what is there now, whatever that is: read and changed again where somebody else came in between. */
export async function changeLatestVersion<Record, Answer>(
  read: () => Promise<WithEtag<Record>>,
  change: (latest: WithEtag<Record>) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change(await read());
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasStatus(error, 412)) throw error;
    }
  }
}
