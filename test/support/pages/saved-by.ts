import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'

/** The file that a button saves. */
export async function savedBy(page: Page, button: string): Promise<{ name: string; text: string }> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  const file = await saving
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
