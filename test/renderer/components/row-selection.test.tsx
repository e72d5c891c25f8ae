import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useRowSelection } from '../../../renderer/components/selection/use-row-selection.ts'

const rows = [1, 2, 3, 4]

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

test('after the selection is cleared, Shift selects one row, not a range from a row of before', () => {
  const { result } = renderHook(() => useRowSelection(rows, true))
  act(() => result.current.set(1, true, false))
  act(() => result.current.clear())
  act(() => result.current.set(4, true, true))
  expect(result.current.ids).toEqual([4])
  act(() => result.current.set(2, true, true))
  expect(result.current.ids).toEqual([2, 3, 4])
})
