import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { ApiError } from '../../api/api-error';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { FormField } from '../../ui/form-field';
import { EmptyState } from '../../ui/page-states';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { FirstSpanStatus } from './first-span-status';
import { ApiKeySecret, IssueApiKeyForm } from './issue-api-key-form';
import { LANGUAGE_GUIDES } from './language-guides';
import { API_KEY_PLACEHOLDER, ENDPOINT_PLACEHOLDER, renderEnvironment } from './otel-environment';
import { useApiKeys } from './use-api-keys';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

/** Guides through instrumenting an application: API key, environment variables, start command, and the first span. */
export function InstrumentationWizard() {
  const [endpointQuery, keys] = [useOtlpEndpoint(), useApiKeys()];
  return (
    <QueriesBoundary queries={[endpointQuery, keys]} skeleton={<Skeleton height="20rem" />}>
      <QueryBoundary query={endpointQuery}>
        {(endpoint) =>
          endpoint === null ? (
            <EmptyState title="This process does not receive telemetry">
              {' '}
              Another process of this installation does. Ask its operator for the endpoint.
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
  const handleIssued = (key: Schemas['IssuedApiKey']): void => {
    setIssued(key);
    change({ key: key.keyId }, true);
  };
  return (
    <div className={styles.wizard}>
      <ApiKeyStep keyId={keyId} issued={issued} onSelect={(key) => change({ key }, true)} onIssued={handleIssued} />
      <Card title="2. Configure OpenTelemetry">
        <FormField label="Service name">
          {(controlProps) => (
            <input
              {...controlProps}
              className={controls.input}
              value={serviceName}
              onChange={(event) => change({ name: event.target.value }, true)}
            />
          )}
        </FormField>
        <CodeBlock
          label="Environment variables"
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
          selected={language.id}
          onSelect={(id) => change({ language: id }, true)}
        >
          {language.steps.map(({ text, code }) => (
            <div key={code}>
              <p>{text}</p>
              <CodeBlock label={text} code={code.replace(ENDPOINT_PLACEHOLDER, endpoint)} />
            </div>
          ))}
        </Tabs>
      </Card>
      <Card title="4. Check the first span">
        {keyId === '' ? (
          <p className={styles.quiet}>Choose a key first. Data sent with it appears here automatically.</p>
        ) : (
          <FirstSpanStatus key={keyId} keyId={keyId} serviceName={serviceName} endpoint={endpoint} />
        )}
      </Card>
    </div>
  );
}

interface ApiKeyStepProps {
  readonly keyId: string;
  /** The key that was just issued here, with its secret. */
  readonly issued: Schemas['IssuedApiKey'] | undefined;
  readonly onSelect: (keyId: string) => void;
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
}

/** Issues a new key, or selects an existing one, whose secret is not known here. */
function ApiKeyStep({ keyId, issued, onSelect, onIssued }: ApiKeyStepProps) {
  const keys = useApiKeys();
  return (
    <Card title="1. Choose a key">
      <IssueApiKeyForm onIssued={onIssued} kind="send" />
      <QueryBoundary query={keys}>
        {({ apiKeys }) => (
          <FormField label="Or use an existing key">
            {(controlProps) => (
              <select
                {...controlProps}
                className={controls.select}
                value={apiKeys.some((key) => key.keyId === keyId) ? keyId : ''}
                onChange={(event) => onSelect(event.target.value)}
              >
                <option value="">None selected</option>
                {apiKeys
                  .filter(({ kind }) => kind !== 'read')
                  .map((key) => (
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
          Its secret is only known to the person who issued it. Replace <code>{API_KEY_PLACEHOLDER}</code> below with
          it.
        </p>
      )}
    </Card>
  );
}

/** A scrollable code block with a copy button. */
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

/** The OTLP/HTTP endpoint according to the OpenAPI document; null if this process does not receive telemetry. */
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
