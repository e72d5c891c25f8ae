import { describe, expect, test } from 'vitest'
import {
  checkGenerateContentCount,
  checkGenerateContentRequest,
} from '../../../../main/convert/generate-content/request/check-request.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { pass } from '../../../support/strict/loops/through.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'
import { decoded } from './wire-ways.ts'

const others = formats.filter((format) => format !== 'generate-content')
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const declaration = { name: 'weather', description: 'Tells it.', parametersJsonSchema: schema }
const picture = { inlineData: { mimeType: 'image/png', data: PNG } }

/** The same call with each list of one, or with its entry alone: Google takes both. */
const call = (list: (entry: unknown) => unknown) => ({
  systemInstruction: { parts: list({ text: 'Be brief.' }) },
  contents: [
    { role: 'user', parts: list({ text: 'How is it?' }) },
    { role: 'model', parts: list({ functionCall: { id: 'c1', name: 'weather', args: {} } }) },
    {
      role: 'user',
      parts: list({
        functionResponse: {
          ...{ id: 'c1', name: 'weather', response: { output: 'rain' } },
          parts: list(picture),
        },
      }),
    },
  ],
  tools: list({ functionDeclarations: list(declaration) }),
})
const alone = (entry: unknown) => entry
const listed = (entry: unknown) => [entry]

describe('a list of one may be sent without its list', () => {
  test.each(others)('converted to %s', (to) => {
    const { body, losses } = pass('generate-content', to, call(alone))
    const expected = pass('generate-content', to, call(listed))
    expect(body).toEqual(expected.body)
    expect(JSON.stringify(body)).toContain('Be brief.')
    const said = losses.map(({ kind, reason }) => ({ kind, reason }))
    expect(said).toEqual(expected.losses.map(({ kind, reason }) => ({ kind, reason })))
  })

  test('also the only turn', () => {
    const contents = { parts: { text: 'How is it?' } }
    expect(decoded({ contents }).turns).toMatchObject([
      { role: 'user', parts: [{ text: 'How is it?', at: 'contents.parts' }] },
    ])
  })

  test('before its parts are looked at, for a count too', () => {
    const check = (contents: unknown) => () => {
      const body = new JsonFields(Buffer.from(JSON.stringify({ contents })))
      checkGenerateContentRequest(body)
      checkGenerateContentCount(body)
    }
    expect(check({ parts: { text: 'Hi' } })).not.toThrow()
    expect(check('Hi')).toThrow('contents')
    expect(check(['Hi'])).toThrow('contents[0]')
  })

  test('whose fault is told where it stands', () => {
    const wrong = (contents: unknown) => () => decoded({ contents })
    expect(wrong({ role: 'robot', parts: { text: 'Hi' } })).toThrow('contents.role')
    expect(wrong([{ parts: 5 }])).toThrow('contents[0].parts')
    expect(wrong('Hi')).toThrow('contents')
  })
})
