import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FilterField } from '../../../renderer/components/table/filter-field.tsx'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

function List({ told }: { told: string[] }) {
  const [filter, setFilter] = useState('work')
  const tell = (text: string) => {
    told.push(text)
    setFilter(text)
  }
  return (
    <>
      <FilterField label="Filter" value={filter} onChange={tell} />
      <button type="button" onClick={() => setFilter('')}>
        Clear
      </button>
    </>
  )
}

test('what was typed just before the filters were cleared does not come back', async () => {
  const told: string[] = []
  renderConsole(createFakeGateway(), '/', <List told={told} />)
  const field = await screen.findByRole('textbox', { name: 'Filter' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  fireEvent.change(field, { target: { value: 'works' } })
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
  vi.advanceTimersByTime(60_000)
  expect(field).toHaveProperty('value', '')
  expect(told).toEqual([])
})
