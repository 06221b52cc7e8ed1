/* eslint-disable no-console -- oidc-provider logs to the console, which is filtered here. */
const EXPECTED_WARNING = 'oidc-provider WARNING: Unsupported runtime';

/**
 * Loads oidc-provider (200 ms) at the first sign-in. On Node 20 it warns that it is untested there; our tests cover the
 * features we use, so this line is suppressed.
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
