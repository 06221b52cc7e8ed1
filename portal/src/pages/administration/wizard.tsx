import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useParameters } from '../../time/use-parameters';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Field } from '../../ui/field';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { Together } from '../../ui/together';
import controls from '../../ui/controls.module.css';
import { CodeBlock } from './code-block';
import { ENDPOINT_PLACE, environmentOf } from './environment';
import { FirstSpan } from './first-span';
import { KeyChoice } from './key-choice';
import { LANGUAGES } from './languages';
import { useKeys } from './use-keys';
import { useOtlpAddress } from './use-otlp-address';
import styles from './administration.module.css';

/** From nothing to the first span of an application: a key, four variables, a command, and the proof that it arrived. */
export function Wizard() {
  const [address, keys] = [useOtlpAddress(), useKeys()];
  return (
    <Together queries={[address, keys]} skeleton={<Skeleton height="20rem" />}>
      <QueryState query={address}>
        {(endpoint) =>
          endpoint === null ? (
            <EmptyState title="This process takes no telemetry">
              Another process of this installation does. Its operator knows the address.
            </EmptyState>
          ) : (
            <Steps endpoint={endpoint} />
          )
        }
      </QueryState>
    </Together>
  );
}

function Steps({ endpoint }: { readonly endpoint: string }) {
  const [parameters, change] = useParameters();
  const [issued, setIssued] = useState<Schemas['IssuedApiKey']>();
  const keyId = parameters.get('key') ?? '';
  const serviceName = parameters.get('name') ?? 'my-service';
  const language = LANGUAGES.find(({ id }) => id === parameters.get('language')) ?? LANGUAGES[0]!;
  const issue = (key: Schemas['IssuedApiKey']): void => {
    setIssued(key);
    change({ key: key.keyId }, true);
  };
  return (
    <div className={styles.wizard}>
      <KeyChoice keyId={keyId} issued={issued} onChoose={(key) => change({ key }, true)} onIssued={issue} />
      <Card title="2. Tell OpenTelemetry where to send">
        <Field label="Name of your service">
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={serviceName}
              onChange={(event) => change({ name: event.target.value }, true)}
            />
          )}
        </Field>
        <CodeBlock
          label="Variables"
          code={environmentOf({ endpoint, apiKey: issued?.keyId === keyId ? issued.apiKey : undefined, serviceName })}
        />
      </Card>
      <Card title="3. Start your application">
        <Tabs label="Language" tabs={LANGUAGES} chosen={language.id} onChoose={(id) => change({ language: id }, true)}>
          {language.steps.map(({ text, code }) => (
            <div key={code}>
              <p>{text}</p>
              <CodeBlock label={text} code={code.replace(ENDPOINT_PLACE, endpoint)} />
            </div>
          ))}
        </Tabs>
      </Card>
      <Card title="4. See the first span">
        {keyId === '' ? (
          <p className={styles.quiet}>Choose a key first. What arrives with it shows here by itself.</p>
        ) : (
          <FirstSpan key={keyId} keyId={keyId} serviceName={serviceName} endpoint={endpoint} />
        )}
      </Card>
    </div>
  );
}
