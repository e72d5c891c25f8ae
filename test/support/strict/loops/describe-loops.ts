import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { loopTurns } from './loop-script.ts'
import { formats, modelsOf, type SeenTurn } from './stage.ts'

/**
 * The loop of one client on the upstreams of all four formats, whole and streamed; on the first model of
 * each with the thoughts compared, on the others without, as not all of them show theirs.
 */
export function describeLoops(
  client: string,
  check: (format: WireFormat, model: string, stream: boolean) => Promise<SeenTurn[]>,
): void {
  describe.each(formats)(`${client} on %s`, (format) => {
    test.each([true, false])('three turns of a tool loop, streamed: %s', async (stream) => {
      const turns = await check(format, modelsOf[format][0], stream)
      expect(turns.map(({ thinking }) => thinking)).toEqual(loopTurns.map((turn) => turn.thinking))
    })
  })

  describe.each([
    ['chat', 'gpt-5.4'],
    ['messages', 'claude-sonnet-4-5'],
    ['generate-content', 'gemini-2.5-flash'],
  ] as const)(`${client} on %s with %s`, (format, model) => {
    test.each([true, false])('three turns, streamed: %s', async (stream) => {
      await check(format, model, stream)
    })
  })
}
