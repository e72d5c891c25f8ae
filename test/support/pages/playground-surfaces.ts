import type { Page } from 'playwright'
import { expect } from 'vitest'
import { button, click, dialog, fill, inOrder, press, type Surface } from './surface-steps.ts'

const addColumns = (count: number) => async (page: Page) => {
  const columns = page.getByRole('button', { name: /^Remove column/ })
  // Each column that an earlier surface added is still there.
  while ((await columns.count()) < count) {
    const before = await columns.count()
    await button(page, 'Add column').click()
    await expect.poll(() => columns.count()).toBeGreaterThan(before)
  }
}

/** Surfaces of the playground, in an order in which the columns only become more. */
export const playgroundSurfaces: readonly Surface[] = [
  {
    name: 'Playground: choose a model',
    path: '/playground',
    shows: ['pages/playground/model/model-picker.tsx'],
    open: inOrder(
      (page) =>
        page
          .getByRole('combobox', { name: /^Model/ })
          .first()
          .click(),
      (page) => page.getByRole('option').first().waitFor(),
    ),
  },
  {
    name: 'Playground: three columns',
    path: '/playground',
    open: addColumns(3),
  },
  {
    name: 'Playground: four columns with replies',
    path: '/playground',
    open: inOrder(addColumns(4), fill('Message', 'Hello'), press('Enter'), (page) =>
      expect
        .poll(() => page.locator('article[aria-busy=false]').count(), { timeout: 10_000 })
        .toBeGreaterThanOrEqual(4),
    ),
  },
  {
    name: 'Playground: parameters',
    path: '/playground',
    open: inOrder(click('Parameters of column 1'), (page) => page.getByText('Top P').waitFor()),
  },
  {
    name: 'Playground: conversations',
    path: '/playground',
    shows: ['pages/playground/chat/conversations/conversation-list.tsx'],
    open: inOrder(click('Conversations'), dialog),
  },
  {
    name: 'Playground: as curl',
    path: '/playground',
    shows: ['pages/playground/chat/compose/request-button.tsx'],
    open: inOrder(fill('Message', 'Hello'), click('cURL'), dialog),
  },
]
