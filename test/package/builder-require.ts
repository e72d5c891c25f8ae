import { createRequire } from 'node:module'

const builder = createRequire(import.meta.url).resolve('electron-builder/package.json')

/** Loads what electron-builder itself works with, so that a test reads files as it writes them. */
export const builderRequire = createRequire(createRequire(builder).resolve('app-builder-lib'))
