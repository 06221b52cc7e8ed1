/**
 * docs/settings.md: the settings by subject, with examples and what they mean for security. Names, defaults and meanings come
 * from the program; a setting without a place here, or a place without a setting, is an error.
 */
const SUBJECTS = [
  {
    title: 'Addresses and ports',
    text: 'Without a word the service listens on the loopback interface alone.',
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
        security:
          'The key that a page sends is readable by everybody who opens the page: give pages a Grid of their own.',
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
          'Expired, unreadable or ill-matched files stop the start; while the service runs they leave the old certificate in use, and a warning in the log.',
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
          'Whoever sends from such an address can say which client it speaks for. List nothing that clients can send from. The proxy has to replace `X-Forwarded-For` and `X-Forwarded-Proto`, or `Forwarded`, and to remove the other.',
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
    title: 'Engines past one machine',
    text: 'What they are for and how to start them is in [deploying.md](deploying.md) and [scaling.md](scaling.md).',
    settings: {
      eventStoreUrl: {
        example: 'esdb://hindsight:…@log-1:2113,log-2:2113?tls=true',
        security:
          'Holds a password: give it by the environment or a file that others cannot read. Without TLS no credentials are sent. The user needs to read `$all`.',
      },
      readStoreUrl: {
        example: 'mongodb://hindsight:…@db-1:27017,db-2:27017/hindsight?replicaSet=rs0&tls=true',
        security: 'Holds a password. The user needs `readWrite` on the database that the path names.',
      },
      natsUrl: {
        example: 'tls://hindsight:…@bus-1:4222,tls://bus-2:4222',
        security:
          'Holds a password. Hints name Grids and positions, never telemetry; whoever may write there can keep projectors from their work.',
      },
      clusterName: { example: 'hindsight-eu' },
      natsReplicas: { example: '3' },
      projectorShares: { example: '64' },
      roles: { example: 'ingest' },
    },
  },
  {
    title: 'Identity',
    settings: {
      authUrl: {
        example: 'https://login.microsoftonline.com',
        security: 'Unset, and without `NODE_ENV=production`, a development identity provider signs anybody in.',
      },
      authTenantId: { example: '7d6c1f5e-…' },
      authAudience: { security: 'Tokens for any other audience are refused.' },
      authAppPermission: {},
      authDevelopment: {
        example: 'everybody',
        security: 'With `everybody` and a `BIND_ADDRESS` other than loopback, anybody on the network is Owner.',
      },
      portalClientId: {
        security:
          'Register `{PUBLIC_URL}/portal/callback` as its only redirect URI, for the authorization code with PKCE, and let it have refresh tokens.',
      },
      portalClientSecret: {},
      portalSessionSecret: {
        example: 'the output of `openssl rand -base64 48`',
        security: 'Whoever has it, and a cookie, has the tokens in it. A new one signs everybody out.',
      },
      portalSignOut: {
        example: 'provider',
        security:
          'With `portal`, who signs in again on the same machine may be let in by the directory without a password. A directory that does not know the post-logout redirect URI keeps the user on a page of its own, or on an error.',
      },
      production: { example: 'production', security: 'Set it wherever strangers can reach the service.' },
    },
  },
  {
    title: 'The first Grid',
    text: 'They count while the event store is empty, and never again.',
    settings: {
      bootstrapGridId: {},
      bootstrapGridName: {},
      bootstrapApiKey: { security: 'Generated, it has 256 bits. A key of your own should have as many.' },
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
          'Bounds what guessing costs. Behind a proxy set `TRUSTED_PROXIES` too: else all clients share one address.',
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
      speechBaseUrl: { security: 'What is said to the assistant is sent there.' },
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
      selfOtlpApiKey: { security: 'Of a Grid whose members may know how the service is doing.' },
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
  if (confidential) lines.push('- Confidential: its text shows in no message and no log.');
  return lines.join('\n');
}

function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!]$/.test(begun) ? begun : `${begun}.`;
}
