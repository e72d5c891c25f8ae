import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BASE64, isBase64 } from '../../../../main/base/text/is-base64.ts'

test('a text is base64 where the document says so', () => {
  const pieces = fc.constantFrom('a', 'Z9', '+', '/', '=', '==', '-', '_', ' ', '\n', 'ä', '\0')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      expect(isBase64(text)).toBe(new RegExp(BASE64).test(text))
    }),
    { numRuns: 3000 },
  )
})

test('one of 40 MiB is base64 also in a process that compiles expressions in a hurry', () => {
  const source = new URL('../../../../main/base/text/is-base64.ts', import.meta.url)
  const script = `
    const { BASE64, isBase64 } = await import(${JSON.stringify(source.href)})
    const text = 'A'.repeat(40 * 1024 * 1024)
    const loop = () => { try { return new RegExp(BASE64).test(text) } catch (error) { return error.name } }
    console.log(loop(), isBase64(text), isBase64(text + '!'))`
  const flags = ['--no-regexp-optimization', '--import', 'tsx', '--input-type=module']
  const told = execFileSync(process.execPath, [...flags, '--eval', script], {
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
    encoding: 'utf8',
  })
  expect(told.trim()).toBe('RangeError true false')
})
