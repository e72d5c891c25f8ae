import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { CallName, OperationInput, OperationOutput } from '../../../preload/contract.ts'

/** The owner whom the walk expects, with this password. */
export const walker = { username: 'owner', password: 'correct horse' } as const

/** The console in front of a gateway, whichever way its calls take. */
export interface Walk {
  page: Page
  /** Where the console is: any address of it. */
  base: string
  /** Problems that `page` reported since it was opened: uncaught errors, console errors, refusals. */
  problems: readonly string[]
  /** Asks the gateway itself, past the page, as its owner. */
  ask<Name extends CallName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>>
}

export interface Step {
  /** Below /console. */
  path: string
  /** The first heading. */
  heading: string | RegExp
  /** Something that a person does here; what it brought about is looked up at the gateway. */
  act(walk: Walk): Promise<void>
}

/** Gives the gateway what the steps begin with. */
export async function prepareWalk({ ask }: Pick<Walk, 'ask'>): Promise<void> {
  for (const name of ['Echo one', 'Echo two']) {
    const channel = { type: 900, name, key: '', models: 'echo,echo-mini', group: 'default' }
    await ask('channel.create', { mode: 'single', channel })
  }
}

/** Opens the page of a step and waits until it shows all that it has to. */
export async function visit(
  { page, base }: Pick<Walk, 'page' | 'base'>,
  { path, heading }: Pick<Step, 'path' | 'heading'>,
): Promise<void> {
  const { href, pathname, origin } = new URL(`/console${path}`, base)
  const at = new URL(page.url())
  // As a click in the console does; loading the console anew takes longer.
  if (at.origin === origin && at.pathname.startsWith('/console') && at.pathname !== pathname)
    await page.evaluate((to) => history.pushState(null, '', to), pathname)
  else await page.goto(href)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

/** What the page shows when a step fails; the next one begins with the console loaded anew. */
async function leftBy(page: Page): Promise<string> {
  const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
  const at = page.url()
  await page.goto('about:blank')
  return `${at} showed:\n${shown}`
}

/** Visits the page, does what one does there, and finds no fault with it before and after. */
export async function walkThrough(walk: Walk, step: Step): Promise<void> {
  try {
    await walked(walk, step)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await leftBy(walk.page)}`, { cause: error })
  }
}

async function walked(walk: Walk, step: Step): Promise<void> {
  const { page, problems } = walk
  const old = problems.length
  const expectNoFault = async () => {
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    expect(problems.slice(old)).toEqual([])
  }
  await visit(walk, step)
  await expectNoFault()
  await step.act(walk)
  await expectNoFault()
}
