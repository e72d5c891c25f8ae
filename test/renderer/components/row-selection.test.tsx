import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useRowSelection } from '../../../renderer/components/selection/use-row-selection.ts'

test('a row that has left the page is selected no more, also when it comes back', () => {
  const { result, rerender } = renderHook(({ shown }) => useRowSelection(shown, true), {
    initialProps: { shown: [1, 2, 3] },
  })
  act(() => result.current.setAll(true))
  expect(result.current.state).toBe('all')
  rerender({ shown: [2, 3] })
  expect(result.current.ids).toEqual([2, 3])
  act(() => result.current.set(2, false, false))
  rerender({ shown: [1, 2, 3] })
  expect(result.current.ids).toEqual([3])
})
