import { signInAddress } from '../session/token';
import styles from './sign-in.module.css';

const MAY: Readonly<Record<string, string>> = {
  owner: 'may do everything',
  member: 'edits alerts, charts and keys',
  user: 'asks the assistant',
  guest: 'looks',
  outsider: 'has no Grid',
};

/** Why the service led back here without a session. */
const FAILURES: Readonly<Record<string, string>> = {
  refused: 'You were not signed in: it took too long, or the identity provider refused. Try again.',
  unavailable: 'The identity provider does not answer. Try again in a minute.',
};

/** `users`: whom the development identity provider lets in without a password; empty where there is a directory. */
export function SignIn({ users }: { readonly users: readonly string[] }) {
  const failure = FAILURES[new URLSearchParams(location.search).get('sign-in') ?? ''];
  return (
    <main className={styles.page}>
      <img src="/portal/icon.svg" alt="" width={56} height={56} />
      <h1>Hindsight</h1>
      <p>What is wrong, since when, and why.</p>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {users.length === 0 ? (
        <a className={styles.button} href={signInAddress()}>Sign in</a>
      ) : (
        <>
          <ul className={styles.users}>
            {users.map((user) => (
              <li key={user}>
                <a className={styles.button} href={signInAddress(user)}>Sign in as {user}</a>
                <span>{MAY[user]}</span>
              </li>
            ))}
          </ul>
          <p className={styles.note}>The identity provider for development: nobody is asked for a password.</p>
        </>
      )}
    </main>
  );
}
