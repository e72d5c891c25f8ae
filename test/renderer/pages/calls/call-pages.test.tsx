import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord, timeline } from './call-records.ts'

const rows = (first: number) =>
  Array.from({ length: 200 }, (_, index) =>
    callRecord({ id: first + index, request_id: `request-${first + index}` }),
  )

/** A list of two pages, of which the second comes as `next` says. */
function longList(next: () => unknown) {
  const asked: string[] = []
  const gateway = createFakeGateway({
    'call.timeline': ({ q = '', cursor = '' }: { q?: string; cursor?: string }) => {
      if (q.includes('running:yes')) return timeline()
      asked.push(cursor)
      return cursor === '' ? { ...timeline(...rows(1)), next: 'page-2' } : next()
    },
  })
  return { gateway, asked }
}

async function openList(list: ReturnType<typeof longList>) {
  const user = renderConsole(list.gateway, '/calls')
  await screen.findAllByRole('row', { name: /laptop/ })
  const viewport = screen.getByRole('grid', { name: 'Calls' }).parentElement as HTMLElement
  const scrollTo = (row: number) => fireEvent.scroll(viewport, { target: { scrollTop: row * 28 } })
  return { user, scrollTo }
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 50))

test('the next calls are asked for before their reader is there, and after the last ones none', async () => {
  const list = longList(() => timeline(...rows(201)))
  const { scrollTo } = await openList(list)
  await rest()
  expect(list.asked).toEqual([''])
  scrollTo(130)
  await waitFor(() => expect(list.asked).toEqual(['', 'page-2']))
  const count = () => screen.getByRole('grid', { name: 'Calls' }).getAttribute('aria-rowcount')
  await waitFor(() => expect(count()).toBe('401'))
  scrollTo(400)
  await rest()
  expect(list.asked).toEqual(['', 'page-2'])
})

test('next calls that can’t be read are asked for again only by their reader', async () => {
  const list = longList(() => refuse('The ledger is locked.', undefined, 503))
  const { user, scrollTo } = await openList(list)
  scrollTo(150)
  const again = await screen.findByRole('button', { name: 'Try again' })
  await rest()
  expect(list.asked).toEqual(['', 'page-2'])
  await user.click(again)
  await waitFor(() => expect(list.asked).toEqual(['', 'page-2', 'page-2']))
})

test('next calls whose reading was cancelled are read on only by a click', async () => {
  let isSlow = true
  const list = longList(() => (isSlow ? new Promise(() => {}) : timeline(...rows(201))))
  const { user, scrollTo } = await openList(list)
  scrollTo(150)
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  const more = await screen.findByRole('button', { name: 'Load more calls' })
  isSlow = false
  await rest()
  expect(list.asked).toEqual(['', 'page-2'])
  await user.click(more)
  await waitFor(() => expect(list.asked).toEqual(['', 'page-2', 'page-2']))
})
