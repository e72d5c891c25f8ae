import { Anchor } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Snippet } from '../../../../components/actions/snippet.tsx'
import { keepMath } from './keep-math.ts'

const plugins = [remarkGfm]

/**
 * Formulas and HTML stay text, links open outside, and images become links: a reply must not make the console fetch a
 * URL of its choosing.
 */
export function MarkdownText({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <Markdown
      remarkPlugins={plugins}
      components={{
        a: ({ href, children }) => <Outside href={href}>{children}</Outside>,
        img: ({ src, alt }) => (
          <Outside href={typeof src === 'string' ? src : undefined}>
            {t('playground.image', { text: alt || String(src ?? '') })}
          </Outside>
        ),
        pre: ({ children }) => <Snippet text={codeOf(children)} label={t('playground.code')} />,
      }}
    >
      {keepMath(text)}
    </Markdown>
  )
}

/** Others would lead into the console: a path of the model's own project, a heading. */
const leadsOutside = (href: string | undefined) => /^(?:https?|mailto):/i.test(href ?? '')

function Outside({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!leadsOutside(href)) return children
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit>
      {children}
    </Anchor>
  )
}

function codeOf(children: ReactNode): string {
  const code = children as ReactElement<{ children?: ReactNode }> | undefined
  return String(code?.props?.children ?? '').replace(/\n$/, '')
}
