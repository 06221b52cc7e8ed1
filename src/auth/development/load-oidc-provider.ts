/* eslint-disable no-console -- oidc-provider speaks through the console, and this listens in. */
const EXPECTED_WARNING = 'oidc-provider WARNING: Unsupported runtime';

/**
 * Loads oidc-provider, which takes a fifth of a second, only when somebody signs in. On Node 20 it warns that it is
 * not tested there; our own tests cover what we use of it, so that one line is kept out of the service's output.
 */
export async function loadOidcProvider(): Promise<typeof import('oidc-provider')> {
  const warn = console.warn;
  console.warn = (...message: unknown[]) => {
    if (!String(message[0]).includes(EXPECTED_WARNING)) warn(...message);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
