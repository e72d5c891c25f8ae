import { Switch, Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { SettingLine } from '../setting-line.tsx'

type Login = NonNullable<OperationOutput<'desktop.get'>['login']>

/** The switches show the operating system's state. */
export function LoginPanel({ login }: { login: Login }) {
  const { t } = useTranslation()
  const [loginId, hiddenId] = [useId(), useId()]
  const set = useAction('desktop.set-login-item', ['desktop.get', 'option.list'])
  const { supported, problem, open_at_login, start_hidden, path } = login
  const save = (changed: Partial<Pick<Login, 'open_at_login' | 'start_hidden'>>) =>
    void set.run({ open_at_login, start_hidden, ...changed })
  return (
    <Panel title={t('desktop.startup')}>
      <SettingLine label={t('desktop.openAtLogin')} labelFor={loginId}>
        <Switch
          id={loginId}
          checked={open_at_login}
          disabled={!supported || set.busy}
          onChange={(event) => save({ open_at_login: event.currentTarget.checked })}
        />
      </SettingLine>
      <SettingLine
        label={t('desktop.startHidden')}
        labelFor={hiddenId}
        hint={t('desktop.startHiddenHint')}
      >
        <Switch
          id={hiddenId}
          checked={start_hidden}
          disabled={!supported || !open_at_login || set.busy}
          onChange={(event) => save({ start_hidden: event.currentTarget.checked })}
        />
      </SettingLine>
      {path && (open_at_login || problem === 'foreign') && (
        <SettingLine label={t('desktop.autostartFile')}>
          <CopyText value={path} label={t('desktop.autostartFile')} wraps />
        </SettingLine>
      )}
      {problem && (
        <Text c={problem === 'development' ? 'dimmed' : 'var(--warn)'} role="status" mt={6}>
          {t(`desktop.problem_${problem}`)}
        </Text>
      )}
      <FailureNote failure={set.failure} />
    </Panel>
  )
}
