import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { EnvironmentOptions, Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where `npm run dev` runs the gateway; the page's own server passes the gateway's paths on to it. */
const gateway = process.env.SWITCHYARD_DEV_GATEWAY ?? 'http://127.0.0.1:4747'

/** The files that the console has; the whole table of media types is 160 KB of source. */
const mediaTypes = {
  'application/json': { charset: 'UTF-8', extensions: ['json', 'map'] },
  'image/png': { extensions: ['png'] },
  'image/svg+xml': { extensions: ['svg'] },
  'text/css': { charset: 'UTF-8', extensions: ['css'] },
  'text/html': { charset: 'UTF-8', extensions: ['html'] },
  'text/javascript': { charset: 'UTF-8', extensions: ['js'] },
  'text/plain': { extensions: ['txt'] },
}

/**
 * Loaded at once by packages that use them for what the gateway never asks of them, 1.1 MB in all: Express parses no
 * bodies, since the gateway reads them itself (main/http), and no nested queries; conf checks no schema and migrates
 * nothing, since main/store does; pino logs in no thread of its own.
 */
const unused: Record<string, string> = {
  'body-parser': 'export default {}',
  'ajv/dist/2020.js': 'export const Ajv2020 = undefined',
  'ajv-formats': 'export default {}',
  debug: 'module.exports = () => () => {}',
  'mime-db': `module.exports = ${JSON.stringify(mediaTypes)}`,
  qs: 'module.exports = {}',
  semver: 'export default {}',
  'thread-stream': 'module.exports = class {}',
}

const withoutUnused: Plugin = {
  name: 'without-unused',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'main',
  resolveId: (id) => (id in unused ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? (unused[id.slice(1)] ?? null) : null),
}

/** The rooms of `main`, each after those that it imports (main/README.md). */
const rooms =
  'base convert store adaptor upstream capture relay inspect connect transfer manage http'.split(
    ' ',
  )

/**
 * One file for the packages and one a room, less what the translator has no use for: memory that Node takes while it
 * reads a file stays with the process, and for a single file of 2.5 MB that is 17 MB.
 */
const files = [
  { name: 'packages', test: /node_modules/ },
  ...rooms.map((room) => ({ name: room, test: new RegExp(`[\\\\/]main[\\\\/]${room}[\\\\/]`) })),
].flatMap((group) => [
  { ...group, entriesAware: true, tags: ['$initial' as const] },
  // What is imported when it is first used would drag what it shares with the rest into its files.
  { ...group, entriesAware: true },
])

/** Components of Mantine, with what they import. */
const mantine = (name: string, components: string) => ({
  name,
  test: new RegExp(`mantine.core.esm.components.(${components})\\W`),
})
/** Single modules, without what they import. */
const single = (name: string, modules: string) => ({
  name,
  test: new RegExp(`(${modules})(\\.\\w+)+$`),
  includeDependenciesRecursively: false,
})

/**
 * The console's files beside those of each page and language: one for the first screen, one for all that further pages
 * share. A file for each set of pages, as is usual, made up to a hundred requests before a page was there. Parts that
 * the first screen opens come before the further styles, and the login stays small, so neither needs what is shared:
 * test/renderer/first-screen-size.test.ts and test/end-to-end/console/first-screen.test.ts.
 */
const consoleFiles = [
  { name: 'start', tags: ['$initial' as const] },
  single('hooks', 'mantine.(hooks|core.esm.core).*'),
  mantine('popover', 'Popover|Tooltip'),
  single('health', 'gateway-health.*|layout.(details|figures)|Icon(ChevronRight|CircleCheck)'),
  mantine('input', 'PasswordInput|SegmentedControl|TextInput'),
  single(
    'entry',
    'entry-layout|language-select|change-language|split-failure|use-(focus-error|text-limit)',
  ),
  { name: 'shared', test: /^(?!.*(i18n|further-styles))/, minShareCount: 2 },
]

const builds: Record<string, EnvironmentOptions> = {
  main: {
    consumer: 'server',
    // Express and others answer with stack traces unless they are told so.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    resolve: {
      noExternal: true,
      // A native module and Electron's own: everything else is in the bundle.
      external: ['electron', '@photostructure/sqlite'],
    },
    build: {
      outDir: at('dist/main'),
      emptyOutDir: true,
      ssr: true,
      target: 'node20',
      sourcemap: true,
      rolldownOptions: {
        input: {
          desktop: at('main/desktop.ts'),
          headless: at('main/headless.ts'),
          // Runs in threads of its own: main/relay/translate/threads/translators.ts names it.
          translator: at('main/relay/translate/threads/worker.ts'),
        },
        output: {
          // What is short is read sooner; the names that stack traces show stay.
          minify: {
            mangle: { toplevel: true, keepNames: true },
            compress: false,
            codegen: { removeWhitespace: true },
          },
          // One “…” makes V8 keep the whole file at two bytes a character.
          charset: 'ascii',
          format: 'esm',
          codeSplitting: { groups: files },
          entryFileNames: '[name].js',
          // Without the names of the entries that share the file.
          chunkFileNames: ({ name }) => `${name.replace(/~.*/, '')}-[hash].js`,
        },
      },
    },
  },
  preload: {
    consumer: 'server',
    resolve: { noExternal: true, external: ['electron'] },
    build: {
      outDir: at('dist/preload'),
      emptyOutDir: true,
      ssr: true,
      target: 'chrome140',
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        input: { preload: at('preload/preload.ts') },
        // A sandboxed preload is CommonJS in one file: it cannot load a second one.
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  client: {
    build: {
      outDir: at('dist/renderer'),
      emptyOutDir: true,
      target: 'es2022',
      // The console's policy allows no data: scripts or styles, so no asset is written into another.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1500,
      // test/renderer/first-screen-size.test.ts reads it.
      manifest: true,
      rolldownOptions: {
        input: {
          index: at('renderer/index.html'),
          // So that what it shows is in the first file as well.
          overview: at('renderer/pages/overview/overview-page.tsx'),
        },
        output: {
          codeSplitting: { groups: consoleFiles },
        },
      },
    },
  },
}

/**
 * A module that starts its timers under fake ones has them for good, and a replaced module stays replaced: such a test
 * keeps its modules to itself. A clock is asked anew each time.
 */
const changesModules =
  /vi\.mock\(|vi\.useFakeTimers\((?!\{ toFake: \[('(Date|performance)'(, )?)+\])/

/** Test files below a folder whose text fits the pattern. */
const testsWith = (folder: string, pattern: RegExp): string[] =>
  readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => pattern.test(readFileSync(at(file), 'utf8')))

/** Pages drawn without a browser, in the one window of their process. */
const pages = testsWith('test/renderer', /render-console|@testing-library/)

/** Test files in a process of their own: also those that measure it. */
const alone = [
  'test/main/base/password.test.ts',
  // A crowd of logins waits only while hashing takes its time.
  'test/main/manage/account/login-limits.test.ts',
  // Registers a wire format, which all files of its process would meet.
  'test/end-to-end/convert/fifth-format.test.ts',
  'test/{faults,fuzz,package,soak}/**/*.test.ts',
  ...['test/main', 'test/desktop'].flatMap((folder) => testsWith(folder, changesModules)),
]

/**
 * For processes that live for many files: room for garbage, a twentieth less processor time; and fewer functions
 * optimized, but all compiled at once and kept, a thirtieth less.
 */
const forManyFiles = [
  '--max-semi-space-size=64',
  '--interrupt-budget=500000',
  '--always-sparkplug',
  '--no-flush-bytecode',
  '--no-lazy-feedback-allocation',
]

/**
 * One config for all that is built, one environment a target:
 * `main` (Node 20 and Electron), `preload` (Electron's sandbox) and `client` (the console).
 */
export default defineConfig({
  root: at('renderer'),
  base: '/console/',
  plugins: [react(), withoutUnused],
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) {
        // Vite adds a server environment of its own that this application has no use for.
        if (environment.name !== 'ssr') await builder.build(environment)
      }
    },
  },
  // The tests run the sources as they are: bundling every package costs them more than the tests do.
  environments: process.env.VITEST ? {} : builds,
  server: {
    host: '127.0.0.1',
    port: 5173,
    // With the gateway's own origin, or its check against foreign pages would refuse the console.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/v1beta', '/pg'].map((path) => [
        path,
        { target: gateway, changeOrigin: true, headers: { origin: gateway } },
      ]),
    ),
  },
  test: {
    root: at('.'),
    environment: 'node',
    pool: 'forks',
    maxWorkers: 4,
    // They end what hangs; a machine may be slow, and with every case a test has five times as much to do.
    testTimeout: process.env.EVERY_CASE ? 240_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 10_000,
    restoreMocks: true,
    unstubEnvs: true,
    experimental: { fsModuleCache: true },
    // test/README.md says why, and which of them a new test belongs to.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...alone, ...pages],
          isolate: false,
          execArgv: forManyFiles,
          globalSetup: ['test/support/desktop/build-stand-in.ts'],
          setupFiles: ['test/support/cheap-passwords.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: pages,
          isolate: false,
          execArgv: forManyFiles,
          setupFiles: ['test/support/pages/one-window.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
        },
      },
    ],
  },
})
