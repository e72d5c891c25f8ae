import { expect, test } from 'vitest'
import { chinese as inChinese } from '../../renderer/i18n/chinese/texts.ts'
import { english } from '../../renderer/i18n/english/texts.ts'

const slots = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

test('every Chinese text is translated and fills the same slots as the English one', () => {
  const same: string[] = []
  for (const [section, texts] of Object.entries(english.translation)) {
    const chinese: Record<string, string> =
      inChinese.translation[section as keyof typeof english.translation]
    expect(Object.keys(chinese).sort(), section).toEqual(Object.keys(texts).sort())
    for (const [key, text] of Object.entries(texts)) {
      expect(slots(chinese[key] ?? ''), `${section}.${key}`).toEqual(slots(text))
      if (chinese[key] === text) same.push(`${section}.${key}`)
    }
  }
  expect(same.sort()).toEqual([
    'channelForm.baseUrl',
    'options.mebibytes',
    'settings.baseUrl',
    'settings.electron',
    'settings.node',
    'settings.noticeUrl',
    'welcome.echoTitle',
  ])
})
