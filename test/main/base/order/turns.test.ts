import { expect, test } from 'vitest'
import { Turns } from '../../../../main/base/order/turns.ts'

/** Something to be done that ends when it is told to. */
function work(name: string, log: string[]) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const act = async () => {
    log.push(`${name} begins`)
    await ended
    log.push(`${name} ends`)
    return name
  }
  return { act, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what has the same key waits for its turn, in the order in which it came', async () => {
  const turns = new Turns()
  const log: string[] = []
  const [one, two, other] = [work('one', log), work('two', log), work('other', log)]
  const first = turns.take(1, one.act)
  const second = turns.take(1, two.act)
  const beside = turns.take(2, other.act)
  await settled()
  expect(log).toEqual(['one begins', 'other begins'])
  one.end()
  two.end()
  other.end()
  expect(await Promise.all([first, second, beside])).toEqual(['one', 'two', 'other'])
  expect(log.indexOf('one ends')).toBeLessThan(log.indexOf('two begins'))
})

test('one that fails is told so, and lets the next have its turn', async () => {
  const turns = new Turns<string>()
  const failed = turns.take('a', () => Promise.reject(new Error('No.')))
  const next = turns.take('a', async () => 'next')
  await expect(failed).rejects.toThrow('No.')
  expect(await next).toBe('next')
  expect(await turns.take('a', async () => 'last')).toBe('last')
})
