import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import {
  type CurlRequest,
  curlCommand,
} from '../../../../renderer/pages/playground/run/curl-command.ts'
import { runsOf } from '../../../support/every-case.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-quoting-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const base = 'http://127.0.0.1:4747'

/** The arguments that a shell starts cURL with. */
function wordsOf(request: CurlRequest): string[] {
  const command = curlCommand(request, base, 'posix')
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  // Nothing to find and nowhere of worth: what is quoted wrongly would be run.
  const env = { SWITCHYARD_KEY: 'sk-the key', PATH: '' }
  const options = { env, cwd: folder, encoding: 'utf8' } as const
  return execFileSync('/bin/sh', ['-c', script], options).split('\0').slice(0, -1)
}

const text = fc
  .oneof(fc.string(), fc.string({ unit: fc.constantFrom(...`'"\\$\`!\n&;|@<> ä你🚂`) }))
  .filter((one) => !one.includes('\0'))

test('whatever is typed, the shell hands it to cURL as it was', () => {
  fc.assert(
    fc.property(text, (prompt) => {
      const json = { model: 'm', prompt }
      const words = wordsOf({ path: '/v1/images/generations', body: { json } })
      expect(words[0]).toBe(`${base}/v1/images/generations`)
      expect(words).toContain('Authorization: Bearer sk-the key')
      expect(JSON.parse(words.at(-1) ?? '')).toEqual(json)
    }),
    runsOf(60, 15),
  )
})

test('a form names its file, and fields that cURL would read as its own signs are plain text', () => {
  const body = {
    fields: { model: 'whisper-1', prompt: '@names; "and" <words>' },
    file: { field: 'file', name: `it's; a "talk".mp3` },
  }
  expect(wordsOf({ path: '/v1/audio/transcriptions', body }).slice(3)).toEqual([
    '-F',
    `file=@"it's; a \\"talk\\".mp3"`,
    '-F',
    'model=whisper-1',
    '--form-string',
    'prompt=@names; "and" <words>',
  ])
})

test('PowerShell gets the body over the pipe, in ASCII and without a quote inside an argument', () => {
  const json = { model: 'm', input: 'it’s "über" 🚂' }
  const request = { path: '/v1/audio/speech', body: { json }, output: 'speech.wav' }
  const command = curlCommand(request, base, 'powershell')
  const [sent = '', call = ''] = command.split(' | ')
  expect(command).toMatch(/^[\n\x20-\x7e]*$/)
  expect(JSON.parse(sent.slice(1, -1).replaceAll("''", "'"))).toEqual(json)
  expect(call).toContain('-H "Authorization: Bearer $env:SWITCHYARD_KEY"')
  expect(call).toContain(`--data-binary '@-'`)
  expect(call).toContain(`--output 'speech.wav'`)
})

test('PowerShell takes a typographic quote for an end, so that it is doubled', () => {
  const fields = { prompt: 'it’s ‘so’' }
  const body = { fields, file: { field: 'file', name: 'a.mp3' } }
  const command = curlCommand({ path: '/v1/audio/transcriptions', body }, base, 'powershell')
  expect(command).toContain(`--form-string 'prompt=it’’s ‘‘so’’'`)
})

/** Pasted into a terminal, DEL takes away the quote before it, and ESC can end the paste. */
test('a pasted prompt puts no control character into the command', () => {
  const prompt = "'\x7f; injected; \u001b[201~ \u009b201~ \t"
  const request: CurlRequest = { path: '/v1/audio/speech', body: { json: { prompt } } }
  const file = { field: 'file', name: 'a.mp3' }
  const form: CurlRequest = { path: '/v1/audio/translations', body: { fields: { prompt }, file } }
  for (const shell of ['posix', 'powershell'] as const) {
    for (const one of [request, form]) {
      expect(curlCommand(one, base, shell)).not.toMatch(/[^\P{Cc}\n]/u)
    }
  }
  expect(JSON.parse(wordsOf(request).at(-1) ?? '')).toEqual({ prompt })
  const script = `curl() { printf '%s\\0' "$@"; }\n${curlCommand(form, base, 'posix')}`
  const words = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).split('\0')
  expect(words).toContain(`prompt=${prompt}`)
  expect(curlCommand(form, base, 'powershell')).toContain(
    "(-join @('prompt=''', [char]127, '; injected; ', [char]27, '[201~ ', [char]155, '201~ ', [char]9))",
  )
})
