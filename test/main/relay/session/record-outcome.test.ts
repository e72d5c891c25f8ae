import { expect, test } from 'vitest'
import { cutBy } from '../../../../main/relay/session/record-outcome.ts'

const lost = 'The upstream ended the connection before the answer was complete'

test.each([
  ['Moving.', `${lost}: Moving.`, 'Moving.'],
  ['', `${lost}.`, { code: 'no_reason_given' }],
])('an upstream that leaves with “%s” is told in both languages', (reason, message, said) => {
  const { code, message: told, reason: why } = cutBy({ code: 1001, reason, isRefused: false })
  expect([code, told, why]).toEqual(['upstream_cut', message, { code: 'upstream_left', said }])
})

test('an upstream whose message is too large is told as such', () => {
  const { message, reason } = cutBy({ code: 1009, reason: 'Too large.', isRefused: true })
  expect(message).toBe("The upstream sent something that can't be relayed. Too large.")
  expect(reason).toMatchObject({
    code: 'upstream_unrelayable',
    problem: { code: 'socket_message_large', mebibytes: expect.any(Number) },
  })
})
