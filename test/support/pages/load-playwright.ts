import { createRequire } from 'node:module'

/**
 * Playwright, when it is needed, and by `require`: an import makes Node look for exports in seven megabytes of text.
 * That is half of the 0.9 s of processor time that it takes.
 */
export const loadPlaywright = (): typeof import('playwright') =>
  createRequire(import.meta.url)('playwright')
