import { Dialog } from './dialog';
import controls from './controls.module.css';

interface LeaveDialogProps {
  /** What was changed, such as "this rule". */
  readonly what: string;
  readonly guard: { readonly leave: () => void; readonly stay: () => void };
}

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ what, guard: { leave, stay } }: LeaveDialogProps) {
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <div className="stack">
        <p>What you changed on {what} is not saved.</p>
        <div className={controls.row}>
          <button type="button" className={controls.danger} onClick={leave}>
            Leave
          </button>
          <button type="button" className={controls.primary} onClick={stay}>
            Stay
          </button>
        </div>
      </div>
    </Dialog>
  );
}
