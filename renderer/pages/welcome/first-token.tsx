import { Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { Snippet } from '../../components/actions/snippet.tsx'
import { ConnectCommands } from '../../components/connect/connect-commands.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useTextLimit } from '../../components/forms/use-text-limit.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import { fieldsOfToken, newTokenDraft } from '../tokens/token-draft.ts'
import { longestTokenName } from '../tokens/token-fields.ts'
import styles from './welcome.module.css'

const labels = {
  name: 'welcome.tokenName',
} as const

/** For tools that Switchyard doesn't set up by itself. */
export function FirstToken() {
  const { t } = useTranslation()
  const limited = useTextLimit()
  const server = useOperation('server.get', {})
  const [name, setName] = useState(() => t('welcome.tokenDefault'))
  const [key, setKey] = useState<string | null>(null)
  const create = useAction('token.create', ['token.list'])
  const { at, rest } = splitFailure(create.failure, labels, t)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await create.run(fieldsOfToken({ ...newTokenDraft, name }))
    if (reply) setKey(reply.data.key)
  }

  return (
    <section className={styles.choice} aria-labelledby="first-token">
      <Title order={3} id="first-token">
        {t('welcome.tokenTitle')}
      </Title>
      {key === null ? (
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="sm">
            <Text c="dimmed">{t('welcome.tokenHint')}</Text>
            <div className={styles.line}>
              <TextInput
                label={t('welcome.tokenName')}
                value={name}
                {...limited(name, longestTokenName, { error: at.name })}
                className={styles.grow}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <ActionButton
                type="submit"
                variant="default"
                busy={create.busy}
                busyLabel={t('welcome.creatingToken')}
                onCancel={create.cancel}
              >
                {t('welcome.createToken')}
              </ActionButton>
            </div>
            <FailureNote failure={rest} />
          </Stack>
        </form>
      ) : (
        <Stack gap="sm">
          <Text c="dimmed">{t('welcome.readyHint')}</Text>
          <Snippet text={server.data?.url ?? window.location.origin} label={t('welcome.address')} />
          <Snippet text={key} label={t('tokens.key')} />
          <ConnectCommands tokenKey={key} />
        </Stack>
      )}
    </section>
  )
}
