import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { DownloadButton } from '../run/download-button.tsx'
import { TaskForm } from '../run/task-form.tsx'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { SoundPlayer } from './sound-player.tsx'
import { speechTask } from './speech-task.ts'

export function SpeechView({ model }: { model: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [{ draft }, runner] = useTaskRunner(speechTask)
  return (
    <TaskForm
      task={speechTask}
      model={model}
      words={{ verb: t('tasks.speak'), busy: t('tasks.speaking'), failed: t('tasks.noSpeech') }}
      result={({ blob, extension }) => ({
        content: <SoundPlayer blob={blob} extension={extension} />,
        notes: [extension.toUpperCase(), format.size(blob.size)],
        buttons: <DownloadButton blob={blob} name={`speech.${extension}`} />,
      })}
    >
      <Textarea
        label={t('tasks.text')}
        placeholder={t('tasks.textPlaceholder')}
        autosize
        autoFocus
        minRows={4}
        maxRows={14}
        value={draft.text}
        onChange={(event) => runner.fill({ text: event.currentTarget.value })}
      />
    </TaskForm>
  )
}
