import { expect, test } from 'vitest'
import { Affinity } from '../../../../main/relay/channel/affinity.ts'

const settings = { SessionAffinityEnabled: true, SessionAffinityMinutes: 60 }

test('of more conversations than ten thousand, those that were silent longest are forgotten', () => {
  const affinity = new Affinity(() => settings)
  const keep = (name: number) => affinity.keep(`conversation ${name}`, { channelId: 1, key: 'k' })
  const isKept = (name: number) => affinity.placeOf(`conversation ${name}`) !== null
  for (let name = 0; name < 10_000; name++) keep(name)
  expect([isKept(0), isKept(9_999)]).toEqual([true, true])
  // This one goes on, so that the next is the oldest.
  keep(0)
  for (let name = 10_000; name < 10_003; name++) keep(name)
  const first = [0, 1, 2, 3, 4, 10_002]
  expect(first.map(isKept)).toEqual([true, false, false, false, true, true])
})
