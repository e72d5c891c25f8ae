import { memo, useDeferredValue, useMemo, useRef, useState } from 'react'
import { isHardMarkdown } from './hard-markdown.ts'
import { MarkdownText } from './markdown-text.tsx'
import { joinBlocks, type SplitText, splitBlocks, splitGrown } from './split-blocks.ts'
import styles from './turn.module.css'

/** Characters of a block under way from which on it is shown as it comes: parsing it again and again would stall. */
const LONG_BLOCK = 4000

/** Markdown. Of a reply that streams only the last block is parsed again; a stored one is parsed in large pieces. */
export function ReplyText({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  const [isStored] = useState(!isStreaming)
  // React drops a rendering in between where the machine can’t keep up. A long stored text stands there plain at once.
  const shown = useDeferredValue(text, isStored && text.length > LONG_BLOCK ? '' : text)
  const known = useRef<SplitText>(null)
  const blocks = useMemo(
    () => (isStored ? joinBlocks(splitBlocks(shown)) : splitGrown(shown, known.current)),
    [shown, isStored],
  )
  known.current = { text: shown, blocks }
  return (
    <div className={styles.text}>
      {shown === '' ? (
        <Block text={text} isPlain />
      ) : (
        blocks.map((block, index) => {
          const isPlain = isStreaming && index === blocks.length - 1 && block.length > LONG_BLOCK
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks only come to the end
          return <Block key={index} text={block} isPlain={isPlain} />
        })
      )}
    </div>
  )
}

const Block = memo(function Block({ text, isPlain }: { text: string; isPlain: boolean }) {
  return (
    <div className={styles.block}>
      {isPlain || isHardMarkdown(text) ? (
        <p className={styles.plain}>{text}</p>
      ) : (
        <MarkdownText text={text} />
      )}
    </div>
  )
})
