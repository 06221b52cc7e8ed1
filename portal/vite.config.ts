import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where a running Hindsight is, for `npm run dev` in this folder. */
const SERVICE = process.env['HINDSIGHT_SERVICE'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/portal/',
  // Text that the portal shows is escaped in one place: src/jsx.
  plugins: [react({ jsxImportSource: 'portal-jsx' })],
  resolve: { alias: { 'portal-jsx': fileURLToPath(new URL('src/jsx', import.meta.url)) } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The content policy allows no data: scripts or styles, and polyfills of preloading would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/apm',
        '/admin',
        '/assistant',
        '/auth',
        '/openapi.json',
        '/portal/session',
        '/portal/sign-in',
        '/portal/sign-out',
        '/portal/callback',
      ].map((path) => [path, SERVICE]),
    ),
  },
});
