import type { Command } from 'commander';
import type { DeviceCode } from '../../auth/login/device-sign-in.js';
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
  readonly device?: true;
  readonly loginHint?: string;
  readonly clientId?: string;
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;

export function addLoginCommands(program: Command): void {
  const login = program
    .command('login')
    .description('sign in to a service through the browser; later commands use this login')
    .option('--no-browser', 'print the sign-in address instead of opening it')
    .option('--device', 'sign in on another device: print an address and a code, if the identity provider offers it')
    .option(
      '--login-hint <user>',
      'user name for the identity provider; the development provider signs in with it at once',
    )
    .option('--client-id <id>', 'public client id; default: HINDSIGHT_CLIENT_ID, else CLI_CLIENT_ID of the service')
    .action((options: LoginOptions) => runToExitStatus(() => runLogin(options)));
  withExamples(
    addTargetOptions(login),
    'hindsight login --url https://hindsight.example',
    'hindsight login --no-browser',
    'hindsight login --device',
  );
  const logout = program
    .command('logout')
    .description('delete the login to a service')
    .action((options: TargetOptions) => runToExitStatus(() => runLogout(options)));
  withExamples(addTargetOptions(logout), 'hindsight logout --url https://hindsight.example');
  const whoami = program
    .command('whoami')
    .description('show the identity that commands use; exits 77 without a login')
    .action((options: TargetOptions) => runToExitStatus(() => printCaller(options)));
  withExamples(addTargetOptions(whoami), 'hindsight whoami --url https://hindsight.example');
}

async function runLogin({ browser, device, loginHint, clientId, ...options }: LoginOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  const url = resolveRemoteUrl(options, environment);
  if (url.startsWith('http:') && !LOOPBACK.test(url))
    printNote('warning: without https, others on the network can read your token');
  const { logIn } = await import('../../auth/login/login-session.js');
  const common = { clientId: clientId ?? environment.clientId, now: Date.now };
  const { user, issuer, expiresAt } = await logIn(
    createTokenCache(environment),
    url,
    device === true
      ? { ...common, device, show: showDeviceCode }
      : { ...common, loginHint, open: (address) => showSignInAddress(address, browser) },
  );
  printResult(
    options.json === true,
    { url, issuer, userId: user.id, name: user.name, expiresAt: toIsoTime(expiresAt) },
    `Logged in to ${url} as ${escapeTerminalControls(user.name)}`,
  );
  return true;
}

function showSignInAddress(address: URL, browser: boolean): void {
  if (browser) openBrowser(address.href, () => printNote('Could not open a browser'));
  printNote(`${browser ? 'If no browser opens, sign in at' : 'Sign in at'}\n  ${address.href}`);
}

function showDeviceCode({ address, code, completeAddress }: DeviceCode): void {
  const [at, entered] = [address, code].map(escapeTerminalControls);
  const shortcut = completeAddress === undefined ? '' : `\nor open\n  ${escapeTerminalControls(completeAddress)}`;
  printNote(`Open\n  ${at}\nand enter the code\n  ${entered}${shortcut}`);
}

async function runLogout(options: TargetOptions): Promise<boolean> {
  const environment = readCliEnvironment();
  const url = resolveRemoteUrl(options, environment);
  const { logOut } = await import('../../auth/login/login-session.js');
  const wasLoggedIn = await logOut(createTokenCache(environment), url);
  printResult(
    options.json === true,
    { url, wasLoggedIn },
    wasLoggedIn ? `Logged out of ${url}` : `There was no login to ${url}`,
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

/** Without a remote service there is no login: access to the socket or the data folder is sufficient. */
function printOperator(json: boolean): boolean {
  const userId = localOperatorId();
  printResult(json, { kind: 'operator', userId }, formatRecord({ service: 'this machine', id: userId }));
  return true;
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
