import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useTimeline } from '../../../renderer/gateway/use-timeline.ts'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

function List() {
  const { query, refresh } = useTimeline({ q: '', sort: 'time', order: 'desc' })
  return (
    <>
      <p>{query.data?.pages.length ?? 0} pages</p>
      <button type="button" onClick={() => void query.fetchNextPage()}>
        More
      </button>
      <button type="button" onClick={refresh}>
        Refresh
      </button>
    </>
  )
}

test('a long list of calls is read anew from its first page, a short one whole', async () => {
  const gateway = createFakeGateway({
    'call.timeline': (({ cursor }: { cursor: string }) => ({
      ...{ rows: [], refused: 0, next: String(Number(cursor) + 1) },
    })) as never,
  })
  const user = renderConsole(gateway, '/', <List />)
  const reads = () => gateway.calls.filter(({ name }) => name === 'call.timeline').length
  await screen.findByText('1 pages')
  await user.click(screen.getByText('More'))
  await screen.findByText('2 pages')
  await user.click(screen.getByText('Refresh'))
  await waitFor(() => expect(reads()).toBe(4))
  await user.click(screen.getByText('More'))
  await screen.findByText('3 pages')
  await user.click(screen.getByText('Refresh'))
  await screen.findByText('1 pages')
  await waitFor(() => expect(reads()).toBe(6))
})
