import { buildSignInUrl, type SignInOptions } from '../session/session-store';
import styles from './sign-in-page.module.css';

const ROLE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  owner: 'may do everything',
  member: 'edits alerts, charts and keys too',
  user: 'looks, and asks the assistant',
  guest: 'looks, and asks the assistant',
  outsider: 'has no Grid',
};

/** Why the service led back here without a session. */
const SIGN_IN_FAILURES = new Map(
  Object.entries({
    refused: 'You were not signed in: it took too long, or the identity provider refused. Try again.',
    'too-large':
      'You were not signed in: the tokens of the identity provider do not fit into cookies. Its operator can let it put less into them.',
    unavailable: 'The identity provider does not answer. Try again in a minute.',
  }),
);

export function SignInPage({ offered: { canSignIn, users, refused } }: { readonly offered: SignInOptions }) {
  const failure = SIGN_IN_FAILURES.get(new URLSearchParams(location.search).get('sign-in') ?? '');
  return (
    <main className={styles.page}>
      <img src="/portal/icon.svg" alt="" width={56} height={56} />
      <h1>Hindsight</h1>
      <p>What is wrong, since when, and why.</p>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {refused !== undefined && (
        <p role="alert">You have signed in, but the service does not take the token: {refused}</p>
      )}
      {canSignIn ? (
        <SignInLinks users={users} />
      ) : (
        <p role="alert">
          This service has no identity provider, so that nobody can sign in. Its operator names one by{' '}
          <code>AUTH_URL</code>; API keys count without.
        </p>
      )}
    </main>
  );
}

/** `users`: whom the development identity provider lets in without a password; empty where there is a directory. */
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
      <p className={styles.note}>The identity provider for development: nobody is asked for a password.</p>
    </>
  );
}
