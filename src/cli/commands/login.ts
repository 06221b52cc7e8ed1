import type { Command } from 'commander';
import { openBrowser } from '../browser.js';
import { readCliEnvironment } from '../environment.js';
import { withExamples } from '../examples.js';
import { finish } from '../finish.js';
import { operatorOfThisMachine } from '../local-administration.js';
import { note, print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { record } from '../terminal/table.js';
import { callerOf, remoteUrl, tokenCache, withTarget, type TargetOptions } from '../with-administration.js';

interface LoginOptions extends TargetOptions {
  readonly browser: boolean;
  readonly loginHint?: string;
  readonly clientId?: string;
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;

export function addLogin(program: Command): void {
  const login = program.command('login').description('sign in to a service through the browser; later commands act as you there')
    .option('--no-browser', 'print the address to open instead of opening it')
    .option('--login-hint <user>', 'tell the identity provider who you are; the development one signs in at once by it')
    .option('--client-id <id>', 'as which public client; else HINDSIGHT_CLIENT_ID, else hindsight-cli')
    .action((options: LoginOptions) => finish(() => signIn(options)));
  withExamples(withTarget(login), 'hindsight login --url https://hindsight.example', 'hindsight login --no-browser');
  const logout = program.command('logout').description('forget the login to a service')
    .action((options: TargetOptions) => finish(() => signOut(options)));
  withExamples(withTarget(logout), 'hindsight logout --url https://hindsight.example');
  const whoami = program.command('whoami').description('tell as whom commands act; exits 77 when nobody is logged in')
    .action((options: TargetOptions) => finish(() => tell(options)));
  withExamples(withTarget(whoami), 'hindsight whoami --url https://hindsight.example');
}

async function signIn({ browser, loginHint, clientId, ...options }: LoginOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  const url = remoteUrl(options, environment);
  if (url.startsWith('http:') && !LOOPBACK.test(url)) note('warning: without https anybody on the way can read your token');
  const { logIn } = await import('../../auth/login/login.js');
  const { user, issuer, expiresAt } = await logIn(tokenCache(environment), url, {
    loginHint,
    clientId: clientId ?? environment.clientId,
    open: (address) => invite(address, browser),
    now: Date.now,
  });
  print(options.json === true, { url, issuer, userId: user.id, name: user.name, expiresAt: iso(expiresAt) }, `logged in to ${url} as ${shownText(user.name)}`);
  return true;
}

function invite(address: URL, browser: boolean): void {
  if (browser) openBrowser(address.href, () => note('no browser could be opened'));
  note(`${browser ? 'If no browser opens, sign in at' : 'Sign in at'}\n  ${address.href}`);
}

async function signOut(options: TargetOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  const url = remoteUrl(options, environment);
  const { logOut } = await import('../../auth/login/login.js');
  const wasLoggedIn = await logOut(tokenCache(environment), url);
  print(options.json === true, { url, wasLoggedIn }, wasLoggedIn ? `logged out of ${url}` : `nobody was logged in to ${url}`);
  return true;
}

async function tell(options: TargetOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  if (options.url === undefined && environment.url === undefined) return tellOperator(options.json === true);
  const url = remoteUrl(options, environment);
  const { kind, user, expiresAt } = (await callerOf(url, environment)).caller;
  const until = expiresAt === undefined ? undefined : iso(expiresAt);
  print(options.json === true, { url, kind, userId: user.id, name: user.name, expiresAt: until }, record({ service: url, user: user.name, id: user.id, by: kind, 'token until': until }));
  return true;
}

/** On this machine nobody logs in: who may open the socket or the folder may operate. */
function tellOperator(json: boolean): boolean {
  const userId = operatorOfThisMachine();
  print(json, { kind: 'operator', userId }, record({ service: 'on this machine', id: userId }));
  return true;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
