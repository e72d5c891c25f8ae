import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyCode } from '../../../renderer/components/lazy/lazy-code.ts'
import { LazyPart } from '../../../renderer/components/lazy/lazy-part.tsx'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

let isBroken = false
function Page() {
  if (isBroken) throw new RangeError('too much for it')
  return <p>the page</p>
}

// React tells of each error there.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

test('a page that cannot be shown says why, leaves the rest in place, and can be tried again', async () => {
  isBroken = true
  const code = lazyCode(async () => Page, { isFirst: true })
  renderConsole(
    createFakeGateway(),
    '/',
    <>
      <p>the rest</p>
      <LazyPart code={code} props={{}} />
    </>,
  )
  const note = await screen.findByRole('alert')
  expect(note.textContent).toContain('This part of the console couldn’t be shown: too much for it')
  expect(screen.getByText('the rest')).toBeTruthy()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('the page')).toBeTruthy()
})
