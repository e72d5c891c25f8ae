import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../gateway/queries.ts'
import type { CapturedBody } from '../capture/capture-record.ts'
import { FixedRows } from '../layout/fixed-rows.tsx'
import styles from './body.module.css'
import { ReadMore } from './read-more.tsx'

const PER_ROW = 16
const ROW = 18

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const hex = (value: number, width: number) => value.toString(16).padStart(width, '0')

/** `00000010  89 50 4e 47 …  .PNG…` */
function hexRow(bytes: Uint8Array, index: number): string {
  const part = [...bytes.subarray(index * PER_ROW, (index + 1) * PER_ROW)]
  const values = part.map((byte) => hex(byte, 2)).join(' ')
  const signs = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
  return `${hex(index * PER_ROW, 8)}  ${values.padEnd(PER_ROW * 3)} ${signs.join('')}`
}

interface HexViewProps {
  requestId: string
  border: string
  body: CapturedBody
  label: string
}

/** Bytes that are no text. */
export function HexView({ requestId, border, body, label }: HexViewProps) {
  const { t } = useTranslation()
  const action = useAction('capture.body')
  const [read, setRead] = useState({ bytes: new Uint8Array(), next: 0 as number | null })

  const readMore = async () => {
    const offset = read.next
    if (offset === null) return
    const reply = await action.run({ request_id: requestId, border, offset })
    if (!reply) return
    const part = bytesOf(reply.data.base64 ?? '')
    const bytes = new Uint8Array(read.bytes.length + part.length)
    bytes.set(read.bytes)
    bytes.set(part, read.bytes.length)
    setRead({ bytes, next: reply.data.next })
  }

  const begin = useRef(readMore)
  const { cancel } = action
  useEffect(() => {
    void begin.current()
    return cancel
  }, [cancel])

  return (
    <>
      {read.bytes.length > 0 && (
        <FixedRows
          count={Math.ceil(read.bytes.length / PER_ROW)}
          rowHeight={ROW}
          maxHeight={420}
          active={null}
          tabIndex={0}
          role="group"
          aria-label={t('inspector.hexOf', { name: label })}
          row={(index) => (
            <div key={index} className={styles.hex}>
              {hexRow(read.bytes, index)}
            </div>
          )}
        />
      )}
      {read.next !== null && (
        <ReadMore
          shown={read.bytes.length}
          kept={body.kept}
          action={action}
          onMore={() => void readMore()}
        />
      )}
    </>
  )
}
