import { useLocation } from 'wouter'
import { lazyCode } from '../lazy/lazy-code.ts'
import { useCode } from '../lazy/use-code.ts'
import { HealthButton, type HealthStateProps } from './health-button.tsx'

export const healthPopover = lazyCode(
  async () => (await import('./health-popover.tsx')).HealthPopover,
  { isFirst: true },
)

/** A button until its first click, which brings the popover. */
export function HealthState(props: HealthStateProps) {
  const [, navigate] = useLocation()
  const popover = useCode(healthPopover)
  if (popover.Content) return <popover.Content {...props} />
  return (
    <HealthButton
      {...props}
      aria-haspopup="dialog"
      aria-expanded={false}
      // The page says the same, or that the gateway doesn’t answer.
      onClick={() => popover.load().catch(() => navigate('/health'))}
    />
  )
}
