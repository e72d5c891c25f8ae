import { readFileSync } from 'node:fs'
import { parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { startSessionStage } from '../sessions/session-stage.ts'
import { connect } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

test('a tool is told the limits of the model behind a mapped name or a route, and that a route sends images elsewhere', async () => {
  const home = toolHome()
  const stage = await startSessionStage({ env: { HOME: home.path, PATH: '' } })
  stage.addChannel({
    ...{ type: 1, models: ['smart', 'glm-5.2', 'gpt-5.5'] },
    modelMapping: { smart: 'gpt-5.5' },
  })
  const target = (model: string) => ({ model })
  const made = await stage.owner.send('POST', '/api/route', {
    name: 'best',
    targets: [target('glm-5.2')],
    rules: [{ name: 'images', when: { images: true }, targets: [target('gpt-5.5')] }],
  })
  expect(made.status, made.body.message).toBe(200)
  const images = { modalities: { input: ['text', 'image'] } }
  for (const [model, facts] of [
    ['smart', { ...images, limit: { context: 1_050_000, output: 128_000 } }],
    ['best', images],
  ] as const) {
    const { status, body } = await connect(stage, 'opencode', model)
    expect(status, body.message).toBe(200)
    const [{ path }] = body.data.files
    const { provider } = parse(readFileSync(path, 'utf8'))
    expect(provider.switchyard.models[model]).toMatchObject(facts)
  }
})
