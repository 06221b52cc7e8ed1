import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import type { CustomFetch } from 'openid-client';
import { toSignInRequest } from '../../../../src/auth/login/sign-in-request.js';
import { PortalSessions } from '../../../../src/auth/portal/portal-sessions.js';
import { deriveSessionKey, createFileSessionKey } from '../../../../src/auth/portal/session-encryption.js';
import { createLocalEndedSessions } from '../../../support/portal-identity.js';

const ISSUER = 'https://login.example/tenant/v2.0';
const PUBLIC_URL = 'https://hindsight.example';
// Long enough that random text of a cookie never holds it by chance.
const CLIENT_SECRET = 'a-secret-that-no-cookie-holds';
const NOW = Date.now();

/** A directory as companies have one: a client with a secret, and tokens of any length. */
class Directory {
  readonly asked: URLSearchParams[] = [];
  nonce = '';
  accessToken = 'a'.repeat(2_000);
  isAway = false;
  /** What else its metadata say. */
  more: object = {};
  /** Characters of a claim that nobody needs. */
  ballast = '';

  readonly fetch: CustomFetch = async (url, { body }) => {
    if (this.isAway) throw new TypeError('fetch failed');
    if (url.endsWith('/.well-known/openid-configuration'))
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        response_types_supported: ['code'],
        ...this.more,
      });
    this.asked.push(body as URLSearchParams);
    const claims = {
      iss: ISSUER,
      aud: 'portal',
      sub: 'ada',
      name: 'Ada',
      nonce: this.nonce,
      ballast: this.ballast,
      iat: Math.floor(NOW / 1000),
      exp: Math.floor(NOW / 1000) + 3_600,
    };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return Response.json({
      access_token: this.accessToken,
      token_type: 'bearer',
      expires_in: 3_600,
      refresh_token: `r${this.asked.length}`,
      id_token: `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`,
    });
  };
}

describe('a session of the portal with a directory', () => {
  let directory: Directory;
  let sessions: PortalSessions;
  let sessionsThat: (signsOutAtProvider: boolean) => PortalSessions;
  let nowMs: number;
  let jar: Map<string, string>;

  beforeEach(() => {
    [directory, nowMs, jar] = [new Directory(), NOW, new Map()];
    const now = (): number => nowMs;
    const provider = { issuer: ISSUER, clientId: 'portal', clientSecret: CLIENT_SECRET, fetch: directory.fetch };
    sessionsThat = (signsOutAtProvider) =>
      new PortalSessions({
        publicUrl: PUBLIC_URL,
        provider,
        request: toSignInRequest(['api'], undefined),
        key: deriveSessionKey('x'.repeat(32)),
        users: [],
        ended: createLocalEndedSessions(now),
        signsOutAtProvider,
        now,
      });
    sessions = sessionsThat(false);
  });

  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  function keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('; Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
      assert.ok(line.length <= 4_096);
    }
  }
  async function signIn(): Promise<void> {
    const begun = await sessions.beginSignIn('/portal/', undefined, cookies());
    keep(begun.cookies);
    const asked = new URL(begun.location).searchParams;
    directory.nonce = asked.get('nonce') ?? '';
    keep((await sessions.finishSignIn(`code=c&state=${asked.get('state') ?? ''}`, cookies())).cookies);
  }

  it('shows the secret of its client to the directory alone', async () => {
    await signIn();
    assert.deepEqual(
      [directory.asked[0].get('client_id'), directory.asked[0].get('client_secret')],
      ['portal', CLIENT_SECRET],
    );
    assert.ok((directory.asked[0].get('code_verifier') ?? '').length >= 43);
    assert.deepEqual((await sessions.readCurrent(cookies())).session?.user, { id: 'ada', name: 'Ada' });
    assert.ok(!cookies().includes(CLIENT_SECRET));
  });

  it('takes as many cookies as its tokens need, and gives back those that it needs no more', async () => {
    directory.accessToken = 'a'.repeat(7_000);
    await signIn();
    const names = [0, 1, 2].map((at) => `__Host-hindsight_session${at === 0 ? '' : `.${at}`}`);
    assert.deepEqual([...jar.keys()], names);
    assert.equal((await sessions.readCurrent(cookies())).session?.accessToken, directory.accessToken);
    assert.equal((await sessions.readCurrent(cookies().split('; ').slice(0, 2).join('; '))).session, undefined);
    directory.accessToken = 'b'.repeat(1_000);
    nowMs += 3_500_000;
    keep((await sessions.readCurrent(cookies())).cookies);
    assert.deepEqual([...jar.keys()], names.slice(0, 1));
    assert.equal((await sessions.readCurrent(cookies())).session?.accessToken, directory.accessToken);
    assert.equal(directory.asked.length, 2);
  });

  it('is not begun with tokens that no cookies hold', async () => {
    directory.accessToken = 'a'.repeat(20_000);
    await assert.rejects(signIn(), { code: 'too-large' });
  });

  describe('that ends', () => {
    const END = 'https://login.example/logout?tenant=t';

    /** Where it leads, and what that is told. */
    async function ended(): Promise<{ readonly at: string; readonly reported: Record<string, string> }> {
      const { location, cookies: lines } = await sessions.signOut(cookies());
      keep(lines);
      assert.deepEqual([...jar.keys()], []);
      const address = new URL(location, PUBLIC_URL);
      return { at: address.origin + address.pathname, reported: Object.fromEntries(address.searchParams) };
    }

    it('leads to the directory, with who it was, where that is wanted and the directory ends sessions', async () => {
      [sessions, directory.more] = [sessionsThat(true), { end_session_endpoint: END }];
      await signIn();
      const {
        at,
        reported: { id_token_hint: hint, ...reported },
      } = await ended();
      assert.deepEqual(
        [at, reported],
        [
          'https://login.example/logout',
          { tenant: 't', client_id: 'portal', post_logout_redirect_uri: `${PUBLIC_URL}/portal/` },
        ],
      );
      assert.equal(decodeJwt(hint).sub, 'ada');
    });

    it('still says who it was after its tokens were renewed', async () => {
      [sessions, directory.more] = [sessionsThat(true), { end_session_endpoint: END }];
      await signIn();
      nowMs += 3_500_000;
      directory.ballast = 'newer';
      keep((await sessions.readCurrent(cookies())).cookies);
      assert.equal(decodeJwt((await ended()).reported['id_token_hint']).ballast, 'newer');
    });

    it('does not say who it was where cookies have no room for that, and is a session all the same', async () => {
      [sessions, directory.more, directory.ballast] = [
        sessionsThat(true),
        { end_session_endpoint: END },
        'x'.repeat(8_000),
      ];
      await signIn();
      assert.deepEqual((await sessions.readCurrent(cookies())).session?.user, { id: 'ada', name: 'Ada' });
      assert.deepEqual(Object.keys((await ended()).reported).sort(), [
        'client_id',
        'post_logout_redirect_uri',
        'tenant',
      ]);
    });

    it('stays here where the directory ends no sessions, or is unavailable', async () => {
      sessions = sessionsThat(true);
      await signIn();
      assert.equal((await ended()).at, `${PUBLIC_URL}/portal/`);
      [sessions, directory.isAway] = [sessionsThat(true), true];
      assert.equal((await ended()).at, `${PUBLIC_URL}/portal/`);
    });

    it('stays here where nobody may be sent to the address that the directory names', async () => {
      for (const end of ['nowhere', 'http://login.example/logout']) {
        [sessions, directory.more] = [sessionsThat(true), { end_session_endpoint: end }];
        await signIn();
        assert.equal((await ended()).at, `${PUBLIC_URL}/portal/`);
      }
    });

    it('stays here unless more is wanted, and has kept nothing for it', async () => {
      [directory.more, directory.ballast] = [{ end_session_endpoint: END }, 'x'.repeat(8_000)];
      await signIn();
      assert.equal(jar.size, 1);
      assert.equal((await ended()).at, `${PUBLIC_URL}/portal/`);
    });
  });
});

describe('the key of sessions', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindsight-session-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is made once, for its owner alone, and found again', async () => {
    const file = join(folder, 'key');
    const key = await createFileSessionKey(file)();
    assert.equal(key.length, 32);
    assert.deepEqual(await createFileSessionKey(file)(), key);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await readFile(file, 'utf8')).trim(), Buffer.from(key).toString('base64url'));
  });

  it('is not guessed where the file holds none', async () => {
    const file = join(folder, 'key');
    await writeFile(file, 'too short');
    await assert.rejects(createFileSessionKey(file)(), /contains no valid key/);
  });

  it('is another one for another secret, and the same for the same', async () => {
    const [one, same, other] = await Promise.all(
      ['a', 'a', 'b'].map((letter) => deriveSessionKey(letter.repeat(32))()),
    );
    assert.deepEqual(one, same);
    assert.notDeepEqual(one, other);
  });
});
