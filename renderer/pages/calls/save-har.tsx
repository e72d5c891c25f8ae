import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { saveFile } from '../../components/actions/save-file.ts'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useAction } from '../../gateway/queries.ts'

/** Calls of one archive. */
const MOST_CALLS = 500

interface SaveHarProps {
  /** Request ids of captured calls, the ones that matter most first. */
  ids: readonly string[]
  /** Of the file, without its ending. */
  name: string
}

/** Saves captured calls as one HTTP archive, and says how many are in it. */
export function SaveHar({ ids, name }: SaveHarProps) {
  const { t } = useTranslation()
  const action = useAction('capture.har')
  const [saved, setSaved] = useState<{ count: number; missing: number } | null>(null)
  if (ids.length === 0) return null
  const save = async () => {
    setSaved(null)
    const reply = await action.run({ ids: ids.slice(0, MOST_CALLS) })
    if (!reply) return
    const { text, media_type: type, calls: count } = reply.data
    saveFile(`${name}.har`, text, type)
    setSaved({ count, missing: ids.length - count })
  }
  return (
    <>
      <ActionButton
        variant="default"
        busy={action.busy}
        busyLabel={t('captures.writingHar')}
        onCancel={action.cancel}
        onClick={() => void save()}
      >
        {t('captures.saveHar', { count: Math.min(ids.length, MOST_CALLS) })}
      </ActionButton>
      {saved && (
        <span role="status">
          {t('captures.savedHar', { count: saved.count })}
          {saved.missing > 0 && ` ${t('captures.notInHar', { count: saved.missing })}`}
        </span>
      )}
      <FailureNote failure={action.failure} />
    </>
  )
}
