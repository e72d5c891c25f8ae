import type { Page } from 'playwright'

/** A page of the console, or something that opens over it, in the gateway that `fillGateway` fills. */
export interface Surface {
  name: string
  /** Below /console; `CALL` stands for the id of `InspectedCalls.converted`. */
  path: string
  /** The page's `path` in renderer/page-routes.ts. */
  route?: string
  /** Files below renderer whose dialog, drawer or menu it opens. */
  shows?: readonly string[]
  open?(page: Page): Promise<void>
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()

export const click = (name: string | RegExp) => (page: Page) => button(page, name).click()

export const inOrder =
  (...steps: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page)
  }

export const item = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click()
export const tick = (name: RegExp) => (page: Page) =>
  page.getByRole('checkbox', { name }).first().click()
export const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()
export const menu = (page: Page) => page.getByRole('menu').first().waitFor()
export const press = (keys: string) => (page: Page) => page.keyboard.press(keys)
/** In what is open, or else in the page. */
export const fill = (label: string, text: string) => async (page: Page) => {
  const opened = page.getByRole('dialog')
  const within = (await opened.count()) > 0 ? opened.last() : page
  await within.getByLabel(label).first().fill(text)
}

export const more = /^More actions for/
