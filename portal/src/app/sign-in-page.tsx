import { buildSignInUrl, type SignInOptions } from '../session/session-store';
import styles from './sign-in-page.module.css';

const ROLE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  owner: 'full access',
  member: 'can also edit alert rules, notifications, charts and API keys',
  user: 'can also acknowledge alerts and act on incidents',
  guest: 'can view telemetry and use the assistant',
  outsider: 'not a member of any Grid',
};

/** Messages by the `sign-in` URL parameter that the service sets when sign-in failed. */
const SIGN_IN_FAILURES = new Map(
  Object.entries({
    refused: 'Sign-in failed: it took too long, or the identity provider rejected it. Try again.',
    'too-large':
      'Sign-in failed: the tokens of the identity provider are too large for cookies. Ask its operator to include fewer claims.',
    unavailable: 'The identity provider does not respond. Try again in a minute.',
  }),
);

export function SignInPage({
  signInOptions: { canSignIn, users, refused },
}: {
  readonly signInOptions: SignInOptions;
}) {
  const failure = SIGN_IN_FAILURES.get(new URLSearchParams(location.search).get('sign-in') ?? '');
  return (
    <main className={styles.page}>
      <img src="/portal/icon.svg" alt="" width={56} height={56} />
      <h1>Hindsight</h1>
      <p>Find out what is wrong, since when, and why.</p>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {refused !== undefined && <p role="alert">You are signed in, but the service rejected your token: {refused}</p>}
      {canSignIn ? (
        <SignInLinks users={users} />
      ) : (
        <p role="alert">
          Sign-in is not available because no identity provider is configured. Set <code>OIDC_ISSUER</code> to enable
          it; API keys work without it.
        </p>
      )}
    </main>
  );
}

/** @param users accounts of the development identity provider, which need no password; empty with a real identity provider */
function SignInLinks({ users }: Pick<SignInOptions, 'users'>) {
  if (users.length === 0)
    return (
      <a className={styles.button} href={buildSignInUrl()}>
        Sign in
      </a>
    );
  return (
    <>
      <ul className={styles.users}>
        {users.map((user) => (
          <li key={user}>
            <a className={styles.button} href={buildSignInUrl(user)}>
              Sign in as {user}
            </a>
            <span>{ROLE_DESCRIPTIONS[user]}</span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>Development identity provider: no password required.</p>
    </>
  );
}
