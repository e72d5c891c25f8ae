import { useTranslation } from 'react-i18next'
import type { ChannelPreset } from '../../../gateway/records.ts'

/** A preset's name and note in the language of the console; the gateway has them in English. */
export function usePresetText() {
  const { t, i18n } = useTranslation()
  const own = (room: 'presetName' | 'presetNote', id: string) => {
    const key = `${room}.${id}`
    return i18n.exists(key) ? t(key as 'presetName.echo') : null
  }
  return {
    nameOf: ({ id, name }: Pick<ChannelPreset, 'id' | 'name'>) => own('presetName', id) ?? name,
    noteOf: ({ id, note }: Pick<ChannelPreset, 'id' | 'note'>) =>
      note ? (own('presetNote', id) ?? note) : null,
  }
}
