import { useState } from 'react';
import { useNavigate } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { useHasRole } from '../../session/use-session';
import { DeleteDefinitionButton, EditDefinitionDialog } from '../notifications/definition-dialog';
import { OBJECTIVE_FORM } from './objective-form';
import { OBJECTIVES } from './objective-queries';
import controls from '../../ui/controls.module.css';

/** Buttons that change an objective; nothing for those who may not. */
export function ObjectiveActions({
  objective: { id, name },
  onEdited,
}: {
  readonly objective: { readonly id: string; readonly name: string };
  readonly onEdited: () => void;
}) {
  const [isEditing, setEditing] = useState(false);
  const links = usePageLinks();
  const navigate = useNavigate();
  if (!useHasRole('Member')) return null;
  return (
    <div className={controls.row}>
      <button type="button" className={controls.button} onClick={() => setEditing(true)}>
        Edit
      </button>
      <DeleteDefinitionButton
        kind={OBJECTIVES}
        id={id}
        name={name}
        onDeleted={() => void navigate(links.page('objectives'))}
      >
        Its recorded counts are deleted and its alert is resolved.
      </DeleteDefinitionButton>
      {isEditing && (
        <EditDefinitionDialog
          form={OBJECTIVE_FORM}
          title={`Edit ${name}`}
          id={id}
          onClose={() => {
            setEditing(false);
            onEdited();
          }}
        />
      )}
    </div>
  );
}
