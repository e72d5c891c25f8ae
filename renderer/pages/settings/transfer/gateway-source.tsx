import { Group, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { SourceForm, type SourceProps } from './source-form.tsx'

const programs = ['new-api', 'one-api'] as const
type Program = (typeof programs)[number]

export const blankGateway = { from: 'new-api' as Program, address: '', token: '', user: '' }

const labels = {
  address: 'transfer.address',
  access_token: 'transfer.accessToken',
  user_id: 'transfer.userId',
} as const

interface GatewaySourceProps extends SourceProps {
  draft: typeof blankGateway
  onDraft: (draft: typeof blankGateway) => void
}

/** A running new-api or one-api, by its address and an access token of one of its administrators. */
export function GatewaySource(props: GatewaySourceProps) {
  const { t } = useTranslation()
  const { read, onPreview, onEdit, draft, onDraft } = props
  const { from, address, token, user } = draft
  const { at, rest } = splitFailure(read.failure, labels, t)
  const set = (fields: Partial<typeof blankGateway>) => {
    onDraft({ ...draft, ...fields })
    onEdit()
  }
  const id = /^\d+$/.test(user.trim()) ? Number(user) : null
  const isUserWrong = user.trim() !== '' && id === null
  const wantsUser = from === 'new-api'
  return (
    <SourceForm
      read={read}
      failure={rest}
      isReady={address.trim() !== '' && token.trim() !== '' && !(wantsUser && isUserWrong)}
      onSubmit={() =>
        onPreview({
          ...{ from, address, access_token: token },
          ...(wantsUser && id !== null && { user_id: id }),
        })
      }
    >
      <Group gap={8} align="flex-start">
        <NativeSelect
          label={t('transfer.program')}
          data={[...programs]}
          value={from}
          onChange={(event) => set({ from: event.currentTarget.value as Program })}
        />
        <TextInput
          label={t('transfer.address')}
          placeholder="https://gateway.example.com"
          value={address}
          error={at.address}
          flex={1}
          miw={220}
          spellCheck={false}
          onChange={(event) => set({ address: event.currentTarget.value })}
        />
      </Group>
      <Group gap={8} align="flex-start">
        <PasswordInput
          label={t('transfer.accessToken')}
          description={t('transfer.accessTokenHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={token}
          error={at.access_token}
          aria-invalid={at.access_token !== undefined}
          autoComplete="off"
          flex={1}
          miw={220}
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          onChange={(event) => set({ token: event.currentTarget.value })}
        />
        {wantsUser && (
          <TextInput
            label={t('transfer.userId')}
            description={t('transfer.userIdHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            w={160}
            value={user}
            error={isUserWrong ? t('transfer.userIdWrong') : at.user_id}
            onChange={(event) => set({ user: event.currentTarget.value })}
          />
        )}
      </Group>
    </SourceForm>
  )
}
