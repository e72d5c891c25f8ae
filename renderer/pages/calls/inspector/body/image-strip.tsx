import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import styles from './body.module.css'
import type { JsonNode } from './parse-tree.ts'
import { readBase64 } from './read-base64.ts'

/** Images of one body that are drawn. */
const MOST = 24

interface BodyImage {
  path: string
  image: string
  bytes: number
}

function imagesIn(root: JsonNode): BodyImage[] {
  const found: BodyImage[] = []
  const open = [root]
  for (let node = open.pop(); node && found.length < MOST; node = open.pop()) {
    if (node.kind === 'string') {
      const bytes = readBase64(node.text)
      if (bytes?.image) found.push({ path: node.path, image: bytes.image, bytes: bytes.bytes })
    }
    open.push(...[...node.children].reverse())
  }
  return found
}

/** The images of a body, small, each with its path. */
export function ImageStrip({ root }: { root: JsonNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  const images = useMemo(() => imagesIn(root), [root])
  if (images.length === 0) return null
  return (
    <ul className={styles.images} aria-label={t('inspector.images')}>
      {images.map(({ path, image, bytes }) => (
        <li key={path}>
          <img src={image} alt={path} className={styles.image} />
          <span className={styles.size}>{`${path} · ${format.size(bytes)}`}</span>
        </li>
      ))}
    </ul>
  )
}
