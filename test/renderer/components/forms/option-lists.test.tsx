import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  Autocomplete,
  MultiSelect,
  Select,
  TagsInput,
} from '../../../../renderer/components/forms/option-lists.tsx'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const fruits = ['Apple', 'Banana', 'Cherry', 'Date']

const optionsInPage = () => document.querySelectorAll('[role=option]').length

test('a field’s arrow key opens its list at what is chosen, and the next one goes on from there', async () => {
  const user = renderConsole(
    createFakeGateway(),
    '/',
    <Select label="Fruit" data={fruits} defaultValue="Banana" />,
  )
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Fruit' }).value).toBe('Cherry')
})

test.each([
  ['Autocomplete', <Autocomplete key="1" label="Fruit" data={fruits} />],
  ['MultiSelect', <MultiSelect key="2" label="Fruit" data={fruits} />],
  ['Select', <Select key="3" label="Fruit" data={fruits} />],
  ['TagsInput', <TagsInput key="4" label="Fruit" data={fruits} />],
])('the options of a closed %s burden no page, and a click shows them all', async (_, field) => {
  const user = renderConsole(
    createFakeGateway(),
    '/',
    <>
      {field}
      <button type="button">Next</button>
    </>,
  )
  expect(optionsInPage()).toBe(0)
  await user.click(screen.getByLabelText('Fruit', { selector: 'input' }))
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(fruits)
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(optionsInPage()).toBe(0)
})
