import { memo, useDeferredValue, useMemo, useRef } from 'react'
import { MarkdownText } from './markdown-text.tsx'
import { type SplitText, splitGrown } from './split-blocks.ts'
import styles from './turn.module.css'

/** Characters of a block under way from which on it is shown as it comes: parsing it again and again would stall. */
const LONG_BLOCK = 4000

/** Markdown of which only the last block is parsed again while it streams. */
export function ReplyText({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  // React drops a rendering in between where the machine can’t keep up.
  const shown = useDeferredValue(text)
  const known = useRef<SplitText>(null)
  const blocks = useMemo(() => splitGrown(shown, known.current), [shown])
  known.current = { text: shown, blocks }
  return (
    <div className={styles.text}>
      {blocks.map((block, index) => {
        const isPlain = isStreaming && index === blocks.length - 1 && block.length > LONG_BLOCK
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only come to the end
        return <Block key={index} text={block} isPlain={isPlain} />
      })}
    </div>
  )
}

const Block = memo(function Block({ text, isPlain }: { text: string; isPlain: boolean }) {
  return (
    <div className={styles.block}>
      {isPlain ? <p className={styles.plain}>{text}</p> : <MarkdownText text={text} />}
    </div>
  )
})
