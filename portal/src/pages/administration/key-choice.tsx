import type { Schemas } from '../../api/client';
import { Card } from '../../ui/card';
import { Field } from '../../ui/field';
import { QueryState } from '../../ui/query-state';
import controls from '../../ui/controls.module.css';
import { IssueKeyForm } from './issue-key-form';
import { KEY_PLACE } from './environment';
import { Secret } from './secret';
import { useKeys } from './use-keys';
import styles from './administration.module.css';

interface KeyChoiceProps {
  readonly keyId: string;
  /** The key that was issued here, with its secret. */
  readonly issued: Schemas['IssuedApiKey'] | undefined;
  readonly onChoose: (keyId: string) => void;
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
}

/** A new key, whose secret is known here once, or one that somebody has kept. */
export function KeyChoice({ keyId, issued, onChoose, onIssued }: KeyChoiceProps) {
  const keys = useKeys();
  return (
    <Card title="1. Choose a key">
      <IssueKeyForm onIssued={onIssued} />
      <QueryState query={keys}>
        {({ apiKeys }) => (
          <Field label="Or one that you have already">
            {(told) => (
              <select
                {...told}
                className={controls.select}
                value={apiKeys.some((key) => key.keyId === keyId) ? keyId : ''}
                onChange={(event) => onChoose(event.target.value)}
              >
                <option value="">None chosen</option>
                {apiKeys.map((key) => (
                  <option key={key.keyId} value={key.keyId}>
                    {key.name} ({key.prefix} …)
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </QueryState>
      {issued !== undefined && issued.keyId === keyId && <Secret apiKey={issued.apiKey} />}
      {keyId !== '' && issued?.keyId !== keyId && (
        <p className={styles.quiet}>
          Its secret is kept by whoever issued it. Put it in place of <code>{KEY_PLACE}</code> below.
        </p>
      )}
    </Card>
  );
}
