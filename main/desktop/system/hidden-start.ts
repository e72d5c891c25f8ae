import type { App } from 'electron'
import type { GatewayOptions } from '../../gateway.ts'

/** Passed from a second start to the first, which shows its window unless the second was hidden. */
export interface SecondStart {
  isHidden: boolean
  /** A `switchyard://` link that it was opened with. */
  link: string | null
}

export const isHiddenStart = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'isHidden' in data && data.isHidden === true

export const linkOfStart = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'link' in data && typeof data.link === 'string'
    ? data.link
    : null

/**
 * Does this start show no window? By `--hidden`; on macOS, where a start at login has no flags, by the owner's
 * setting.
 */
export function startsHidden(
  app: Pick<App, 'getLoginItemSettings'>,
  { isHidden }: Pick<GatewayOptions, 'isHidden'>,
  { DesktopStartHidden }: { DesktopStartHidden: boolean },
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (isHidden) return true
  return platform === 'darwin' && DesktopStartHidden && app.getLoginItemSettings().wasOpenedAtLogin
}
