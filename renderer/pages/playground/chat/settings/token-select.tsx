import { useTranslation } from 'react-i18next'
import { Select } from '../../../../components/forms/option-lists.tsx'
import { useEvery } from '../../../../gateway/use-every.ts'
import { useDesk } from '../use-desk.ts'

/** The token that a column sends as; nothing where there is none. */
export function TokenSelect({ column: key, token }: { column: string; token: number | null }) {
  const { t } = useTranslation()
  const desk = useDesk()
  const list = useEvery('token.list').data
  const tokens = list ?? []
  if (tokens.length === 0 && token === null) return null
  const options = tokens.map(({ id, name }) => ({ value: String(id), label: `${name} (#${id})` }))
  const isThere = token === null || tokens.some(({ id }) => id === token)
  return (
    <Select
      label={t('chat.token')}
      description={t('chat.tokenHint')}
      placeholder={t('chat.noToken')}
      data={
        isThere
          ? options
          : [
              ...options,
              {
                value: String(token),
                label: list ? t('chat.tokenGone', { id: token }) : `#${token}`,
              },
            ]
      }
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('chat.clearToken') }}
      value={token === null ? null : String(token)}
      onChange={(id) => desk.configure(key, { token: id === null ? null : Number(id) })}
    />
  )
}
