import { asLimit, requireTurns } from '../../../main/convert/check/check-request.ts'
import { KeyGuard } from '../../../main/convert/check/guarded-keys.ts'
import type { Codec } from '../../../main/convert/codec.ts'
import { EventScanner } from '../../../main/convert/events/event-scanner.ts'
import { asObject, asString } from '../../../main/convert/json/json-value.ts'
import { readTinyUsage, TINY, tinyConversion } from './tiny-conversion.ts'

/** One folder: the relay, the HTTP side and the adaptors learn the format from this alone. */
export const tinyCodec: Codec = {
  format: TINY,
  path: '/v1/tiny',
  idHeader: 'x-tiny-id',
  rateHeaders: null,
  overloadedStatus: 518,
  answerLimits: (body) => ({ tokens: asLimit(body.get('most')), answers: 1 }),
  guard: new KeyGuard({ keys: ['say', 'most'] }),
  checkRequest: (body) => requireTurns(body, 'say'),
  readUsage: (answer) => readTinyUsage(answer.get('used')),
  answerKeys: ['text'],
  modelField: 'model',
  createScanner: (options) =>
    new EventScanner(
      {
        usageNeedle: '"used"',
        terminalNeedle: '"used"',
        isTerminalLine: () => true,
        answerEnding: null,
        readUsage: (event) => readTinyUsage(asObject(event)?.used),
        isUsageOnly: () => false,
        readError: () => null,
        readText: (event) => asString(asObject(event)?.text) ?? '',
        modelKey: '"model"',
      },
      options,
    ),
  encodeError: (error) => ({ wrong: error.message }),
  encodeStreamError: (error) => `data: ${JSON.stringify({ wrong: error.message })}\n\n`,
  conversion: tinyConversion,
  keepAlive: null,
}
