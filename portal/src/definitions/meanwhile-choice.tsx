import type { Tagged } from '../api/client';
import controls from '../ui/controls.module.css';
import { ChangedMeanwhile } from './changed-meanwhile';

interface MeanwhileChoiceProps<Data> {
  /** Of the save; nothing is to be chosen unless it is that of somebody who came first. */
  readonly error: Error | null;
  /** Bound to theirs: whoever saves after them is heard again. */
  readonly onOverwrite: (theirs: Tagged<Data>) => void;
  readonly onTake: (theirs: Tagged<Data>) => void;
}

/** What to do where somebody else has saved first. That it is so is told by the fault of the form. */
export function MeanwhileChoice<Data>({ error, onOverwrite, onTake }: MeanwhileChoiceProps<Data>) {
  if (!(error instanceof ChangedMeanwhile)) return null;
  const { theirs } = error as ChangedMeanwhile<Data>;
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => onOverwrite(theirs)}>
        Save mine over theirs
      </button>
      <button type="button" className={controls.button} onClick={() => onTake(theirs)}>
        Take theirs, lose mine
      </button>
    </>
  );
}
