import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright'

const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** An installed Chromium, or undefined: then Playwright's own is used. */
const path = [process.env.CHROMIUM_PATH ?? '', ...installed].find(
  (candidate) => candidate !== '' && existsSync(candidate),
)

/** Chromium heeds only the last list of features, so Playwright's own list is repeated here. */
const playwrightDisables = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

/** Renderers for the address bar and for pages to come: half the processor time of a new window. */
const unseenRenderers = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/** A page of a test is over before its code is worth optimizing: a tenth of the renderers' processor time. */
const withoutOptimizing = '--js-flags=--no-maglev --no-turbofan'

/** How the tests start a Chromium. */
export const chromiumOptions = {
  ...(path !== undefined && { executablePath: path }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    withoutOptimizing,
    `--disable-features=${[...playwrightDisables, ...unseenRenderers].join()}`,
  ],
} satisfies LaunchOptions
