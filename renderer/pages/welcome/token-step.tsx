import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { Snippet } from '../../components/actions/snippet.tsx'
import { ConnectCommands } from '../../components/connect/connect-commands.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import type { PassedCheck } from '../channels/form/channel-form.tsx'
import { fieldsOfToken, newTokenDraft } from '../tokens/token-draft.ts'

export function TokenStep({ passed }: { passed: PassedCheck | null }) {
  const { t } = useTranslation()
  const server = useOperation('server.get', {})
  const [name, setName] = useState(() => t('welcome.tokenDefault'))
  const [key, setKey] = useState<string | null>(null)
  const create = useAction('token.create', ['token.list'])
  const { at, rest } = splitFailure(create.failure, ['name'])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await create.run(fieldsOfToken({ ...newTokenDraft, name }))
    if (reply) setKey(reply.data.key)
  }

  if (key !== null) {
    return (
      <Stack gap="sm">
        <div>
          <Title order={2}>{t('welcome.readyTitle')}</Title>
          <Text c="dimmed">{t('welcome.readyHint')}</Text>
        </div>
        <Snippet text={server.data?.url ?? window.location.origin} label={t('welcome.address')} />
        <Snippet text={key} label={t('tokens.key')} />
        <ConnectCommands tokenKey={key} />
        <Group justify="flex-end" gap={8} mt="xs">
          <Button component={Link} href="/" variant="subtle" color="gray">
            {t('welcome.finish')}
          </Button>
          <Button component={Link} href="/connect" variant="default">
            {t('welcome.openConnect')}
          </Button>
          <Button component={Link} href="/playground">
            {t('welcome.tryPlayground')}
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <div>
          <Title order={2}>{t('welcome.tokenTitle')}</Title>
          <Text c="dimmed">{t('welcome.tokenHint')}</Text>
        </div>
        {passed && <Passed {...passed} />}
        <TextInput
          label={t('welcome.tokenName')}
          autoFocus
          maxLength={50}
          value={name}
          error={at.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FailureNote failure={rest} />
        <Group justify="flex-end" gap={8}>
          <Button component={Link} href="/" variant="subtle" color="gray">
            {t('welcome.skip')}
          </Button>
          <ActionButton
            type="submit"
            busy={create.busy}
            busyLabel={t('welcome.creatingToken')}
            onCancel={create.cancel}
          >
            {t('welcome.createToken')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

function Passed({ name, result }: PassedCheck) {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = { name, model: result.tested_model, time: format.duration(result.ms) }
  return (
    <Group gap={8} wrap="nowrap" role="status">
      <IconCheck size={16} color="var(--good)" aria-hidden style={{ flex: 'none' }} />
      <Text style={{ overflowWrap: 'anywhere' }}>{t('welcome.checked', facts)}</Text>
    </Group>
  )
}
