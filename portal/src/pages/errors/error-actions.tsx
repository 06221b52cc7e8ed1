import { CircleCheck, RotateCcw } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useHasRole } from '../../session/use-session';
import { type ErrorGroup, useErrorGroupAction } from './error-queries';
import controls from '../../ui/controls.module.css';
import styles from './errors.module.css';

/** Resolves a group, with the version that fixes it, or reopens it. */
export function ErrorActions({ group: { groupId, status } }: { readonly group: ErrorGroup }) {
  const mayAct = useHasRole('User');
  const { mutate, isPending, error } = useErrorGroupAction(groupId);
  if (!mayAct) return null;
  return (
    <>
      {status === 'resolved' ? (
        <div className={styles.resolve}>
          <button
            type="button"
            className={controls.button}
            disabled={isPending}
            onClick={() => mutate({ action: 'reopen' })}
          >
            <RotateCcw size={15} aria-hidden /> Reopen
          </button>
        </div>
      ) : (
        <ResolveForm
          isPending={isPending}
          onResolve={(serviceVersion) => mutate({ action: 'resolve', serviceVersion })}
        />
      )}
      {error !== null && (
        <p className={controls.error} role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}

interface ResolveFormProps {
  readonly isPending: boolean;
  /** An empty version: its next exception reopens it, of whatever version. */
  readonly onResolve: (serviceVersion: string) => void;
}

function ResolveForm({ isPending, onResolve }: ResolveFormProps) {
  const [version, setVersion] = useState('');
  const id = useId();
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onResolve(version.trim());
  };
  return (
    <form className={styles.resolve} onSubmit={handleSubmit}>
      <label htmlFor={id}>Fixed in version</label>
      <input
        id={id}
        className={controls.input}
        maxLength={256}
        placeholder="optional"
        aria-describedby={`${id}-meaning`}
        value={version}
        onChange={(event) => setVersion(event.target.value)}
      />
      <button type="submit" className={controls.primary} disabled={isPending}>
        <CircleCheck size={15} aria-hidden /> Resolve
      </button>
      <span id={`${id}-meaning`} className={styles.quiet}>
        The next exception reopens the group; with a version, only one of that version, or of a version that has not
        reported it so far.
      </span>
    </form>
  );
}
