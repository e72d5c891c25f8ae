import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { StepUpForm } from '../../../renderer/components/step-up/step-up-form.tsx'
import { createFakeGateway, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

test('a refused code is no word against the password that is given instead', async () => {
  const gateway = createFakeGateway({
    'verify.run': () => refuse('That code is not right.', 'code'),
  })
  const form = (
    <StepUpForm
      methods={['2fa', 'password']}
      purpose="To show the key"
      onVerified={() => {}}
      onClose={() => {}}
    />
  )
  const user = renderConsole(gateway, '/', form)
  await user.type(await screen.findByRole('textbox'), '123456')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('That code is not right.')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Password' }))
  expect(screen.queryByText('That code is not right.')).toBeNull()
})
