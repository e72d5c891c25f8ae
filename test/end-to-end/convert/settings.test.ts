import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formats, modelsOf, type Stage, startStage } from '../../support/strict/loops/stage.ts'
import { callPath, plainBody } from '../../support/strict/requests/refused-requests.ts'
import { chatSettings } from '../../support/strict/settings/settings-chat.ts'
import { googleSettings } from '../../support/strict/settings/settings-generate-content.ts'
import { messagesSettings } from '../../support/strict/settings/settings-messages.ts'
import { responsesSettings } from '../../support/strict/settings/settings-responses.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

const targets = formats.flatMap((format) => modelsOf[format].map((model) => ({ format, model })))

const settings = [...chatSettings, ...messagesSettings, ...googleSettings, ...responsesSettings]

describe.each(settings)('%s of a %s client', (_, client, more) => {
  test.each(targets.filter(({ format }) => format !== client))(
    'is taken by $format with $model',
    async ({ format, model }) => {
      const upstream = stage.upstreams[format]
      upstream.refusals.length = 0
      const answer = await fetch(stage.gateway.url + callPath[client](model), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          authorization: `Bearer ${stage.gateway.key}`,
        },
        body: JSON.stringify({ model, ...plainBody[client], ...more }),
      })
      expect(upstream.refusals).toEqual([])
      expect(answer.status, await answer.text()).toBe(200)
    },
  )
})
