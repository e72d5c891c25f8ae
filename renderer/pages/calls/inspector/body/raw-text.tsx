import styles from './body.module.css'

/** Characters of a piece: those out of view aren't laid out. */
const PIECE = 16 * 1024

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at + PIECE)
    const next = end < 0 || end - at > 4 * PIECE ? at + PIECE : end + 1
    pieces.push(text.slice(at, next))
    at = next
  }
  return pieces
}

/** A text as it crossed the border. */
export function RawText({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
    <section className={styles.raw} aria-label={label} tabIndex={0}>
      {piecesOf(text).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
        <pre key={index} className={styles.piece}>
          {piece}
        </pre>
      ))}
    </section>
  )
}
