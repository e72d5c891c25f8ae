import { Button, Group, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import { borderName } from '../capture/border-name.ts'
import type { CapturedBody } from '../capture/capture-record.ts'
import styles from './body.module.css'
import { HexView } from './hex-view.tsx'
import { JsonTree, type LossMarks } from './json-tree.tsx'
import { parseTree } from './parse-tree.ts'
import { RawText } from './raw-text.tsx'
import { ReadMore } from './read-more.tsx'
import { type BodyText, useBodyText } from './use-body-text.ts'

export interface BodyPaneProps {
  requestId: string
  /** `client.request`, `exchange.0.answer`, … */
  border: string
  body: CapturedBody
  mode: 'pretty' | 'raw'
  marks?: LossMarks
}

/** A body as far as it was kept: as a tree, as text, or as bytes. */
export function BodyPane({ requestId, border, body, mode, marks }: BodyPaneProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const text = useBodyText(requestId, border, body)
  const name = borderName(t, border)
  return (
    <div className={styles.pane}>
      <Group gap={8} className={styles.facts}>
        <Text c="dimmed">
          {t(`inspector.kind_${body.kind}`)}
          {body.size > 0 && ` · ${format.size(body.size)}`}
        </Text>
        {body.same_as && (
          <Text c="dimmed">{t('inspector.sameAs', { name: borderName(t, body.same_as) })}</Text>
        )}
        {body.text && <CopyBody text={text} name={name} />}
      </Group>
      {body.kept < body.size && (
        <Text className={styles.note}>
          {t('inspector.cutAt', { kept: format.count(body.kept), size: format.count(body.size) })}
        </Text>
      )}
      {body.kind === 'bytes' ? (
        <HexView requestId={requestId} border={border} body={body} label={name} />
      ) : (
        body.kind !== 'empty' && (
          <TextBody text={text} body={body} mode={mode} label={name} marks={marks} />
        )
      )}
    </div>
  )
}

interface TextBodyProps {
  text: BodyText
  body: CapturedBody
  mode: 'pretty' | 'raw'
  label: string
  marks: LossMarks | undefined
}

function TextBody({ text, body, mode, label, marks }: TextBodyProps) {
  const isPretty = mode === 'pretty' && body.kind === 'json'
  const tree = useMemo(() => (isPretty ? parseTree(text.text) : null), [isPretty, text.text])
  return (
    <>
      {tree ? (
        <JsonTree tree={tree} label={label} {...(marks && { marks })} />
      ) : (
        <RawText text={text.text} label={label} />
      )}
      {!text.isAtEnd && (
        <ReadMore
          shown={Math.min(body.kept, text.text.length)}
          kept={body.kept}
          action={text.action}
          onMore={text.readMore}
          onAll={text.readAll}
        />
      )}
    </>
  )
}

function CopyBody({ text, name }: { text: BodyText; name: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1200 })
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      aria-label={t('inspector.copyThing', { thing: name })}
      onClick={() => clipboard.copy(text.text)}
    >
      {clipboard.copied
        ? t('common.copied')
        : t(text.isWhole ? 'common.copy' : 'inspector.copyShown')}
    </Button>
  )
}
