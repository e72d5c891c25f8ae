import { expect, test } from 'vitest'
import type { Payer } from '../../../../main/relay/limits/reservations.ts'
import { Reservations } from '../../../../main/relay/limits/reservations.ts'

const payer = { token: { id: 3 }, user: { id: 1 } } as Payer

test('a call that uses more than was expected holds what it uses, and nothing once it is booked', () => {
  const reservations = new Reservations()
  const held = () => [reservations.ofToken(3), reservations.ofUser(1)]
  const call = reservations.hold(payer, 10)
  const other = reservations.hold(payer, 5)
  call.growTo(30)
  call.growTo(20)
  expect(held()).toEqual([35, 35])
  call.release()
  call.growTo(40)
  expect(held()).toEqual([5, 5])
  other.release()
  other.release()
  expect(held()).toEqual([0, 0])
})
