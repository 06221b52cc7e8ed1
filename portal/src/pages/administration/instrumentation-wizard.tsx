import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { FormField } from '../../ui/form-field';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import controls from '../../ui/controls.module.css';
import { API_KEY_PLACEHOLDER, ENDPOINT_PLACEHOLDER, renderEnvironment } from './otel-environment';
import { FirstSpanStatus } from './first-span-status';
import { LANGUAGE_GUIDES } from './language-guides';
import { useApiKeys } from './use-api-keys';
import styles from './administration.module.css';
import { ApiKeySecret, IssueApiKeyForm } from './issue-api-key-form';
import { CopyButton } from '../../ui/copy-button';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';

/** From nothing to the first span of an application: a key, four variables, a command, and the proof that it arrived. */
export function InstrumentationWizard() {
  const [address, keys] = [useOtlpEndpoint(), useApiKeys()];
  return (
    <QueriesBoundary queries={[address, keys]} skeleton={<Skeleton height="20rem" />}>
      <QueryBoundary query={address}>
        {(endpoint) =>
          endpoint === null ? (
            <EmptyState title="This process takes no telemetry">
              Another process of this installation does. Its operator knows the address.
            </EmptyState>
          ) : (
            <WizardSteps endpoint={endpoint} />
          )
        }
      </QueryBoundary>
    </QueriesBoundary>
  );
}

function WizardSteps({ endpoint }: { readonly endpoint: string }) {
  const [parameters, change] = useUrlParameters();
  const [issued, setIssued] = useState<Schemas['IssuedApiKey']>();
  const keyId = parameters.get('key') ?? '';
  const serviceName = parameters.get('name') ?? 'my-service';
  const language = LANGUAGE_GUIDES.find(({ id }) => id === parameters.get('language')) ?? LANGUAGE_GUIDES[0]!;
  const issue = (key: Schemas['IssuedApiKey']): void => {
    setIssued(key);
    change({ key: key.keyId }, true);
  };
  return (
    <div className={styles.wizard}>
      <ApiKeyStep keyId={keyId} issued={issued} onChoose={(key) => change({ key }, true)} onIssued={issue} />
      <Card title="2. Tell OpenTelemetry where to send">
        <FormField label="Name of your service">
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={serviceName}
              onChange={(event) => change({ name: event.target.value }, true)}
            />
          )}
        </FormField>
        <CodeBlock
          label="Variables"
          code={renderEnvironment({
            endpoint,
            apiKey: issued?.keyId === keyId ? issued.apiKey : undefined,
            serviceName,
          })}
        />
      </Card>
      <Card title="3. Start your application">
        <Tabs
          label="Language"
          tabs={LANGUAGE_GUIDES}
          chosen={language.id}
          onChoose={(id) => change({ language: id }, true)}
        >
          {language.steps.map(({ text, code }) => (
            <div key={code}>
              <p>{text}</p>
              <CodeBlock label={text} code={code.replace(ENDPOINT_PLACEHOLDER, endpoint)} />
            </div>
          ))}
        </Tabs>
      </Card>
      <Card title="4. See the first span">
        {keyId === '' ? (
          <p className={styles.quiet}>Choose a key first. What arrives with it shows here by itself.</p>
        ) : (
          <FirstSpanStatus key={keyId} keyId={keyId} serviceName={serviceName} endpoint={endpoint} />
        )}
      </Card>
    </div>
  );
}

interface ApiKeyStepProps {
  readonly keyId: string;
  /** The key that was issued here, with its secret. */
  readonly issued: Schemas['IssuedApiKey'] | undefined;
  readonly onChoose: (keyId: string) => void;
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
}

/** A new key, whose secret is known here once, or one that somebody has kept. */
function ApiKeyStep({ keyId, issued, onChoose, onIssued }: ApiKeyStepProps) {
  const keys = useApiKeys();
  return (
    <Card title="1. Choose a key">
      <IssueApiKeyForm onIssued={onIssued} />
      <QueryBoundary query={keys}>
        {({ apiKeys }) => (
          <FormField label="Or one that you have already">
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
          </FormField>
        )}
      </QueryBoundary>
      {issued !== undefined && issued.keyId === keyId && <ApiKeySecret apiKey={issued.apiKey} />}
      {keyId !== '' && issued?.keyId !== keyId && (
        <p className={styles.quiet}>
          Its secret is kept by whoever issued it. Put it in place of <code>{API_KEY_PLACEHOLDER}</code> below.
        </p>
      )}
    </Card>
  );
}

/** Something to copy. It scrolls within its frame. */
function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <CopyButton text={code} />
    </div>
  );
}

interface OpenApiServers {
  readonly paths?: Readonly<Record<string, { readonly servers?: readonly { readonly url: string }[] } | undefined>>;
}

/** Where telemetry is sent to, as the API's own document says; null where this process takes none. */
function useOtlpEndpoint() {
  return useQuery({
    queryKey: ['otlp-address'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal });
      if (!response.ok) throw new ApiError(response.status, {});
      const { paths } = (await response.json()) as OpenApiServers;
      return paths?.['/v1/traces']?.servers?.[0]?.url ?? null;
    },
  });
}
