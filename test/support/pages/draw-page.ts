import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'

const output = join(import.meta.dirname, '../../output')

/** Writes `test/output/<name>.png` where SCREENSHOTS=1 asks for it; no test reads these pictures. */
export async function drawPage(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return
  mkdirSync(output, { recursive: true })
  await page.screenshot({ path: join(output, `${name}.png`) })
}
