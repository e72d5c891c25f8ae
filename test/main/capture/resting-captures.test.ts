import { expect, test } from 'vitest'
import { CallCapture } from '../../../main/capture/call-capture.ts'
import { RestingCaptures } from '../../../main/capture/resting-captures.ts'

const host = { largestBody: 1e9, take: () => true, over() {} }

const MEBIBYTE = 1024 * 1024

/** The capture of a call that is over. */
function over(id: string, bytes = 0): CallCapture {
  const capture = new CallCapture(
    {
      ...{ id, receivedAt: 0, userId: 1, tokenId: 0, format: 'chat', model: 'm' },
      ...{ method: 'POST', url: '/', headers: [] },
    },
    host,
  )
  capture.heldAtRest = bytes
  return capture
}

function failed(id: string): CallCapture {
  const capture = over(id)
  capture.fail()
  return capture
}

function session(id: string): CallCapture {
  const capture = over(id)
  capture.beginSession()
  return capture
}

const idsOf = (captures: readonly CallCapture[]) => captures.map(({ id }) => id)

test('sixteen are packed together, but those that a refusal or a last message may still come to', () => {
  const resting = new RestingCaptures()
  expect(resting.add(failed('failed'))).toEqual([])
  expect(resting.add(session('session'))).toEqual([])
  for (let at = 0; at < 13; at++) expect(resting.add(over(`call ${at}`))).toEqual([])
  const packed = idsOf(resting.add(over('last')))
  expect(packed).toEqual([...Array.from({ length: 13 }, (_, at) => `call ${at}`), 'last'])
  expect(resting.ids).toEqual(['failed', 'session'])
})

test('so are those of a megabyte together', () => {
  const resting = new RestingCaptures()
  expect(resting.add(over('first', MEBIBYTE / 2))).toEqual([])
  expect(idsOf(resting.add(over('second', MEBIBYTE / 2 + 1)))).toEqual(['first', 'second'])
  expect(resting.add(over('third'))).toEqual([])
  expect(resting.add(over('fourth'))).toEqual([])
})

test('of many that failed at once the first ones are packed before the others', () => {
  const resting = new RestingCaptures()
  for (let at = 0; at < 15; at++) expect(resting.add(failed(`call ${at}`))).toEqual([])
  expect(idsOf(resting.add(failed('last')))).toEqual(['call 0'])
})

test('a round packs those that were there at the round before', () => {
  const resting = new RestingCaptures()
  resting.add(failed('first'))
  expect(resting.takeRested()).toEqual([])
  resting.add(failed('second'))
  expect(idsOf(resting.takeRested())).toEqual(['first'])
  expect(resting.ids).toEqual(['second'])
  expect(idsOf(resting.takeRested())).toEqual(['second'])
  expect(resting.size).toBe(0)
})

test('what was packed meanwhile takes no other’s time to rest', () => {
  const resting = new RestingCaptures()
  resting.add(over('call'))
  resting.add(failed('old'))
  expect(resting.takeRested()).toEqual([])
  for (let at = 0; at < 14; at++) resting.add(over(`call ${at}`))
  resting.add(failed('new'))
  expect(idsOf(resting.takeRested())).toEqual(['old'])
  expect(resting.ids).toEqual(['new'])
})

test('the oldest makes room for others first', () => {
  const resting = new RestingCaptures()
  resting.add(over('first'))
  resting.add(failed('second'))
  expect(resting.takeOldest()?.id).toBe('first')
  expect(resting.takeOldest()?.id).toBe('second')
  expect(resting.takeOldest()).toBeNull()
})

test('calls that failed don’t count towards the limit of a flood', () => {
  const resting = new RestingCaptures()
  resting.add(failed('failed'))
  resting.add(session('session'))
  resting.add(over('call'))
  expect(resting.counted).toBe(2)
})
