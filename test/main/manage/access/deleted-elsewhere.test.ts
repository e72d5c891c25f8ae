import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { chinese } from '../../../../renderer/i18n/chinese/texts.ts'
import { type GatewaySentence, sentenceOf } from '../../../../renderer/i18n/sentence-of.ts'
import { startManagement } from '../management.ts'

const inChinese = createInstance({
  lng: 'zh',
  initAsync: false,
  resources: { zh: { ...chinese } },
})
void inChinese.init()

test.each([
  ['channel', 'PUT', '/api/channel/', { id: 4321, name: 'Renamed' }, '渠道'],
  ['token', 'PUT', '/api/token/', { id: 4321, name: 'Renamed' }, '令牌'],
  ['user', 'PUT', '/api/user/', { id: 4321, username: 'renamed' }, '用户'],
  ['redemption code', 'PUT', '/api/redemption/', { id: 4321, name: 'Renamed' }, '兑换码'],
])(
  'saving a %s that was deleted elsewhere says so, and what to do',
  async (thing, method, path, body, inZh) => {
    const { owner } = await startManagement()
    const answer = await owner.send(method, path, body)
    expect(answer.body.message).toBe(
      `There is no ${thing} 4321. It may have been deleted: reload the list.`,
    )
    const { message, reason } = answer.body as GatewaySentence
    expect(sentenceOf({ message, reason }, inChinese)).toBe(
      `没有编号为 4321 的${inZh}，可能已被删除。请重新加载列表。`,
    )
  },
)
