import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import {
  readEnvironment,
  readSettings,
  Secret,
  SETTINGS,
  SettingsError,
  withBoundPort,
  type Environment,
  type Setting,
} from '../../../src/config/settings.js';

/** The one line that the operator reads. */
function refusal(env: Environment): string {
  try {
    readSettings(env);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.message;
  }
  return assert.fail(`${JSON.stringify(env)} was taken`);
}

describe('settings', () => {
  it('have the defaults of the contract in an empty environment', () => {
    const settings = readSettings({});
    assert.deepEqual(
      { ...settings, roles: [...settings.roles] },
      {
        httpPort: 8080,
        otlpHttpPort: 4318,
        otlpGrpcPort: 4317,
        otlpAllowedOrigins: [],
        metricsPort: undefined,
        bindAddress: '127.0.0.1',
        tlsCertFile: undefined,
        tlsKeyFile: undefined,
        trustedProxies: [],
        publicUrl: 'http://127.0.0.1:8080',
        dataDir: resolve('data'),
        eventStoreUrl: 'embedded:',
        readStoreUrl: 'embedded:',
        natsUrl: undefined,
        clusterName: 'hindsight',
        connectionsPerAddress: 6_000,
        natsReplicas: 1,
        projectorShares: 1,
        storeTimeoutMs: 2_000,
        roles: ['ingest', 'project', 'api'],
        authUrl: undefined,
        authTenantId: 'dev',
        authAudience: 'api://iapm-api',
        authAppPermission: 'Grid.Access',
        authDevelopment: 'loopback',
        bootstrapGridId: undefined,
        bootstrapGridName: 'demo',
        bootstrapApiKey: undefined,
        bootstrapOwner: 'owner',
        llmBaseUrl: undefined,
        llmModel: undefined,
        llmApiKey: undefined,
        smtpUrl: undefined,
        smtpFrom: 'Hindsight <hindsight@localhost>',
        notifySecret: undefined,
        notifyPrivateAddresses: 'refuse',
        speechBaseUrl: undefined,
        speechApiKey: undefined,
        ttsModel: 'tts-1',
        sttModel: 'whisper-1',
        rateLimitUserPerMinute: 600,
        rateLimitGridPerMinute: 6000,
        gridCreators: undefined,
        gridsPerUser: 20,
        keysPerGrid: 100,
        failedCredentialsPerMinute: 3_000,
        retentionDays: 7,
        logLevel: 'info',
        memoryLimit: undefined,
        selfOtlpEndpoint: undefined,
        selfOtlpApiKey: undefined,
        portalClientId: 'hindsight-portal',
        portalClientSecret: undefined,
        portalSessionSecret: undefined,
        portalSignOut: 'portal',
        oidcIssuer: undefined,
        oidcAudience: undefined,
        oidcScopes: 'openid profile email offline_access',
        oidcUserClaim: undefined,
        oidcRoleClaim: undefined,
        oidcRoleMap: undefined,
        cliClientId: 'hindsight-cli',
        cliClientSecret: undefined,
        production: false,
      },
    );
  });

  it('take what is written', () => {
    const settings = readSettings({
      HTTP_PORT: '0',
      METRICS_PORT: '9464',
      OTLP_ALLOWED_ORIGINS: 'https://Shop.example, http://localhost:3000/,https://eu.example:443',
      BIND_ADDRESS: '::',
      ROLES: 'api, project,ingest',
      AUTH_URL: 'https://login.example.com/',
      BOOTSTRAP_GRID_ID: '0B6C1E0C-54F5-4F22-9E0B-7F0B4B0C1D2E',
      BOOTSTRAP_API_KEY: 'hs_first_0123-4567_89',
      LOG_LEVEL: 'WARN',
      RATE_LIMIT_USER_PER_MINUTE: '0',
      NODE_ENV: 'production',
    });
    assert.equal(settings.httpPort, 0);
    assert.equal(settings.metricsPort, 9464);
    assert.deepEqual(
      settings.otlpAllowedOrigins,
      ['https://shop.example', 'http://localhost:3000', 'https://eu.example'],
      'as browsers write them',
    );
    assert.equal(settings.bindAddress, '::');
    assert.equal(settings.roles.size, 3);
    assert.equal(settings.authUrl, 'https://login.example.com');
    assert.equal(settings.bootstrapGridId, '0b6c1e0c-54f5-4f22-9e0b-7f0b4b0c1d2e');
    assert.equal(settings.bootstrapApiKey?.reveal(), 'hs_first_0123-4567_89');
    assert.equal(settings.logLevel, 'warn');
    assert.equal(settings.rateLimitUserPerMinute, 0);
    assert.equal(settings.production, true);
  });

  it('name who may create Grids, or everybody', () => {
    assert.equal(readSettings({ GRID_CREATORS: 'Everybody' }).gridCreators, undefined);
    assert.deepEqual(readSettings({ GRID_CREATORS: ' alice, bob' }).gridCreators, new Set(['alice', 'bob']));
    assert.match(refusal({ GRID_CREATORS: 'alice,,bob' }), /^GRID_CREATORS must be "everybody", or ids/);
  });

  it('take sizes with binary and decimal units', () => {
    for (const [text, bytes] of [
      ['768MiB', 768 * 2 ** 20],
      ['1.5GiB', 1.5 * 2 ** 30],
      ['2gb', 2e9],
      ['1048576 KiB', 2 ** 30],
      ['1073741824', 2 ** 30],
    ] as const)
      assert.equal(readSettings({ MEMORY_LIMIT: text }).memoryLimit, bytes, text);
    assert.match(
      refusal({ MEMORY_LIMIT: '512MiB' }),
      /^MEMORY_LIMIT must be a size such as 768MiB, 1\.5GiB or 2GB, from 640MiB to 1TiB, not "512MiB"$/,
    );
  });

  it('count as absent when they are empty or blank', () => {
    const settings = readSettings({ HTTP_PORT: '', LLM_API_KEY: '  ', NATS_URL: '' });
    assert.equal(settings.httpPort, 8080);
    assert.equal(settings.llmApiKey, undefined);
  });

  for (const [name, text] of [
    ['HTTP_PORT', 'abc'],
    ['HTTP_PORT', '65536'],
    ['HTTP_PORT', '-1'],
    ['OTLP_HTTP_PORT', '80.5'],
    ['OTLP_GRPC_PORT', '0x10'],
    ['METRICS_PORT', '1e3'],
    ['OTLP_ALLOWED_ORIGINS', '*'],
    ['OTLP_ALLOWED_ORIGINS', 'null'],
    ['OTLP_ALLOWED_ORIGINS', 'shop.example'],
    ['OTLP_ALLOWED_ORIGINS', 'https://*.example/x'],
    ['OTLP_ALLOWED_ORIGINS', 'https://shop.example,'],
    ['OTLP_ALLOWED_ORIGINS', 'none,https://shop.example'],
    ['BIND_ADDRESS', 'not an address'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['TRUSTED_PROXIES', 'none,10.0.0.1'],
    ['FAILED_CREDENTIALS_PER_MINUTE', '-1'],
    ['CONNECTIONS_PER_ADDRESS', '-1'],
    ['CONNECTIONS_PER_ADDRESS', 'many'],
    ['MEMORY_LIMIT', 'much'],
    ['MEMORY_LIMIT', '-1GiB'],
    ['MEMORY_LIMIT', '1 TiB'],
    ['MEMORY_LIMIT', '1e3MiB'],
    ['MEMORY_LIMIT', '2TB'],
    ['MEMORY_LIMIT', '639MiB'],
    ['SELF_OTLP_ENDPOINT', 'localhost:4318'],
    ['SELF_OTLP_API_KEY', 'hunter2'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://example.com/?x=1'],
    ['PUBLIC_URL', 'https://example.com/base'],
    ['PUBLIC_URL', 'https://example.com/base/'],
    ['PORTAL_SIGN_OUT', 'everywhere'],
    ['AUTH_URL', 'https://user:password@example.com'],
    ['AUTH_TENANT_ID', '../other'],
    ['OIDC_ISSUER', 'login.example'],
    ['OIDC_ISSUER', 'https://login.example/?tenant=1'],
    ['OIDC_AUDIENCE', 'a,,b'],
    ['OIDC_SCOPES', 'profile email'],
    ['OIDC_SCOPES', 'openid "email"'],
    ['OIDC_ROLE_MAP', 'ops'],
    ['OIDC_ROLE_MAP', 'ops=first:Owner'],
    ['OIDC_ROLE_MAP', 'ops=7c9e6679-7425-40de-944b-e07fc1f90ae7:Admin'],
    ['OIDC_ROLE_MAP', 'ops=7c9e6679-7425-40de-944b-e07fc1f90ae7:Owner,'],
    ['OIDC_ROLE_MAP', '=7c9e6679-7425-40de-944b-e07fc1f90ae7:Owner'],
    ['EVENT_STORE_URL', 'sqlite:'],
    ['READ_STORE_URL', 'postgres://h'],
    ['ROLES', 'ingest,serve'],
    ['ROLES', ','],
    ['BOOTSTRAP_GRID_ID', 'first'],
    ['BOOTSTRAP_API_KEY', 'hunter2'],
    ['BOOTSTRAP_API_KEY', 'hs_first_short'],
    ['LLM_BASE_URL', 'localhost:1234'],
    ['RATE_LIMIT_USER_PER_MINUTE', 'many'],
    ['RETENTION_DAYS', '-7'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    it(`are refused in one line that names them: ${name}=${text}`, () => {
      const line = refusal({ [name]: text });
      assert.match(line, new RegExp(`^${name} must `));
      assert.doesNotMatch(line, /\n/);
    });
  }

  const GRID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const OIDC = { OIDC_ISSUER: 'https://shop.eu.auth0.com/' };

  it('take any OpenID provider, and keep the issuer as it is written', () => {
    const settings = readSettings({
      ...OIDC,
      OIDC_AUDIENCE: 'https://api.example, portal',
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLE_MAP: `ops=${GRID}:owner, cn=dev,ou=shop=${GRID.toUpperCase()}:Guest`,
    });
    assert.equal(settings.oidcIssuer, 'https://shop.eu.auth0.com/');
    assert.deepEqual(settings.oidcAudience, ['https://api.example', 'portal']);
    assert.deepEqual(settings.oidcRoleMap, [
      { claimValue: 'ops', gridId: GRID, role: 'Owner' },
      { claimValue: 'cn=dev,ou=shop', gridId: GRID, role: 'Guest' },
    ]);
  });

  it('take one identity provider', () => {
    for (const other of [{ AUTH_URL: 'https://login.example' }, { AUTH_TENANT_ID: 'dev' }])
      assert.match(
        refusal({ ...OIDC, ...other }),
        new RegExp(`^OIDC_ISSUER must not be set together with ${Object.keys(other).join('')}`),
      );
    assert.match(refusal({ OIDC_AUDIENCE: 'x' }), /^OIDC_ISSUER must be set together with OIDC_AUDIENCE/);
    assert.match(
      refusal({ ...OIDC, OIDC_ROLE_CLAIM: 'groups' }),
      /^OIDC_ROLE_MAP must be set together with OIDC_ROLE_CLAIM/,
    );
  });

  const DISTRIBUTED = {
    EVENT_STORE_URL: 'esdb://admin:changeit@store:2113',
    READ_STORE_URL: 'mongodb://admin:changeit@store/hindsight',
  };

  for (const [name, text] of [
    ['EVENT_STORE_URL', 'esdb://admin:changeit@store:2113'],
    ['EVENT_STORE_URL', 'kurrentdb+discover://admin:changeit@store:2113'],
    ['READ_STORE_URL', 'mongodb://admin:changeit@store'],
    ['READ_STORE_URL', 'mongodb+srv://store'],
    ['NATS_URL', 'nats://admin:changeit@bus,nats://other'],
    ['NATS_URL', 'tls://token@bus:4222'],
  ] as const) {
    it(`take the address of another engine: ${name}=${text.split(':')[0]}`, () => {
      const { eventStoreUrl, readStoreUrl, natsUrl } = readSettings({ [name]: text });
      assert.ok([eventStoreUrl, readStoreUrl, natsUrl].includes(text));
    });
  }

  for (const [name, text] of [
    ['EVENT_STORE_URL', 'postgres://admin:changeit@store'],
    ['READ_STORE_URL', 'mongodb:admin:changeit@store'],
    ['NATS_URL', 'nats://a,http://admin:changeit@bus'],
  ] as const) {
    it(`refuse an address that is none, without repeating it: ${name}=${text.split(':')[0]}`, () => {
      const line = refusal({ [name]: text });
      assert.match(line, new RegExp(`^${name} must be`));
      assert.doesNotMatch(line, /changeit/);
    });
  }

  it('split roles over processes that share their engines', () => {
    assert.deepEqual([...readSettings({ ...DISTRIBUTED, ROLES: 'api' }).roles], ['api']);
    assert.match(refusal({ EVENT_STORE_URL: DISTRIBUTED.EVENT_STORE_URL, ROLES: 'api' }), /^ROLES /);
    assert.match(refusal({ READ_STORE_URL: DISTRIBUTED.READ_STORE_URL, ROLES: 'ingest' }), /^ROLES /);
  });

  it('have shares of Grids with MongoDB alone', () => {
    assert.equal(readSettings({ PROJECTOR_SHARES: '32' }).projectorShares, 1);
    assert.equal(readSettings(DISTRIBUTED).projectorShares, 16);
    assert.equal(readSettings({ ...DISTRIBUTED, PROJECTOR_SHARES: '64' }).projectorShares, 64);
    for (const count of ['0', '3', '512', '1.5'])
      assert.match(refusal({ PROJECTOR_SHARES: count }), /^PROJECTOR_SHARES must be /);
  });

  it('take durations with a unit', () => {
    for (const [text, ms] of Object.entries({ '1s': 1_000, '1500ms': 1_500, '2.5s': 2_500, '1m': 60_000 }))
      assert.equal(readSettings({ STORE_TIMEOUT: text }).storeTimeoutMs, ms);
    for (const text of ['2', '0s', '999ms', '61s', '2 minutes', '-1s'])
      assert.match(refusal({ STORE_TIMEOUT: text }), /^STORE_TIMEOUT must be a duration such as .*, from 1s to 60s/);
  });

  it('never quote a confidential value', () => {
    assert.doesNotMatch(refusal({ BOOTSTRAP_API_KEY: 'hunter2' }), /hunter2/);
    assert.doesNotMatch(refusal({ LLM_BASE_URL: 'https://user:hunter2@example.com' }), /hunter2/);
  });

  it('quote an escaped and cut value otherwise', () => {
    const line = refusal({ LOG_LEVEL: `a\n\u001b[31m${'x'.repeat(500)}` });
    assert.match(line, /not "a\\n\\u001b\[31mx+"$/);
    assert.ok(line.length < 250);
  });

  it('refuse a part of the roles while a store is embedded', () => {
    assert.match(refusal({ ROLES: 'api' }), /^ROLES must be ingest,project,api /);
    assert.match(refusal({ ROLES: 'ingest,project' }), /^ROLES /);
  });

  it('refuse an endpoint for chat without the name of a model', () => {
    assert.match(
      refusal({ LLM_BASE_URL: 'https://llm.example/v1' }),
      /^LLM_MODEL must be set together with LLM_BASE_URL/,
    );
    assert.equal(readSettings({ LLM_BASE_URL: 'https://llm.example/v1', LLM_MODEL: 'm' }).llmModel, 'm');
  });

  it('refuse half of a certificate, and half of an own telemetry', () => {
    assert.match(refusal({ TLS_CERT_FILE: 'a.pem' }), /^TLS_KEY_FILE must be set together with TLS_CERT_FILE/);
    assert.match(refusal({ TLS_KEY_FILE: 'a.pem' }), /^TLS_CERT_FILE must be set together with TLS_KEY_FILE/);
    assert.match(
      refusal({ SELF_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }),
      /^SELF_OTLP_API_KEY must be set together with SELF_OTLP_ENDPOINT/,
    );
    assert.match(
      refusal({ SELF_OTLP_API_KEY: 'hs_self_01234567' }),
      /^SELF_OTLP_ENDPOINT must be set together with SELF_OTLP_API_KEY/,
    );
  });

  it('begin the default of PUBLIC_URL with https where there is a certificate, and leave another alone', () => {
    const files = { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' };
    assert.equal(readSettings(files).publicUrl, 'https://127.0.0.1:8080');
    assert.equal(withBoundPort(readSettings({ ...files, HTTP_PORT: '0' }), 4711).publicUrl, 'https://127.0.0.1:4711');
    assert.equal(
      readSettings({ ...files, PUBLIC_URL: 'http://hindsight.example' }).publicUrl,
      'http://hindsight.example',
    );
    assert.equal(readSettings(files).tlsCertFile, resolve('cert.pem'));
  });

  it('read addresses and networks of proxies', () => {
    assert.deepEqual(readSettings({ TRUSTED_PROXIES: '10.0.0.5, fd00::/8,192.168.0.0/16' }).trustedProxies, [
      { address: '10.0.0.5', bits: 32, family: 'ipv4' },
      { address: 'fd00::', bits: 8, family: 'ipv6' },
      { address: '192.168.0.0', bits: 16, family: 'ipv4' },
    ]);
  });

  it('refuse two listeners on one port, but let METRICS_PORT repeat HTTP_PORT', () => {
    assert.match(refusal({ HTTP_PORT: '4317' }), /^OTLP_GRPC_PORT must differ from HTTP_PORT/);
    assert.match(
      refusal({ OTLP_HTTP_PORT: '5000', OTLP_GRPC_PORT: '5000' }),
      /^OTLP_GRPC_PORT must differ from OTLP_HTTP_PORT/,
    );
    assert.match(refusal({ METRICS_PORT: '4318' }), /^METRICS_PORT must differ from OTLP_HTTP_PORT/);
    assert.equal(readSettings({ METRICS_PORT: '8080' }).metricsPort, 8080);
    assert.equal(
      readSettings({ HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0', METRICS_PORT: '0' }).metricsPort,
      0,
    );
  });

  it('document every row: a unique name, a meaning and a default', () => {
    const rows: Setting<unknown>[] = Object.values(SETTINGS);
    assert.equal(new Set(rows.map((row) => row.name)).size, rows.length);
    for (const row of rows) {
      assert.match(row.name, /^[A-Z][A-Z_]+$/);
      assert.ok(row.meaning.length > 5 && (row.fallback ?? row.otherwise), row.name);
    }
  });
});

describe('PUBLIC_URL', () => {
  it('follows HTTP_PORT, also once a free port was found', () => {
    assert.equal(readSettings({ HTTP_PORT: '9000' }).publicUrl, 'http://127.0.0.1:9000');
    const bound = withBoundPort(readSettings({ HTTP_PORT: '0' }), 43210);
    assert.equal(bound.httpPort, 43210);
    assert.equal(bound.publicUrl, 'http://127.0.0.1:43210');
  });

  it('stays as it was set', () => {
    const settings = readSettings({ HTTP_PORT: '0', PUBLIC_URL: 'https://hindsight.example.com:8443/' });
    assert.equal(withBoundPort(settings, 43210).publicUrl, 'https://hindsight.example.com:8443');
  });
});

describe('a secret', () => {
  const { llmApiKey } = readSettings({ LLM_API_KEY: 'sk-canary' });

  it('is given only when it is asked for', () => {
    assert.equal(llmApiKey?.reveal(), 'sk-canary');
  });

  it('does not print', () => {
    const prints = [
      `${String(llmApiKey)}`,
      JSON.stringify({ llmApiKey }),
      inspect({ llmApiKey }, { showHidden: true, depth: 9 }),
      Object.values(llmApiKey ?? {}).join(),
    ];
    assert.doesNotMatch(prints.join('\n'), /canary/);
    assert.equal(String(new Secret('x')), '[secret]');
  });
});

describe('the environment', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-config-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is read from .env too, and what is really set wins', () => {
    writeFileSync(join(folder, '.env'), 'HTTP_PORT=9001\nRETENTION_DAYS="3" # days\n');
    const env = readEnvironment(folder, { HTTP_PORT: '9002' });
    assert.equal(env['HTTP_PORT'], '9002');
    assert.equal(env['RETENTION_DAYS'], '3');
  });

  it('needs no .env', () => {
    assert.deepEqual(readEnvironment(folder, { A: '1' }), { A: '1' });
  });

  it('leaves the environment of the process as it is', () => {
    writeFileSync(join(folder, '.env'), 'HINDSIGHT_CONFIG_TEST=1\n');
    assert.equal(readEnvironment(folder)['HINDSIGHT_CONFIG_TEST'], '1');
    assert.equal(process.env['HINDSIGHT_CONFIG_TEST'], undefined);
  });

  it('with a .env that cannot be read stops the start', () => {
    mkdirSync(join(folder, '.env'));
    assert.throws(
      () => readEnvironment(folder, {}),
      (error: unknown) => error instanceof SettingsError && error.message.startsWith('.env cannot be read'),
    );
  });
});
