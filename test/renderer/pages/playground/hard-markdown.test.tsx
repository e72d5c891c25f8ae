import { expect, test } from 'vitest'
import { isHardMarkdown } from '../../../../renderer/pages/playground/chat/turn/hard-markdown.ts'
import { ReplyText } from '../../../../renderer/pages/playground/chat/turn/reply-text.tsx'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

/** What stands on the page of a reply. */
function shown(text: string): HTMLElement {
  renderConsole(createFakeGateway(), '/', <ReplyText text={text} isStreaming={false} />)
  return document.body
}

test.each([
  ['quotes', '>'.repeat(20_000)],
  ['lists', `${'- '.repeat(5000)}x`],
  ['numbered lists', `${'1. '.repeat(5000)}x`],
  [
    'indented lists',
    Array.from({ length: 400 }, (_, index) => `${' '.repeat(2 * index)}- x`).join('\n'),
  ],
  ['tabs', Array.from({ length: 100 }, (_, index) => `${'\t'.repeat(index)}- x`).join('\n')],
  ['stars', `${'*'.repeat(3000)}a${'*'.repeat(3000)}`],
  ['images in each other', `${'!['.repeat(2000)}a${'](b)'.repeat(2000)}`],
  ['emphasis over lines', '*a_\n'.repeat(3000)],
])(
  'a model that writes %s without end leaves the page there, with what it wrote',
  (_what, text) => {
    expect(shown(text).querySelector('p')?.textContent === text).toBe(true)
  },
)

test('one hard paragraph leaves the others as they are', () => {
  const page = shown(`**Bold**\n\n${'word '.repeat(500)}\n\n${'*a_'.repeat(3000)}`)
  expect(page.querySelector('strong')?.textContent).toBe('Bold')
  expect(page.querySelector('em')).toBeNull()
})

test.each([
  ['a long list', '- **Name**: _what_ it does\n'.repeat(1000)],
  ['many paragraphs', 'All **of** it.\n\n'.repeat(1000)],
  ['a quote of many paragraphs', '> All **of** it.\n>\n'.repeat(1000)],
  ['code, far to the right', `\`\`\`\n${' '.repeat(300)}done()\n\`\`\``],
  [
    'a list ten deep',
    Array.from({ length: 10 }, (_, index) => `${'    '.repeat(index)}- x`).join('\n'),
  ],
])('%s stays Markdown', (_what, text) => {
  expect(isHardMarkdown(text)).toBe(false)
})
