import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { NumberField } from '../../../../renderer/components/forms/number-field.tsx'
import { readNumber, writeNumber } from '../../../../renderer/components/forms/read-number.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

async function openOption() {
  const gateway = createFakeGateway({
    'option.list': () => [{ key: 'RetryTimes', value: '2', default: '2' }],
  })
  const user = renderConsole(gateway, '/settings/options')
  const field = await screen.findByLabelText<HTMLInputElement>('Max failovers')
  await user.clear(field)
  const saved = () => gateway.calls.filter(({ name }) => name === 'option.update')
  return { user, field, saved }
}

test.each([
  ['-5', '0 or more.'],
  ['1.5', 'Whole numbers only.'],
  ['1,5', 'Not a number. Write it like 1500 or 0.5.'],
  ['5 s', 'Not a number. Write it like 1500 or 0.5.'],
])('%s stays as it was typed, says why it won’t do, and is not saved', async (typed, problem) => {
  const { user, field, saved } = await openOption()
  await user.type(field, `${typed}{Enter}`)
  expect(await screen.findByText(problem)).toBeTruthy()
  expect(field.value).toBe(typed)
  await user.tab()
  expect(field.value).toBe(typed)
  expect(saved()).toEqual([])
})

test('nothing is told of a number while it is being typed', async () => {
  const { user, field } = await openOption()
  await user.type(field, '-')
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
  await user.tab()
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('a number with groups, spaces or full-width digits is saved as that number', async () => {
  const { user, field, saved } = await openOption()
  await user.type(field, '１ ０００{Enter}')
  await waitFor(() => expect(saved()).toHaveLength(1))
  expect(saved()[0]?.input).toEqual({ key: 'RetryTimes', value: '1000' })
})

function Resettable() {
  const [value, setValue] = useState<number | string>(2)
  return (
    <>
      <NumberField label="Amount" value={value} onChange={setValue} />
      <button type="button" onClick={() => setValue(7)}>
        Take seven
      </button>
    </>
  )
}

test('what a button sets is shown, whatever was typed', async () => {
  const user = renderConsole(createFakeGateway(), '/', <Resettable />)
  const field = await screen.findByLabelText<HTMLInputElement>('Amount')
  await user.type(field, 'x')
  expect(field.value).toBe('2x')
  await user.click(screen.getByRole('button', { name: 'Take seven' }))
  expect(field.value).toBe('7')
})

test('the arrows step within the limits', async () => {
  const { user, field } = await openOption()
  await user.type(field, '1')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(field.value).toBe('3')
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(field.value).toBe('0')
})

test.each([
  ['1,000', 1000],
  ['-1,234,567.5', -1_234_567.5],
  ['$1.50', 1.5],
  ['-$1.50', -1.5],
  ['−3', -3],
  ['1e3', 1000],
  ['.5', 0.5],
  ['30 %', 30],
  ['1,00', null],
  ['1.2.3', null],
  ['Infinity', null],
  ['', null],
])('%j is read as %j', (text, value) => {
  expect(readNumber(text, { prefix: '$', suffix: ' %' })).toBe(value)
})

test('a small number is shown without an exponent, and a large one whole', () => {
  expect(writeNumber(0.0000005)).toBe('0.0000005')
  expect(writeNumber(0.1 + 0.2)).toBe('0.3')
  expect(writeNumber('1234567.5', true)).toBe('1,234,567.5')
  expect(writeNumber('')).toBe('')
  expect(writeNumber('many')).toBe('many')
})
