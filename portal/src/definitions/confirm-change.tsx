import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Tagged } from '../api/client';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { theirsIn } from './changed-meanwhile';

interface ConfirmChangeProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  /** What it is about, which may still be on its way. */
  readonly read: { readonly data: Tagged<unknown> | undefined; readonly error: Error | null };
  /** Done to what has the tag that it is given, and to nothing else. */
  readonly change: Pick<UseMutationResult<unknown, Error, string>, 'isPending' | 'error'> & {
    readonly mutate: (etag: string) => void;
  };
  readonly onClose: () => void;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back, and once more where somebody else has changed what it is about. */
export function ConfirmChange({
  title,
  action,
  read,
  change: { mutate, isPending, error },
  onClose,
  children,
}: ConfirmChangeProps) {
  const theirs = theirsIn(error);
  return (
    <ConfirmDialog
      title={title}
      action={action}
      onClose={onClose}
      mutation={{
        mutate: () => {
          if (read.data !== undefined) mutate(read.data.etag);
        },
        isPending: isPending || read.data === undefined,
        error: error ?? read.error,
      }}
      insist={theirs && { action: `${action} all the same`, mutate: () => mutate(theirs.etag) }}
    >
      {children}
    </ConfirmDialog>
  );
}
