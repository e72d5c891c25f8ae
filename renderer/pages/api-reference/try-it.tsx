import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { Snippet } from '../../components/actions/snippet.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { JsonField, jsonObjectProblem } from '../../components/forms/json-field.tsx'
import { Select } from '../../components/forms/option-lists.tsx'
import { useGateway } from '../../gateway/gateway-context.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import { sendWithToken, type TokenAnswer } from '../../gateway/send-with-token.ts'
import { useEvery } from '../../gateway/use-every.ts'
import type { ApiOperation } from './api-operations.ts'
import styles from './api-reference.module.css'
import { sampleBody } from './sample-body.ts'

/** Characters of an answer that are shown. */
const mostShown = 5000
const enabled = 1

/** Sends a path’s request with one of the user’s tokens and shows the answer. */
export function TryIt({ operation }: { operation: ApiOperation }) {
  const { t } = useTranslation()
  const tokens = useEvery('token.list')
  const models = useOperation('user.models', {})
  const [model] = models.data ?? []
  const [token, setToken] = useState<string | null>(null)
  const [body, setBody] = useState<string | null>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<TokenAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const client = useGateway()
  const running = useRef<AbortController | null>(null)
  const reveal = useAction('token.reveal')
  useEffect(() => () => running.current?.abort(), [])

  const usable = (tokens.data ?? []).filter(({ status }) => status === enabled)
  const chosen = token ?? (usable[0] ? String(usable[0].id) : null)
  const sample = sampleBody(operation.path, model ?? '')
  const text = body ?? (sample ? JSON.stringify(sample, null, 2) : '{}')
  const names = operation.parameters.filter(({ place }) => place === 'path').map(({ name }) => name)
  const filled = (name: string) => values[name] ?? (name === 'model' ? (model ?? '') : '')
  const isReady =
    chosen !== null &&
    names.every((name) => filled(name).trim() !== '') &&
    (!operation.body || (text.trim() !== '' && jsonObjectProblem(text) === null))

  const send = async () => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setBusy(true)
    setAnswer(null)
    setProblem(null)
    try {
      const key = (await reveal.run({ id: Number(chosen) }))?.data.key
      if (!key || signal.aborted) return
      const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(filled(name).trim()),
      )
      const sent = { method: operation.method, path, key, signal }
      setAnswer(await sendWithToken(operation.body ? { ...sent, body: text } : sent, client))
    } catch {
      if (!signal.aborted) setProblem(t('apiReference.noAnswer'))
    } finally {
      if (running.current === controller) setBusy(false)
    }
  }
  const stop = () => {
    running.current?.abort()
    reveal.cancel()
    setBusy(false)
  }

  if (tokens.isSuccess && usable.length === 0)
    return <Text c="dimmed">{t('apiReference.noToken')}</Text>
  return (
    <Stack gap={10}>
      <Text c="dimmed">{t('apiReference.tryHint')}</Text>
      <Group gap={8} align="flex-end">
        <Select
          w={220}
          label={t('apiReference.token')}
          data={usable.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))}
          value={chosen}
          allowDeselect={false}
          onChange={setToken}
        />
        {names.map((name) => (
          <TextInput
            key={name}
            w={220}
            label={name}
            value={filled(name)}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
      </Group>
      {operation.body && (
        <JsonField label={t('apiReference.body')} value={text} onChange={setBody} />
      )}
      <Group>
        <ActionButton
          busy={busy}
          busyLabel={t('apiReference.sending')}
          onCancel={stop}
          disabled={!isReady}
          onClick={() => void send()}
        >
          {t('apiReference.send')}
        </ActionButton>
      </Group>
      <FailureNote failure={reveal.failure} />
      {problem && (
        <Text role="alert" c="var(--bad)">
          {problem}
        </Text>
      )}
      {answer && <Answer answer={answer} />}
    </Stack>
  )
}

function Answer({ answer }: { answer: TokenAnswer }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, duration, text, type, size } = answer
  const shown = text === null ? null : readable(text, type)
  return (
    <div className={styles.tried}>
      <Text role="status">
        <code>{status}</code> · {format.duration(duration)} · {format.size(size)}
        {type && ` · ${type}`}
      </Text>
      {shown === null ? (
        <Text c="dimmed">{t('apiReference.noText')}</Text>
      ) : (
        shown !== '' && (
          <Snippet text={shown.slice(0, mostShown)} label={t('apiReference.answer')} />
        )
      )}
      {shown !== null && shown.length > mostShown && (
        <Text c="dimmed">{t('apiReference.cut', { shown: format.count(mostShown) })}</Text>
      )}
    </div>
  )
}

function readable(text: string, type: string): string {
  if (!/json/i.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
