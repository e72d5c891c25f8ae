import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../components/forms/number-field.tsx'
import { Select } from '../../components/forms/option-lists.tsx'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { noticeKinds, type PreferencesDraft, type preferenceLabels } from './preferences-draft.ts'

interface NoticeFieldsProps {
  draft: PreferencesDraft
  set: (fields: Partial<PreferencesDraft>) => void
  /** The server's message by field. */
  at: Partial<Record<keyof typeof preferenceLabels, string>>
}

const width = 420

export function NoticeFields({ draft, set, at }: NoticeFieldsProps) {
  const { t } = useTranslation()
  const isShared = useIsShared()
  const address = (
    field: 'webhookUrl' | 'barkUrl' | 'gotifyUrl',
    error: string | undefined,
    placeholder: string,
  ) => (
    <TextInput
      label={t('settings.noticeUrl')}
      placeholder={placeholder}
      maw={width}
      spellCheck={false}
      value={draft[field]}
      error={error}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  )
  const secret = (field: 'webhookSecret' | 'gotifyToken', error: string | undefined) => (
    <PasswordInput
      label={t(`settings.${field}`)}
      description={t('settings.noticeSecretHint')}
      maw={width}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      value={draft[field]}
      error={error}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <Select
        label={t('settings.noticeKind')}
        description={isShared && t('settings.noticeKindHint')}
        maw={width}
        data={noticeKinds.map((kind) => ({ value: kind, label: t(`settings.notice_${kind}`) }))}
        allowDeselect={false}
        value={draft.kind}
        error={at.notify_type}
        onChange={(chosen) => {
          const kind = noticeKinds.find((one) => one === chosen)
          if (kind) set({ kind })
        }}
      />
      {draft.kind === 'webhook' && (
        <>
          {address('webhookUrl', at.webhook_url, 'https://example.com/notices')}
          {secret('webhookSecret', at.webhook_secret)}
        </>
      )}
      {draft.kind === 'bark' && address('barkUrl', at.bark_url, 'https://api.day.app/your-key')}
      {draft.kind === 'gotify' && (
        <>
          {address('gotifyUrl', at.gotify_url, 'https://gotify.example.com')}
          {secret('gotifyToken', at.gotify_token)}
          <NumberField
            label={t('settings.gotifyPriority')}
            maw={width}
            min={0}
            max={10}
            whole
            placeholder="5"
            value={draft.gotifyPriority}
            error={at.gotify_priority}
            onChange={(gotifyPriority) => set({ gotifyPriority })}
          />
        </>
      )}
    </>
  )
}
