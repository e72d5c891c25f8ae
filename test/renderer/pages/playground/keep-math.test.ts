import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { expect, test } from 'vitest'
import { keepMath } from '../../../../renderer/pages/playground/chat/turn/keep-math.ts'

const html = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm] }, keepMath(text)))

/** What a reader sees. */
const read = (text: string) =>
  html(text)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()

test.each([
  'The square \\(a^2 + b_1\\) and \\[\\frac{1}{3}\\] here.',
  'An area is $\\pi r^2$ and $x_1 * x_2 * x_3$.',
  '$$\\sum_{i=1}^n i_1 * a_2 * b_3$$',
  '\\[\n\\int_0^1 x^2\\,dx\n= \\frac{1}{3}\n- 1\n\\]',
  '\\begin{align}\na &= b \\\\\nc &< d\n\\end{align}',
  '\\(a\\_b\\) and \\(`x`\\)',
])('a formula is read as the model wrote it: %j', (text) => {
  expect(read(text)).toBe(text)
})

test('a formula stands in its list, its quote and its cell', () => {
  expect(html('- one\n\n    \\[a_1*b*c\\]\n')).toContain('<p>\\[a_1*b*c\\]</p>')
  expect(html('> \\[\n> a_1\n> \\]')).toContain('<blockquote>\n<p>\\[<br/>\na_1<br/>\n\\]</p>')
  expect(html('| a |\n|---|\n| $x_1*y*z$ |')).toContain('<td>$x_1*y*z$</td>')
})

test('code stays code, with every backslash', () => {
  expect(read('Use `\\(a\\)` and ``$a_1$ ` ``.')).toBe('Use \\(a\\) and $a_1$ ` .')
  expect(read('```tex\n\\(a^2\\)\n$$\nb\n$$\n```')).toBe('\\(a^2\\)\n$$\nb\n$$')
  expect(read('~~~\n\\[a\\]\n```\n~~~')).toBe('\\[a\\]\n```')
  expect(read('Look:\n\n    \\(a_1\\)')).toBe('Look:\n\\(a_1\\)')
})

test('prices, escapes and what never ends are no formulas', () => {
  expect(html('It costs $5 and *really* $10.')).toContain('<em>really</em>')
  expect(html('Between $5-*10* and $20')).toContain('<em>10</em>')
  expect(html('\\*not so\\* and \\\\(*so*\\\\)')).toBe('<p>*not so* and \\(<em>so</em>\\)</p>')
  expect(html('\\(begun\n\n*another* \\)')).toContain('<em>another</em>')
  expect(html('$$ and *more*')).toContain('<em>more</em>')
})

test.each(['\\(', '$', '$$ ', '`` ` ', '\\begin{a}', '\\[\n'])(
  'a text of nothing but %j is read through at once',
  (beginning) => {
    const text = beginning.repeat(40_000)
    const before = performance.now()
    keepMath(text)
    expect(performance.now() - before).toBeLessThan(1500)
  },
)
