import { defineConfig } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * Typed lint: what the compiler allows and we do not. It runs on TypeScript 6, since TypeScript 7, which builds, has no API.
 * Layout is Prettier's.
 */

const environment = [
  "MemberExpression[object.name='process'][property.name='env']",
  "VariableDeclarator[init.name='process'] Property[key.name='env']",
  'ImportDeclaration[source.value=/^(node:)?process$/]',
].map((selector) => ({
  selector,
  message:
    'Only src/config/settings.ts reads the environment. Add a row to SETTINGS and take the value as an argument.',
}));

const noClock = 'This module is pure: take the time as an argument.';
const pureCore = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: noClock },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: noClock },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'This module is pure: take the id or a source of randomness as an argument.',
  },
];

/** Old traps of the language, for TypeScript and scripts alike. */
const language = {
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-fallthrough': 'error',
  'no-eval': 'error',
  'no-new-func': 'error',
  'no-unsafe-finally': 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
  // Errors are handled or thrown on.
  'no-empty': ['error', { allowEmptyCatch: false }],
  'no-useless-catch': 'error',
  'preserve-caught-error': 'error',
};

export default defineConfig(
  {
    ignores: [
      'dist*/',
      'node_modules/',
      'data/',
      'portal/src/api/schema.d.ts',
      'src/queries/query/language/where-grammar.generated.ts',
    ],
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    rules: { ...language, 'no-unused-vars': ['error', { caughtErrors: 'all' }] },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './portal/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Promises: an unhandled one ends the process, a forgotten one loses data.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      // Ports promise a Promise; an implementation that needs no await may still be async, so that its throws reject.
      '@typescript-eslint/require-await': 'off',

      // Types: nothing hides from the compiler.
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-ignore': true, 'ts-nocheck': true, 'ts-expect-error': 'allow-with-description' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      // Where the compiler says `undefined`, `!` states what the code around it has proved; elsewhere it is an unnecessary assertion.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-non-null-asserted-optional-chain': 'error',

      ...language,
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...environment],
    },
  },
  {
    files: ['src/telemetry/**', 'src/commands/**', 'src/diagnostics/**', 'src/charts/**'],
    rules: { 'no-restricted-syntax': ['error', ...environment, ...pureCore] },
  },
  {
    files: ['portal/**'],
    ignores: ['portal/public/**'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // Handlers of events may be async: what rejects there ends in the console, as what throws does.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // Untrusted text is never markup.
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Spans and logs hold whatever strangers send: show it as text.',
        },
      ],
    },
  },
  {
    // The one reader of the environment, and the programs whose output is the terminal.
    files: ['src/config/settings.ts', 'test/**', 'bench/**', 'demo/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['src/cli/**', 'bench/**', 'test/**', 'demo/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tests look into parsed bodies freely.
    files: ['test/**', 'bench/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
