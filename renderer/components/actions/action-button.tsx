import { Button, type ButtonProps, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface ActionButtonProps extends ButtonProps {
  busy: boolean
  /** Shown while busy: "Saving…". */
  busyLabel: string
  onCancel: () => void
  onClick?: () => void
  type?: 'button' | 'submit'
  children: ReactNode
}

/** Shows what it is doing while it runs, with a way to cancel. */
export function ActionButton(props: ActionButtonProps) {
  const { busy, busyLabel, onCancel, children, type = 'button', ...rest } = props
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const wasBusy = useRef(false)

  // The clicked button was disabled while busy, or Cancel is gone: the focus has fallen to the body.
  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true })
    wasBusy.current = busy
  }, [busy])

  if (!busy) {
    return (
      <Button type={type} {...rest} ref={button}>
        {children}
      </Button>
    )
  }
  return (
    <Group gap={6} wrap="nowrap">
      <Button {...rest} type="button" loading loaderProps={{ type: 'dots' }} aria-label={busyLabel}>
        {children}
      </Button>
      <span role="status">{busyLabel}</span>
      <Button variant="default" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </Group>
  )
}
