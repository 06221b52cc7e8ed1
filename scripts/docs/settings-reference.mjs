/**
 * docs/settings.md: the settings by subject, with examples and what they mean for security. Names, defaults and meanings come
 * from the program; a setting without a place here, or a place without a setting, is an error.
 */
const SUBJECTS = [
  {
    title: 'Addresses and ports',
    text: 'By default the service listens on the loopback interface only.',
    settings: {
      httpPort: {},
      otlpHttpPort: {},
      otlpGrpcPort: {},
      metricsPort: {
        example: '9464',
        security:
          '`/metrics` asks for no credentials. It names no Grid, key or user; on a port of its own it can be kept from the network.',
      },
      bindAddress: {
        example: '0.0.0.0',
        security:
          'Anything but loopback, without TLS and without a trusted proxy, lets others read keys and tokens on their way: the start warns.',
      },
      publicUrl: {
        example: 'https://hindsight.example',
        security: 'Redirects of sign-ins, and the problem types, lead here. The `Host` header is never used.',
      },
      otlpAllowedOrigins: {
        example: 'https://shop.example',
        security: 'Anyone who opens the page can read the key that it sends: give pages a Grid of their own.',
      },
    },
  },
  {
    title: 'TLS, proxies and connections',
    text: 'How to set them up is in [deploying.md](deploying.md).',
    settings: {
      tlsCertFile: {
        example: '/etc/hindsight/fullchain.pem',
        security:
          'The service does not start with expired, unreadable or mismatched files; while it runs, it keeps the old certificate and logs a warning.',
      },
      tlsKeyFile: {
        example: '/etc/hindsight/privkey.pem',
        security: 'Readable by the user of the service alone (mode 0400 or 0600).',
      },
      connectionsPerAddress: {
        security:
          'Keeps one address from taking all connections. Never more than three quarters of the total of the server, which is lower where `ulimit -n` is. Behind a proxy set `TRUSTED_PROXIES`: else all clients share one address.',
      },
      trustedProxies: {
        example: '127.0.0.1,10.0.0.0/8',
        security:
          'Anyone who can send from such an address can claim to be any client. Do not list addresses that clients can send from. The proxy must replace `X-Forwarded-For` and `X-Forwarded-Proto`, or `Forwarded`, and remove the other.',
      },
    },
  },
  {
    title: 'Notifications',
    text: 'How alerts reach people is in [alerting.md](alerting.md).',
    settings: {
      smtpUrl: {
        example: 'smtps://hindsight:password@mail.example:465',
        security: 'Holds the password of the mail server: readable by the user of the service alone.',
      },
      smtpFrom: { example: 'Hindsight <alerts@shop.example>' },
      notifySecret: {
        example: '0dc5…32 or more characters',
        security:
          'Anyone who has it and the log can read the addresses and credentials of channels. Without it, the key is `DATA_DIR/notify-key` (mode 0600), which backups do not contain: after a restore elsewhere, enter channels again.',
      },
      notifyPrivateAddresses: {
        example: 'allow',
        security:
          'Members of a Grid choose the addresses of channels: `allow` lets them send requests into the network of the service. The answer is shown in part.',
      },
    },
  },
  {
    title: 'Storage',
    settings: {
      dataDir: {
        example: '/var/lib/hindsight',
        security:
          'Mode 0700. It holds all telemetry, hashes of keys, and `bootstrap.json` with the first key: remove that file once the key is kept elsewhere.',
      },
      retentionDays: {
        example: '14',
        security: 'Telemetry may hold personal data: do not keep it longer than needed.',
      },
    },
  },
  {
    title: 'External stores and clustering',
    text: 'What they are for and how to start them is in [deploying.md](deploying.md) and [scaling.md](scaling.md).',
    settings: {
      eventStoreUrl: {
        example: 'esdb://hindsight:…@log-1:2113,log-2:2113?tls=true',
        security:
          'Contains a password: set it in the environment or in a file that others cannot read. Without TLS no credentials are sent. The user needs to read `$all`.',
      },
      readStoreUrl: {
        example: 'mongodb://hindsight:…@db-1:27017,db-2:27017/hindsight?replicaSet=rs0&tls=true',
        security: 'Holds a password. The user needs `readWrite` on the database that the path names.',
      },
      natsUrl: {
        example: 'tls://hindsight:…@bus-1:4222,tls://bus-2:4222',
        security:
          'Holds a password. Hints contain ids of Grids and positions, never telemetry; anyone who can write there can stop projectors from working.',
      },
      clusterName: { example: 'hindsight-eu' },
      natsReplicas: { example: '3' },
      projectorShares: { example: '64' },
      storeTimeoutMs: { example: '5s' },
      roles: { example: 'ingest' },
    },
  },
  {
    title: 'Identity',
    text: 'How to set up each identity provider is in [sign-in.md](sign-in.md).',
    settings: {
      oidcIssuer: {
        example: 'https://login.example/realms/shop',
        security:
          'Whoever controls this provider can sign in as anyone. If it and `AUTH_URL` are unset and `NODE_ENV` is not `production`, a development identity provider lets anyone sign in.',
      },
      oidcAudience: {
        example: 'https://hindsight.example/api',
        security:
          'Tokens without such an audience are refused. Every service in the list can use the tokens that it receives here.',
      },
      oidcScopes: { example: 'openid profile email offline_access groups' },
      oidcUserClaim: {
        example: 'preferred_username',
        security: 'A claim that users can change themselves lets them become somebody else.',
      },
      oidcRoleClaim: { example: 'realm_access.roles' },
      oidcRoleMap: {
        example:
          'operations=7c9e6679-7425-40de-944b-e07fc1f90ae7:Owner,developers=7c9e6679-7425-40de-944b-e07fc1f90ae7:Member',
        security: 'Whoever can put the value into a token has the role.',
      },
      authUrl: {
        example: 'https://login.microsoftonline.com',
        security:
          'If it is unset and `NODE_ENV` is not `production`, a development identity provider lets anyone sign in.',
      },
      authTenantId: { example: '7d6c1f5e-…' },
      authAudience: { security: 'Tokens for any other audience are refused.' },
      authAppPermission: {},
      authDevelopment: {
        example: 'everybody',
        security: 'With `everybody` and a `BIND_ADDRESS` other than loopback, anyone on the network can become Owner.',
      },
      portalClientId: {
        security:
          'Register `{PUBLIC_URL}/portal/callback` as its only redirect URI, for the authorization code with PKCE, and let it have refresh tokens.',
      },
      portalClientSecret: {},
      cliClientId: { security: 'A public client: register no redirect URI but those of loopback.' },
      cliClientSecret: {
        security: 'Everyone who can reach the service can read it. Never the secret of another client.',
      },
      portalSessionSecret: {
        example: 'the output of `openssl rand -base64 48`',
        security: 'Anyone who has it and a cookie can read the tokens in the cookie. A new value signs all users out.',
      },
      portalSignOut: {
        example: 'provider',
        security:
          'With `portal`, the directory may let the next user of the same machine sign in without a password. A directory that does not know the post-logout redirect URI keeps the user on a page of its own, or on an error.',
      },
      production: { example: 'production', security: 'Set it wherever strangers can reach the service.' },
    },
  },
  {
    title: 'The first Grid',
    text: 'They apply only while the event store is empty.',
    settings: {
      bootstrapGridId: {},
      bootstrapGridName: {},
      bootstrapApiKey: { security: 'A generated key has 256 random bits. Your own key should have as many.' },
      bootstrapOwner: {
        example: 'the `oid` of your user',
        security: 'Owns the first Grid: the id that your directory puts into tokens.',
      },
    },
  },
  {
    title: 'Limits',
    settings: {
      rateLimitUserPerMinute: {},
      gridCreators: {
        example: '8c1f0b6e-0a5d-4f27-9d0e-6a1b2c3d4e5f,hindsight-automation',
        security: 'Each Grid has limits of its own: where strangers can sign in, name those who may create Grids.',
      },
      gridsPerUser: {},
      keysPerGrid: {},
      rateLimitGridPerMinute: {},
      memoryLimit: { example: '2GiB' },
      failedCredentialsPerMinute: {
        security:
          'Limits the cost of guessing. Behind a proxy also set `TRUSTED_PROXIES`; otherwise all clients share one address.',
      },
    },
  },
  {
    title: 'Assistant and speech',
    text: 'Without them the built-in analyst and the local engines answer, and nothing leaves the machine.',
    settings: {
      llmBaseUrl: { example: 'https://llm.example/v1', security: 'What the tools find in a Grid is sent there.' },
      llmModel: {},
      llmApiKey: {},
      speechBaseUrl: { security: 'Speech to and from the assistant is sent there.' },
      speechApiKey: {},
      ttsModel: {},
      sttModel: {},
    },
  },
  {
    title: 'Own log and telemetry',
    settings: {
      logLevel: {
        security: 'No level writes a key, a token, a prompt or a body. `debug` writes addresses of clients.',
      },
      selfOtlpEndpoint: {
        example: 'http://127.0.0.1:4318',
        security: 'Spans name operations and statuses; no Grid, user, question or answer.',
      },
      selfOtlpApiKey: { security: 'Use the key of a Grid whose members may see the state of the service.' },
    },
  },
];

/** The whole document. Throws where settings and subjects differ. */
export function settingsReference(table) {
  const placed = SUBJECTS.flatMap(({ settings }) => Object.keys(settings));
  const odd = [
    ...Object.keys(table).filter((key) => !placed.includes(key)),
    ...placed.filter((key) => !(key in table)),
  ];
  if (odd.length > 0) throw new Error(`scripts/docs/settings-reference.mjs does not place: ${odd.join(', ')}`);
  return [PREFACE, ...SUBJECTS.map((subject) => chapter(subject, table))].join('\n\n') + '\n';
}

const PREFACE = `# Settings

<!-- generated by \`npm run docs\` from src/config/setting-definitions.ts and scripts/docs/settings-reference.mjs: do not edit -->

The environment sets them, or a file \`.env\` in the working directory, which the environment overrides. An empty value counts as
absent. A wrong one stops the start with exit status 78 and one line that names it; confidential ones are never quoted.
Settings are read at start; only the files of the certificate are read again.`;

function chapter({ title, text, settings }, table) {
  const entries = Object.entries(settings).map(([key, more]) => entry(table[key], more));
  return [`## ${title}`, ...(text ? [text] : []), ...entries].join('\n\n');
}

function entry({ name, fallback, otherwise, meaning, confidential }, { example, security }) {
  const lines = [
    `### \`${name}\``,
    '',
    sentence(meaning),
    '',
    `- Default: ${fallback === undefined ? otherwise : `\`${fallback}\``}`,
  ];
  if (example) lines.push(`- Example: ${example.includes('`') ? example : `\`${name}=${example}\``}`);
  if (security) lines.push(`- Security: ${security}`);
  if (confidential) lines.push('- Confidential: never shown in messages or logs.');
  return lines.join('\n');
}

function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!]$/.test(begun) ? begun : `${begun}.`;
}
