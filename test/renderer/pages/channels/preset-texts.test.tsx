import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { presets } from '../../../../main/adaptor/presets.ts'
import { presetName, presetNote } from '../../../../renderer/i18n/english/channels/presets.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

test('each note of a preset, and each name that is no vendor’s own word, has its text here', () => {
  const notes = presets.flatMap(({ id, note }) => (note ? [[id, note]] : []))
  expect(presetNote).toEqual(Object.fromEntries(notes))
  const ours = presets.filter(({ name }) =>
    /built in|coding plan|, (?:China|international)$|Custom|Other/.test(name),
  )
  expect(presetName).toEqual(Object.fromEntries(ours.map(({ id, name }) => [id, name])))
})

test('in Chinese a vendor is found, named and explained in Chinese', async () => {
  const gateway = createFakeGateway({ 'channel.presets': () => presets })
  const user = renderConsole(gateway, '/channels?new=1', undefined, 'zh')
  const search = await screen.findByLabelText('搜索厂商')
  expect(await screen.findByText('Echo（内置，无需密钥）')).toBeTruthy()
  expect(screen.queryByText(/, China|built in|Other,/)).toBeNull()
  await user.type(search, '火山方舟编程')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('用于编程套餐的密钥；普通 API 另行计费。')).toBeTruthy()
})
