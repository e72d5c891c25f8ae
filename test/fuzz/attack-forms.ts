import { formBytes, type WrittenPart, wavBytes } from '../support/clients/form-bytes.ts'
import type { Attack } from './fault.ts'
import { judge, send } from './judge.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Stage } from './stage.ts'

const PATHS = [
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
  '/v1/images/edits',
  '/v1/images/variations',
]
const NAMES = [
  'model',
  'file',
  'image',
  'image[]',
  'prompt',
  'response_format',
  'stream',
  'n',
  '__proto__',
  '',
]
const TEXTS = ['echo', 'up-other', 'json', 'text', 'true', '-1', '', '\0', '😀', 'x'.repeat(3000)]
const HEADS = [
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; name=model',
  'Content-Disposition: form-data; name="model"; name="file"',
  'Content-Disposition: attachment; filename="../../a"',
  'Content-Type: text/plain',
  'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%ff%fe',
  `Content-Disposition: form-data; name="${'n'.repeat(5000)}"`,
  '',
]

function oddPart(random: Random): WrittenPart {
  const part: WrittenPart = { name: random.pick(NAMES), body: random.pick(TEXTS) }
  if (random.chance(0.3)) part.filename = random.pick(['a.wav', 'a.png', '../x', '', 'ü"\\.mp3'])
  if (random.chance(0.3)) part.contentType = random.pick(['audio/wav', 'text/plain', 'x', ''])
  if (random.chance(0.2)) part.head = random.pick(HEADS)
  return part
}

function partsOf(path: string, random: Random): WrittenPart[] {
  const file: WrittenPart = {
    name: random.chance(0.9) === path.includes('audio') ? 'file' : 'image',
    filename: 'a.wav',
    contentType: 'audio/wav',
    body: wavBytes(random.integer(4000)),
  }
  const parts: WrittenPart[] = [{ name: 'model', body: random.pick(['echo', 'up-other']) }, file]
  if (random.chance(0.3)) parts.reverse()
  for (let left = random.chance(0.5) ? 0 : random.integer(4); left > 0; left--)
    parts.splice(random.integer(parts.length + 1), 0, oddPart(random))
  return parts
}

/** Forms with files: parts missing, doubled, out of order, with odd heads, and broken bytes. */
export const attackForms = (stage: Stage, run: number): Attack => ({
  name: 'forms',
  share: 0.08,
  async run(index) {
    const random = randomOf(seedOf(run, 'forms', index))
    const boundary = random.pick([
      'b',
      '----WebKitFormBoundaryabc',
      'x'.repeat(70),
      "a'()+_,-./:=?",
    ])
    const path = random.pick(PATHS)
    const whole = formBytes(partsOf(path, random), boundary)
    const body = random.chance(0.5) ? mutateBytes(whole, random) : whole
    const headers = {
      authorization: `Bearer ${stage.key}`,
      'content-type': `multipart/form-data; boundary="${boundary}"`,
      'x-fuzz': 'none',
    }
    judge(await send(stage.gateway.url + path, { method: 'POST', headers, body }))
  },
})
