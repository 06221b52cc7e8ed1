import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../../src/config/setting-definitions.js';
import { read, ROOT } from './compose-files.js';

const CHART = 'deploy/helm/hindsight';
const HAS_HELM = spawnSync('helm', ['version']).status === 0;
const NEEDS = HAS_HELM ? '' : ' (needs helm: go install helm.sh/helm/v3/cmd/helm@v3.19.0)';
const SINGLE = ['publicUrl=https://hindsight.example.com'];
const CLUSTER = [...SINGLE, 'mode=cluster', 'secretName=engines'];
const EVERYTHING = [
  'ingress.enabled=true',
  'ingress.host=hindsight.example.com',
  'ingress.tlsSecretName=certificate',
  'serviceMonitor.enabled=true',
  'tls.secretName=authorities',
  'settings.LOG_LEVEL=debug',
];

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly securityContext: object; readonly containers: readonly Container[] };
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template?: PodTemplate;
    readonly selector?: unknown;
    readonly podSelector?: unknown;
    readonly ports?: readonly { readonly targetPort: string }[];
  };
}

function helm(command: string, values: readonly string[]) {
  const name = command === 'lint' ? ['--strict'] : ['release'];
  // Built by `go install`, helm takes Kubernetes for 1.20.
  const words = [command, ...name, CHART, '--kube-version', '1.30.0', ...values.flatMap((value) => ['--set', value])];
  return spawnSync('helm', words, { cwd: ROOT, encoding: 'utf8' });
}

function render(values: readonly string[]): readonly Resource[] {
  const { status, stdout, stderr } = helm('template', values);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);
}

const podsOf = (resources: readonly Resource[]): readonly PodTemplate[] =>
  resources.flatMap(({ spec }) => spec?.template ?? []);

/** Whether a pod has all the labels of a selector. */
const isSelected = ({ metadata }: PodTemplate, selector: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([name, value]) => metadata.labels[name] === value);

describe('the Helm chart, as text', () => {
  it('has the version of the program', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const chart = parse(read(`${CHART}/Chart.yaml`)) as { version: string; appVersion: string };
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  });

  it('takes secrets from a Secret alone', () => {
    const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as {
      properties: { settings: { propertyNames: { not: { enum: string[] } }; properties: Record<string, unknown> } };
    };
    const { propertyNames, properties } = schema.properties.settings;
    const refused = new Set(propertyNames.not.enum);
    const withoutCredentials = new Set(Object.keys(properties));
    const secrets = Object.values(SETTINGS).filter(({ confidential }) => confidential === true);
    assert.ok(secrets.length > 5);
    assert.deepEqual(
      secrets.map(({ name }) => name).filter((name) => !refused.has(name) && !withoutCredentials.has(name)),
      [],
    );
    const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));
    assert.deepEqual(
      [...refused].filter((name) => !known.has(name)),
      [],
    );
  });
});

(HAS_HELM ? describe : describe.skip)(`the Helm chart, by helm${NEEDS}`, function () {
  this.timeout(60_000);

  for (const [name, values] of Object.entries({
    'one process': SINGLE,
    'a cluster': CLUSTER,
    'one process with all that can be added': [...SINGLE, ...EVERYTHING],
    'a cluster with all that can be added': [...CLUSTER, ...EVERYTHING],
  })) {
    it(`has no fault for ${name}`, () => {
      const { status, stdout } = helm('lint', values);
      assert.equal(status, 0, stdout);
    });

    it(`gives the pods of ${name} no rights, and a root that cannot be written to`, () => {
      const pods = podsOf(render(values));
      assert.equal(pods.length, values.includes('mode=cluster') ? 3 : 1);
      for (const { spec } of pods) {
        assert.deepEqual(spec.securityContext, {
          ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
          ...{ fsGroupChangePolicy: 'OnRootMismatch', seccompProfile: { type: 'RuntimeDefault' } },
        });
        const [container] = spec.containers;
        assert.deepEqual(container.securityContext, {
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        });
        const writable = container.volumeMounts.map(({ mountPath }) => mountPath).filter((path) => path !== '/tls');
        assert.deepEqual(writable, ['/data', '/tmp']);
        // The root of a volume belongs to root: the process could not make it private.
        assert.equal(container.env?.find((each) => each.name === 'DATA_DIR')?.value, '/data/hindsight');
      }
    });

    it(`leads each Service and policy of ${name} to pods that have its ports`, () => {
      const resources = render(values);
      const pods = podsOf(resources);
      const services = resources.filter(({ kind }) => kind === 'Service');
      assert.equal(services.length, 3);
      for (const { spec, metadata } of services) {
        const found = pods.filter((pod) => isSelected(pod, spec.selector as Record<string, string>));
        assert.ok(found.length > 0, metadata.name);
        for (const { targetPort } of spec.ports ?? [])
          for (const pod of found)
            assert.ok(
              pod.spec.containers[0].ports.some((port) => port.name === targetPort),
              `${metadata.name} ${targetPort}`,
            );
      }
      for (const { kind, spec, metadata } of resources.filter((each) => /Budget|NetworkPolicy/.test(each.kind))) {
        const { matchLabels } = (kind === 'NetworkPolicy' ? spec.podSelector : spec.selector) as {
          matchLabels: Record<string, string>;
        };
        assert.ok(
          pods.some((pod) => isSelected(pod, matchLabels)),
          metadata.name,
        );
      }
    });
  }

  it('passes settings on, and each process of a cluster its role', () => {
    const resources = render([...CLUSTER, 'settings.RETENTION_DAYS=14', 'settings.MEMORY_LIMIT=2000000000']);
    assert.deepEqual(resources.find(({ kind }) => kind === 'ConfigMap')?.data, {
      PUBLIC_URL: 'https://hindsight.example.com',
      PROJECTOR_SHARES: '16',
      RETENTION_DAYS: '14',
      MEMORY_LIMIT: '2000000000',
    });
    const roles = podsOf(resources).map(({ spec }) => spec.containers[0].env?.filter(({ name }) => name === 'ROLES'));
    assert.deepEqual(
      roles,
      ['ingest', 'project', 'api'].map((value) => [{ name: 'ROLES', value }]),
    );
  });

  it('takes the image of its version unless another is named', () => {
    const imageOf = (values: readonly string[]) => podsOf(render(values))[0].spec.containers[0].image;
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.equal(
      imageOf([...SINGLE, 'image.repository=registry.example/hindsight']),
      `registry.example/hindsight:${version}`,
    );
    assert.equal(imageOf([...SINGLE, 'image.tag=nightly']), 'hindsight:nightly');
  });

  for (const [fault, values] of Object.entries({
    'without an address': [],
    'with an unknown mode': [...SINGLE, 'mode=both'],
    'with an unknown value': [...SINGLE, 'replicas=3'],
    'with a secret among the settings': [...SINGLE, 'settings.SMTP_URL=smtp://user:secret@mail'],
    'with credentials in an address': [...SINGLE, 'settings.LLM_BASE_URL=https://user:secret@model'],
    'for a cluster without its Secret': [...SINGLE, 'mode=cluster'],
    'with an ingress without a host': [...SINGLE, 'ingress.enabled=true'],
  }))
    it(`is refused ${fault}`, () => assert.notEqual(helm('template', values).status, 0));
});
