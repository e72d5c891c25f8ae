import { useTranslation } from 'react-i18next'
import { CopyButton } from '../run/copy-button.tsx'
import { DownloadButton } from '../run/download-button.tsx'
import { TaskForm } from '../run/task-form.tsx'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { FilePicker } from './file-picker.tsx'
import styles from './transcription.module.css'
import { transcriptionTask } from './transcription-task.ts'

export function TranscriptionView({ model }: { model: string }) {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(transcriptionTask)
  const stem = draft.file?.name.replace(/\.\w+$/, '') || 'transcript'
  return (
    <TaskForm
      task={transcriptionTask}
      model={model}
      words={{
        verb: t('tasks.transcribe'),
        busy: t('tasks.transcribing'),
        failed: t('tasks.noTranscript'),
      }}
      result={({ text, file, extension }) => ({
        content: (
          <TranscriptText text={text} isTimed={extension === 'srt' || extension === 'vtt'} />
        ),
        buttons: (
          <>
            <CopyButton text={() => text} label={t('common.copy')} />
            <DownloadButton blob={file} name={`${stem}.${extension}`} />
          </>
        ),
      })}
    >
      <FilePicker file={draft.file} onPick={(file) => runner.fill({ file })} />
    </TaskForm>
  )
}

/** Subtitles keep their lines and columns. */
function TranscriptText({ text, isTimed }: { text: string; isTimed: boolean }) {
  const { t } = useTranslation()
  if (text.trim() === '') return <p className={styles.silent}>{t('tasks.silent')}</p>
  return (
    <div className={styles.transcript} data-timed={isTimed || undefined}>
      {text}
    </div>
  )
}
