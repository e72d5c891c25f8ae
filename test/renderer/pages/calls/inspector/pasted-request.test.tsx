import { useQueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOperation } from '../../../../../renderer/gateway/queries.ts'
import { PastedRequest } from '../../../../../renderer/pages/calls/inspector/formats/pasted-request.tsx'
import { createFakeGateway } from '../../../fake-client.ts'
import { renderConsole } from '../../../render-console.tsx'

/** The pasted request of whoever is signed in; another one sees it drawn anew. */
function OfUser() {
  const queryClient = useQueryClient()
  const id = useOperation('user.self', {}).data?.id
  const change = () => void queryClient.invalidateQueries({ queryKey: ['user.self'] })
  return (
    <>
      <button type="button" onClick={change}>
        Change user
      </button>
      {id !== undefined && <PastedRequest key={id} />}
    </>
  )
}

test('a request that one user pasted isn’t shown to the next who signs in', async () => {
  const gateway = createFakeGateway()
  const user = renderConsole(gateway, '/calls', <OfUser />)
  const field = () => screen.findByRole('textbox', { name: 'Request as JSON' })
  await user.click(await field())
  await user.paste('{"secret":"mine"}')
  expect(await field()).toHaveProperty('value', '{"secret":"mine"}')
  gateway.answer('user.self', () => ({ id: 2, username: 'bea', role: 10, has_password: true }))
  await user.click(screen.getByRole('button', { name: 'Change user' }))
  await waitFor(async () => expect(await field()).toHaveProperty('value', ''))
})
