import type { WithEtag } from '../api/api-client';
import { hasStatus } from '../api/api-error';

/** Another user has changed the definition since it was read. */
export class EditConflictError<Record> extends Error {
  override readonly name = 'EditConflictError';

  /** @param thing such as `dashboard` */
  constructor(
    thing: string,
    readonly theirs: WithEtag<Record>,
  ) {
    super(`Another user has changed this ${thing} since you opened it.`);
  }
}

/** The other user's version if the error is an edit conflict. */
export const conflictingVersion = (error: Error | null): WithEtag<unknown> | undefined =>
  error instanceof EditConflictError ? (error as EditConflictError<unknown>).theirs : undefined;

/** Runs a change that is bound to an ETag. If the version has changed (412), rejects with an `EditConflictError` that holds the current one. */
export async function changeIfUnmodified<Record, Result>(
  thing: string,
  change: () => Promise<Result>,
  read: () => Promise<WithEtag<Record>>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!hasStatus(error, 412)) throw error;
    throw new EditConflictError(thing, await read());
  }
}

/** Attempts before `changeLatestVersion` gives up because of concurrent changes. */
const MAX_ATTEMPTS = 4;

/** Changes the current version; reads it again and retries if another user has changed it in between (412). */
export async function changeLatestVersion<Record, Result>(
  read: () => Promise<WithEtag<Record>>,
  change: (latest: WithEtag<Record>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change(await read());
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasStatus(error, 412)) throw error;
    }
  }
}
