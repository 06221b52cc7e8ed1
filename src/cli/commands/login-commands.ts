import type { Command } from 'commander';
import { openBrowser } from '../browser-launcher.js';
import { readCliEnvironment } from '../cli-environment.js';
import { withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { localOperatorId } from '../../operations/administration/local-administration.js';
import { escapeTerminalControls, formatRecord, printNote, printResult } from '../terminal-output.js';
import {
  resolveAccess,
  resolveRemoteUrl,
  createTokenCache,
  addTargetOptions,
  type TargetOptions,
} from '../command-target.js';

interface LoginOptions extends TargetOptions {
  readonly browser: boolean;
  readonly loginHint?: string;
  readonly clientId?: string;
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;

export function addLoginCommands(program: Command): void {
  const login = program
    .command('login')
    .description('sign in to a service through the browser; later commands act as you there')
    .option('--no-browser', 'print the address to open instead of opening it')
    .option('--login-hint <user>', 'tell the identity provider who you are; the development one signs in at once by it')
    .option('--client-id <id>', 'as which public client; else HINDSIGHT_CLIENT_ID, else hindsight-cli')
    .action((options: LoginOptions) => runToExitStatus(() => runLogin(options)));
  withExamples(
    addTargetOptions(login),
    'hindsight login --url https://hindsight.example',
    'hindsight login --no-browser',
  );
  const logout = program
    .command('logout')
    .description('forget the login to a service')
    .action((options: TargetOptions) => runToExitStatus(() => runLogout(options)));
  withExamples(addTargetOptions(logout), 'hindsight logout --url https://hindsight.example');
  const whoami = program
    .command('whoami')
    .description('tell as whom commands act; exits 77 when nobody is logged in')
    .action((options: TargetOptions) => runToExitStatus(() => printCaller(options)));
  withExamples(addTargetOptions(whoami), 'hindsight whoami --url https://hindsight.example');
}

async function runLogin({ browser, loginHint, clientId, ...options }: LoginOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  const url = resolveRemoteUrl(options, environment);
  if (url.startsWith('http:') && !LOOPBACK.test(url))
    printNote('warning: without https anybody on the way can read your token');
  const { logIn } = await import('../../auth/login/login-session.js');
  const { user, issuer, expiresAt } = await logIn(createTokenCache(environment), url, {
    loginHint,
    clientId: clientId ?? environment.clientId,
    open: (address) => showSignInAddress(address, browser),
    now: Date.now,
  });
  printResult(
    options.json === true,
    { url, issuer, userId: user.id, name: user.name, expiresAt: toIsoTime(expiresAt) },
    `logged in to ${url} as ${escapeTerminalControls(user.name)}`,
  );
  return true;
}

function showSignInAddress(address: URL, browser: boolean): void {
  if (browser) openBrowser(address.href, () => printNote('no browser could be opened'));
  printNote(`${browser ? 'If no browser opens, sign in at' : 'Sign in at'}\n  ${address.href}`);
}

async function runLogout(options: TargetOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  const url = resolveRemoteUrl(options, environment);
  const { logOut } = await import('../../auth/login/login-session.js');
  const wasLoggedIn = await logOut(createTokenCache(environment), url);
  printResult(
    options.json === true,
    { url, wasLoggedIn },
    wasLoggedIn ? `logged out of ${url}` : `nobody was logged in to ${url}`,
  );
  return true;
}

async function printCaller(options: TargetOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  if (options.url === undefined && environment.url === undefined) return printOperator(options.json === true);
  const url = resolveRemoteUrl(options, environment);
  const { kind, user, expiresAt } = (await resolveAccess(url, environment)).caller;
  const until = expiresAt === undefined ? undefined : toIsoTime(expiresAt);
  printResult(
    options.json === true,
    { url, kind, userId: user.id, name: user.name, expiresAt: until },
    formatRecord({ service: url, user: user.name, id: user.id, by: kind, 'token until': until }),
  );
  return true;
}

/** On this machine nobody logs in: who may open the socket or the folder may operate. */
function printOperator(json: boolean): boolean {
  const userId = localOperatorId();
  printResult(json, { kind: 'operator', userId }, formatRecord({ service: 'on this machine', id: userId }));
  return true;
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
