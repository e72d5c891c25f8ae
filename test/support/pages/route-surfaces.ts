import type { Page } from 'playwright'
import { click, dialog, fill, inOrder, menu, more, type Surface } from './surface-steps.ts'

/** Nothing covers the upper left corner of what has the focus, such as the head of a drawer. */
const isFocusInView = (page: Page) =>
  page.waitForFunction(() => {
    const focused = document.activeElement
    const place = focused?.getBoundingClientRect()
    return place && document.elementFromPoint(place.x + 9, place.y + 9) === focused
  })

/** What opens over the Routes page. */
export const routeSurfaces: readonly Surface[] = [
  {
    name: 'Route: menu',
    path: '/routes',
    shows: ['pages/routes/route-row.tsx'],
    open: inOrder(click(more), menu),
  },
  {
    name: 'Route: edit, with rules',
    path: '/routes',
    shows: ['pages/routes/form/route-drawer.tsx'],
    open: inOrder(click(/^Edit/), dialog, (page) => page.getByLabel('Rule name').first().waitFor()),
  },
  {
    name: 'Route: refused fields',
    path: '/routes?new=1',
    open: inOrder(
      dialog,
      click('Add rule'),
      fill('Name', 'two words'),
      (page) => page.getByRole('dialog').getByRole('button', { name: 'Create route' }).click(),
      (page) => page.getByText('Name cannot contain spaces or commas.').waitFor(),
      isFocusInView,
    ),
  },
  {
    name: 'Route: conditions to add',
    path: '/routes?new=1',
    shows: ['pages/routes/form/condition-list.tsx'],
    open: inOrder(dialog, click('Add rule'), click('Add condition'), menu),
  },
]
