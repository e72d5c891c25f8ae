/** The imports allowed to one folder's files besides `node:` and each other. */
export interface ImportRule {
  /** The folder's own files, as the beginning of their path. */
  of: string[]
  /** Files of the project, as the beginning of their path. */
  files: string[]
  /** Files of which only types may be imported. */
  types?: string[]
  packages: string[]
  /** Packages of which only types may be imported. */
  typePackages?: string[]
  /** Packages that one file alone may import. */
  packagesOfFile?: Record<string, string[]>
  /** `node:` modules too? Yes unless said otherwise. */
  node?: false
}

const interfacePackages = [
  'react',
  'react-dom',
  '@mantine/core',
  '@mantine/hooks',
  '@tabler/icons-react',
  '@tanstack/react-query',
  'wouter',
  'react-markdown',
  'remark-gfm',
  'i18next',
  'react-i18next',
  '@mantine/charts',
  'qrcode.react',
  'diff',
]

/** By layers, the lowest first: a lower layer knows nothing of a higher one. */
export const importTable: Record<string, ImportRule> = {
  base: {
    of: ['main/base/'],
    files: [],
    packages: [],
    packagesOfFile: {
      'main/base/log/log.ts': ['pino'],
      'main/base/net/address-list.ts': ['ipaddr.js'],
    },
  },
  convert: {
    of: ['main/convert/'],
    files: ['main/base/'],
    packages: ['zod', 'eventsource-parser'],
    node: false,
  },
  adaptor: {
    of: ['main/adaptor/'],
    // The formats' names are a value: a format that is registered has an endpoint type and a path of its own name.
    files: ['main/base/', 'main/convert/call-format.ts'],
    types: ['main/convert/exchange.ts'],
    packages: ['zod'],
  },
  upstream: {
    of: ['main/upstream/'],
    files: ['main/base/'],
    packages: ['undici', 'eventsource-parser', 'ws', '@fastify/busboy'],
  },
  store: {
    of: ['main/store/'],
    files: ['main/base/'],
    packages: ['conf', '@photostructure/sqlite', 'immer', 'zod'],
  },
  transfer: {
    of: ['main/transfer/'],
    // Vendors' names, types and addresses, and how an address is read.
    files: ['main/base/', 'main/adaptor/presets.ts', 'main/adaptor/url/join-url.ts'],
    packages: ['zod'],
    packagesOfFile: {
      'main/transfer/from/text/parse-yaml.ts': ['yaml'],
      'main/transfer/from/text/parse-toml.ts': ['smol-toml'],
      'main/transfer/from/text/parse-json.ts': ['json5', 'jsonc-parser'],
    },
  },
  capture: {
    of: ['main/capture/'],
    files: ['main/base/', 'main/store/'],
    packages: [],
  },
  connect: {
    of: ['main/connect/'],
    files: ['main/base/'],
    packages: ['jsonc-parser', 'smol-toml', 'yaml', 'diff'],
  },
  relay: {
    of: ['main/relay/'],
    files: [
      'main/base/',
      'main/convert/',
      'main/adaptor/',
      'main/upstream/',
      'main/store/',
      'main/capture/',
    ],
    packages: [],
  },
  inspect: {
    of: ['main/inspect/'],
    files: ['main/base/', 'main/convert/', 'main/relay/translate/'],
    types: ['main/capture/'],
    packages: ['eventsource-parser'],
  },
  manage: {
    of: ['main/manage/'],
    files: [
      'main/base/',
      'main/store/',
      'main/convert/',
      'main/adaptor/',
      'main/upstream/',
      'main/capture/',
      'main/relay/',
      'main/inspect/',
      'main/connect/',
      'main/transfer/',
    ],
    types: ['main/options.ts'],
    packages: ['zod', 'otplib', 'stripe', 'diff'],
  },
  http: {
    of: ['main/http/'],
    files: ['main/base/', 'main/convert/', 'main/relay/', 'main/manage/'],
    types: ['main/store/', 'main/capture/', 'main/options.ts'],
    packages: ['express', 'express-rate-limit', 'express-session', 'helmet', 'ws'],
  },
  gateway: {
    of: ['main/gateway.ts', 'main/headless.ts', 'main/options.ts', 'main/version.ts'],
    files: [
      'main/base/',
      'main/convert/',
      'main/adaptor/',
      'main/upstream/',
      'main/store/',
      'main/capture/',
      'main/relay/',
      'main/manage/',
      'main/http/',
    ],
    packages: ['zod', 'pino'],
  },
  // The entry puts the parts together, as headless.ts does: here the state file is electron-store's.
  'desktop entry': {
    of: ['main/desktop.ts'],
    files: [
      'main/gateway.ts',
      'main/options.ts',
      'main/version.ts',
      'main/manage/',
      'main/base/',
      'main/store/',
      'main/desktop/',
    ],
    packages: ['electron', 'electron-store'],
  },
  desktop: {
    of: ['main/desktop/'],
    files: ['main/gateway.ts', 'main/options.ts', 'main/version.ts', 'main/manage/', 'main/base/'],
    types: ['main/store/', 'preload/contract.ts'],
    packages: ['electron'],
  },
  preload: {
    of: ['preload/'],
    files: [],
    types: ['main/manage/'],
    packages: ['electron'],
    typePackages: ['zod'],
    node: false,
  },
  renderer: {
    of: ['renderer/'],
    files: [],
    types: ['preload/contract.ts'],
    packages: interfacePackages,
    node: false,
  },
}
