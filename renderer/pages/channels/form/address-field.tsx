import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../../gateway/queries.ts'
import type { ChannelFormPart } from './channel-fields.ts'
import styles from './channel-form.module.css'

/** Previews the URLs that calls will go to. */
export function AddressField({ draft, set, at, preset }: ChannelFormPart) {
  const { t } = useTranslation()
  const [baseUrl] = useDebouncedValue(draft.baseUrl.trim(), 250)
  const preview = useOperation(
    'channel.preview-url',
    { type: draft.type, base_url: baseUrl, preset: draft.preset ?? undefined },
    { keepPrevious: true },
  )
  const urls = preview.data?.urls ?? []
  const hint = preset?.base_url === '' && t('channelForm.baseUrlRequired')

  return (
    <div>
      <TextInput
        label={t('channelForm.baseUrl')}
        description={hint}
        placeholder={preset?.base_url || 'https://'}
        spellCheck={false}
        autoComplete="off"
        inputMode="url"
        value={draft.baseUrl}
        error={at.base_url ?? preview.error?.message}
        onChange={(event) => set({ baseUrl: event.currentTarget.value })}
      />
      {urls.length > 0 && !preview.error && (
        <dl className={styles.urls} aria-live="polite">
          <dt>{t('channelForm.preview')}</dt>
          {urls.map(({ format, url }) => (
            <dd key={format}>
              <span className={styles.format}>{format}</span>
              {url}
            </dd>
          ))}
        </dl>
      )}
    </div>
  )
}
