import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderConsole } from '../../render-console.tsx'
import { gatewayOf, inputs, previewOf } from './connect-gateway.ts'
import { connectedView, toolView } from './tool-views.ts'

test('another token and model change the preview; those that don’t fit come last', async () => {
  const gateway = gatewayOf([toolView()])
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  await user.click(await screen.findByLabelText('Token', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'laptop (#3)' }))
  await user.click(screen.getByLabelText('Small model', { selector: 'input' }))
  const offered = (await screen.findAllByRole('option')).map((option) => option.textContent)
  expect(offered).toEqual([
    ...[
      'sonnet200,000 context',
      'mysterytool calls not known, context not known',
      'tinyno tool calls, 4,096 context',
    ],
  ])
  await user.click(screen.getByRole('option', { name: /^tiny/ }))
  await waitFor(() =>
    expect(inputs(gateway, 'connect.preview').at(-1)).toEqual({
      ...{ tool: 'claude-code', token_id: 3 },
      models: { main: 'sonnet', small: 'tiny' },
    }),
  )
})

type User = ReturnType<typeof renderConsole>

async function chooseTinyAgain(user: User) {
  await user.click(screen.getByLabelText('Small model', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: /^tiny/ }))
}

test.each([
  ['Clear', (user: User) => user.click(screen.getByLabelText('Clear'))],
  ['choosing it again, as a keyboard does', chooseTinyAgain],
])('a small model that is cleared by %s is set no more', async (_, clear) => {
  const tool = connectedView({ chosen: { main: 'sonnet', small: 'tiny' } })
  const gateway = gatewayOf([tool])
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  await screen.findByLabelText('Clear')
  await clear(user)
  const models = () => Reflect.get(Object(inputs(gateway, 'connect.preview').at(-1)), 'models')
  await waitFor(() => expect(models()).toEqual({ main: 'sonnet' }))
})

test('Apply waits for the diff of the token that is chosen now', async () => {
  let show: () => void = () => {}
  const gateway = gatewayOf([toolView()], {
    'connect.preview': ({ token_id }: { token_id: number | null }) =>
      token_id === null
        ? previewOf()
        : new Promise((resolve) => {
            show = () => resolve(previewOf())
          }),
  })
  const user = renderConsole(gateway, '/connect?tool=claude-code')
  const apply = await screen.findByRole('button', { name: 'Apply' })
  expect(apply).toHaveProperty('disabled', false)
  await user.click(screen.getByLabelText('Token', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'laptop (#3)' }))
  await waitFor(() => expect(inputs(gateway, 'connect.preview')).toHaveLength(2))
  expect(screen.getByRole('button', { name: 'Apply' })).toHaveProperty('disabled', true)
  show()
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Apply' })).toHaveProperty('disabled', false),
  )
})
