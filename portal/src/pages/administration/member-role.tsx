import type { Schemas } from '../../api/client';
import controls from '../../ui/controls.module.css';
import { ROLES } from './roles';
import { memberFault, useSetMember } from './use-members';

type Member = Schemas['Member'];

/** A member's role, changed in place; what is refused is told beside it. */
export function MemberRole({ member: { userId, role } }: { readonly member: Member }) {
  const set = useSetMember();
  return (
    <>
      <select
        className={controls.select}
        aria-label={`Role of ${userId}`}
        value={set.isPending ? set.variables.role : role}
        disabled={set.isPending}
        onChange={(event) => set.mutate({ userId, role: event.target.value as Member['role'] })}
      >
        {ROLES.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {set.error !== null && (
        <p className={controls.fault} role="alert">
          {memberFault(set.error)}
        </p>
      )}
    </>
  );
}
