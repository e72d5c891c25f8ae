import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Tip } from '../../../renderer/components/feedback/tip.tsx'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

test('a tip shows for a mouse, and not for a finger, under which it would stay', async () => {
  renderConsole(
    createFakeGateway(),
    '/',
    <>
      <Tip label="For a finger">
        <span>one</span>
      </Tip>
      <Tip label="For a mouse">
        <span>other</span>
      </Tip>
    </>,
  )
  fireEvent.pointerEnter(await screen.findByText('one'), { pointerType: 'touch' })
  fireEvent.pointerEnter(screen.getByText('other'), { pointerType: 'mouse' })
  await screen.findByText('For a mouse')
  // It would have come first.
  expect(screen.queryByText('For a finger')).toBeNull()
})
