/** Faults to plant: in `file` the text `from` becomes `to`, and one of `tests` has to fail. */
const MATRIX = ['http/authorization-matrix'];
const TOKENS = ['auth/token-matrix'];

export const MUTANTS = [
  { fault: 'membership: a foreign Grid lets its readers in', file: 'dist/src/http/steps/membership.js', from: 'const role = await roleOf(access, principal, gridId);', to: "const role = (await roleOf(access, principal, gridId)) ?? 'Guest';", tests: MATRIX },
  { fault: 'membership: an API key counts in every Grid', file: 'dist/src/http/steps/membership.js', from: "principal.gridId === gridId ? 'Member' : undefined", to: "'Member'", tests: MATRIX },
  { fault: 'membership: a user counts for an application', file: 'dist/src/http/steps/membership.js', from: 'access.role(gridId, principal.id, principal.kind)', to: 'access.role(gridId, principal.id)', tests: ['e2e/security/tokens', ...MATRIX] },
  { fault: 'query: members of every Grid', file: 'dist/src/queries/administration/administration-queries.js', from: "(await collections()).members, { filter: eq('gridId', gridId) }", to: '(await collections()).members, {}', tests: ['e2e/security/isolation-matrix'] },
  { fault: 'query: keys of every Grid', file: 'dist/src/queries/administration/api-keys.js', from: "store.find(apiKeys, { filter: eq('gridId', gridId) })", to: 'store.find(apiKeys, {})', tests: ['e2e/security/foreign-objects'] },
  { fault: 'query: alert rules of every Grid', file: 'dist/src/queries/alerts.js', from: "found.rules, { filter: eq('gridId', gridId) }", to: 'found.rules, {}', tests: ['e2e/security/isolation-matrix'] },
  { fault: 'role: every member may do everything', file: 'dist/src/http/steps/role.js', from: 'roles.includes(grid.role)', to: 'grid.role', tests: MATRIX },
  { fault: 'role: API keys administer', file: 'dist/src/http/steps/role.js', from: "apiKeys === false && principal.kind === 'key'", to: 'false', tests: MATRIX },
  { fault: 'session: another user’s will do', file: 'dist/src/http/steps/instance.js', from: 'session?.userId !== id', to: 'session === undefined', tests: MATRIX },
  { fault: 'subscription: an inactive Grid goes on', file: 'dist/src/http/steps/membership.js', from: '!grid.subscriptionActive && whileInactive !== true', to: 'false', tests: ['http/order-of-checks'] },
  { fault: 'token: any audience', file: 'dist/src/auth/token-claims.js', from: '!isAudience(claims.aud, expected.audience)', to: 'false', tests: TOKENS },
  { fault: 'token: any issuer', file: 'dist/src/auth/token-claims.js', from: 'claims.iss !== expected.issuer', to: 'false', tests: TOKENS },
  { fault: 'token: an audience among others', file: 'dist/src/auth/token-claims.js', from: 'aud.length === 1 && aud[0] === expected', to: 'aud.includes(expected)', tests: TOKENS },
  { fault: 'token: no end', file: 'dist/src/auth/token-claims.js', from: 'exp + CLOCK_SKEW_SECONDS <= now', to: 'false', tests: TOKENS },
  { fault: 'token: an ID token will do', file: 'dist/src/auth/token-claims.js', from: '!declaredAccessToken && looksLikeIdToken(claims)', to: 'false', tests: TOKENS },
  { fault: 'page: texts are not escaped', file: 'dist/src/http/docs/html.js', from: ': escaped(String(part))', to: ': String(part)', tests: ['http/docs/page'] },
  { fault: 'headers: pages may run what they like', file: 'dist/src/http/security-headers.js', from: `'default-src': ["'none'"]`, to: `'default-src': ["*"]`, tests: ['http/service-pages'] },
  { fault: 'cache: the tag of a picture is the same for all', file: 'dist/src/http/entity-tag.js', from: 'JSON.stringify(content)', to: "''", tests: ['http/entity-tag', 'http/api/charts'] },
  { fault: 'rate: calls cost nothing', file: 'dist/src/http/steps/rate.js', from: 'if (waitMs === 0)', to: 'if (waitMs >= 0)', tests: ['http/rate-limits'] },
  { fault: 'log: API keys are shown', file: 'dist/src/log/cleaning.js', from: '[/(?<![A-Za-z0-9])hs_[A-Za-z0-9-]+_[A-Za-z0-9_-]+/g, REDACTED],', to: '', tests: ['log'] },
  { fault: 'key: the secret is stored as it is', file: 'dist/src/auth/api-keys.js', from: 'secretHash: sha256(secret), text:', to: 'secretHash: secret, text:', tests: ['auth/api-keys'] },
  { fault: 'cache: access is not forgotten when it changes', file: 'dist/src/auth/cached-access.js', from: 'this.#apiKeys.clear();', to: '', tests: ['auth/cached-access'] },
  { fault: 'bomb: gzip inflates without end', file: 'dist/src/telemetry/otlp/inflate.js', from: 'maxOutputLength: Math.max(1, maxBytes)', to: 'maxOutputLength: 2 ** 30', tests: ['telemetry/otlp/inflate'] },
  { fault: 'scatter: a request touches as many minutes as it likes', file: 'dist/src/telemetry/otlp/spread.js', from: 'if (this.places.size > MAX_PLACES)', to: 'if (false)', tests: ['telemetry/otlp/validate'] },
  { fault: 'scatter: a source has series without end', file: 'dist/src/projections/telemetry/rollups/metric-sources.js', from: '(this.isFull(point) || isLong(source, point))', to: 'this.isFull(point)', tests: ['projections/telemetry/rollups/metric-sources'] },
  { fault: 'retry: what is away for a while is told as lost', file: 'dist/src/http/problems/catalogue.js', from: "'unavailable': {\n        status: 503", to: "'unavailable': {\n        status: 500", tests: ['http/problems/problems', 'http/service-pages'] },
  { fault: 'expression: blanks in a prompt take seconds', file: 'src/assistant/analyst/times.ts', from: '(?:(?:the|that|its|our|this)\\s+)?(?:(?:last|latest|most recent|newest|recent)\\s+)?(deployment', to: '(?:the|that|its|our|this)?\\s*(?:last|latest|most recent|newest|recent)?\\s*(deployment', tests: ['security/regular-expressions'] },
  { fault: 'licence: a package under another one', file: 'scripts/supply-chain/packages.mjs', from: "'BlueOak-1.0.0']", to: "'BlueOak-1.0.0', 'GPL-2.0']", tests: ['security/supply-chain'] },
];
