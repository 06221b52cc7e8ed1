import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../../src/auth/api-key-secret.js';
import { createGridCommands } from '../../src/commands/grids/grid-commands.js';
import { gridDecider } from '../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../src/commands/handle-command.js';
import { openEventStore } from '../../src/streams/adapters/sqlite/sqlite-event-store.js';
import { InProcessFeed } from '../../src/streams/live/in-process-feed.js';
import { AUDIENCE, IssuerDouble, makeKey, sign, TENANT, type KeyPair } from '../unit/auth/issuer-double.js';
import { CALLERS, type CallerName } from './fake-access.js';
import { ServiceProcess } from './service.js';

export { CALLERS, type CallerName } from './fake-access.js';

/** Part of every text of the Grid, and of no other. */
export const CANARY = { a: 'canary-of-a-5f1c', b: 'canary-of-b-9e27' } as const;
export type GridName = keyof typeof CANARY;

const ROLES_IN_A = { owner: 'Owner', member: 'Member', user: 'User', guest: 'Guest' } as const;

interface GridOfTest {
  readonly id: string;
  readonly apiKey: string;
  readonly keyId: string;
}

export interface CheckedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface Sending {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A service process with two Grids, an identity provider double, and the twelve callers of the authorization matrix. Every
 * response is checked: no caller may receive a text of a Grid to which it has no access.
 */
export class TwoGrids {
  private constructor(
    readonly service: ServiceProcess,
    readonly issuer: IssuerDouble,
    private readonly signer: KeyPair,
    readonly grids: Readonly<Record<GridName, GridOfTest>>,
    private readonly credentials: Readonly<Record<CallerName, Readonly<Record<string, string>>>>,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<TwoGrids> {
    const issuer = new IssuerDouble();
    await issuer.listen();
    const signer = await makeKey('signer');
    issuer.keys = [signer.publicJwk];
    const service = await ServiceProcess.prepare({
      AUTH_URL: issuer.url,
      AUTH_TENANT_ID: TENANT,
      RATE_LIMIT_USER_PER_MINUTE: '0',
      RATE_LIMIT_GRID_PER_MINUTE: '0',
      FAILED_CREDENTIALS_PER_MINUTE: '0',
      ...environment,
    });
    const { grids, revoked } = await seed(service.dataDir);
    await service.start();
    return new TwoGrids(service, issuer, signer, grids, await credentialsOf(issuer, signer, grids, revoked));
  }

  async dispose(): Promise<void> {
    await this.service.dispose();
    await this.issuer.close();
  }

  /** Credentials of the caller. */
  headersOf(caller: CallerName): Readonly<Record<string, string>> {
    return this.credentials[caller];
  }

  /** A token issued now; claims that are undefined are omitted. */
  token(claims: Readonly<Record<string, unknown>>): Promise<string> {
    return sign(this.signer, claimsOf(this.issuer, claims));
  }

  /** Calls the API with a form or a JSON body. Fails if the response contains texts of another Grid. */
  async call(
    caller: CallerName,
    method: string,
    path: string,
    { body, headers }: Sending = {},
  ): Promise<CheckedResponse> {
    const isForm = body instanceof FormData;
    const response = await fetch(this.service.apiUrl + path, {
      method,
      headers: {
        'x-api-version': '2.0',
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...this.credentials[caller],
        ...headers,
      },
      body: body === undefined || isForm ? body : JSON.stringify(body),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const seen = { status: response.status, headers: response.headers, bytes, text: Buffer.from(bytes).toString() };
    this.assertSilent(caller, path, seen);
    return seen;
  }

  /** Sends OTLP/JSON. */
  async send(
    signal: 'traces' | 'logs' | 'metrics',
    request: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<number> {
    const response = await fetch(`${this.service.otlpHttpUrl}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
    });
    await response.arrayBuffer();
    return response.status;
  }

  private assertSilent(caller: CallerName, path: string, { headers, text }: CheckedResponse): void {
    const own = caller.endsWith('of-b') ? 'b' : 'a';
    const foreign = CANARY[own === 'a' ? 'b' : 'a'];
    // The requested path may be repeated in `instance` of a problem document.
    const said = [...headers].flat().join('\n') + text.replaceAll(path.split('?')[0] ?? path, '');
    assert.ok(!said.includes(foreign), `${caller} sees another Grid at ${path}: ${said.slice(0, 500)}`);
    if (caller === 'anonymous' || caller === 'outsider')
      assert.ok(!said.includes(CANARY.a), `${caller} sees a Grid at ${path}`);
  }
}

function claimsOf(issuer: IssuerDouble, claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer.issuer,
    aud: AUDIENCE,
    tid: TENANT,
    sub: 'pairwise',
    scp: 'access',
    iat: now,
    nbf: now,
    exp: now + 3_600,
    ...claims,
  };
}

/** Creates two Grids with members and keys before the first start of the service. */
async function seed(dataDir: string): Promise<{ grids: Record<GridName, GridOfTest>; revoked: string }> {
  const store = await openEventStore(dataDir, new InProcessFeed(`seed-${randomUUID()}`));
  const commands = createGridCommands({
    handle: createCommandHandler(store, gridDecider),
    mintApiKey,
    newId: randomUUID,
    now: Date.now,
  });
  const make = async (name: GridName, owner: string): Promise<GridOfTest> => {
    const { gridId: id } = await commands.createGrid(owner, `Grid ${CANARY[name]}`, { id: owner, kind: 'user' });
    const { apiKey, keyId } = await commands.issueApiKey(owner, id, `Key ${CANARY[name]}`);
    return { id, apiKey, keyId };
  };
  const grids = { a: await make('a', 'owner'), b: await make('b', 'owner-of-b') };
  for (const [id, role] of Object.entries(ROLES_IN_A)) await commands.setMember('owner', grids.a.id, id, role, 'user');
  await commands.setMember('owner', grids.a.id, 'application', 'Member', 'application');
  await commands.setMember('owner-of-b', grids.b.id, `member-${CANARY.b}`, 'Member', 'user');
  const { apiKey: revoked, keyId } = await commands.issueApiKey('owner', grids.a.id, 'Revoked');
  await commands.revokeApiKey('owner', grids.a.id, keyId);
  await store.close();
  return { grids, revoked };
}

async function credentialsOf(
  issuer: IssuerDouble,
  signer: KeyPair,
  { a, b }: Record<GridName, GridOfTest>,
  revoked: string,
): Promise<Record<CallerName, Record<string, string>>> {
  const bearer = async (claims: Readonly<Record<string, unknown>>) => ({
    authorization: `Bearer ${await sign(signer, claimsOf(issuer, claims))}`,
  });
  const application = { sub: 'principal', oid: 'principal', scp: undefined, idtyp: 'app' };
  const known: Partial<Record<CallerName, Record<string, string>>> = {
    application: await bearer({ ...application, azp: 'application', roles: ['Grid.Access'] }),
    'application-without-permission': await bearer({ ...application, azp: 'application' }),
    key: { 'api-key': a.apiKey },
    'key-of-b': { 'api-key': b.apiKey },
    'revoked-key': { 'api-key': revoked },
    anonymous: {},
  };
  return Object.fromEntries(
    await Promise.all(CALLERS.map(async (caller) => [caller, known[caller] ?? (await bearer({ oid: caller }))])),
  ) as Record<CallerName, Record<string, string>>;
}
