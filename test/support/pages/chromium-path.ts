import { existsSync } from 'node:fs'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** An installed Chromium, or undefined: then Playwright's own is used. */
export const chromiumPath: string | undefined = [
  process.env.CHROMIUM_PATH ?? '',
  ...installed,
].find((path) => path !== '' && existsSync(path))
