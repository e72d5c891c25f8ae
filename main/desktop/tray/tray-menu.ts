import type { MenuItemConstructorOptions } from 'electron'
import { quotaText } from '../../base/quota-text.ts'
import type { BriefFailure, TraySummary } from '../../manage/server/tray-summary.ts'
import type { DesktopTexts } from '../desktop-texts.ts'

export interface TrayActions {
  /** Opens the console, at a page such as `/calls` where one is named. */
  open(path?: string): void
  copyBaseUrl(): void
  setPaused(isPaused: boolean): void
  setChannel(id: number, isOn: boolean): void
  quit(): void
}

export interface TrayFacts {
  glance: TraySummary
  /** The default port, where another program had it and the gateway listens elsewhere. */
  takenPort: number | null
  texts: DesktopTexts
  /** The system's, e.g. `zh-CN`: how numbers and times are written. */
  locale: string
  platform: NodeJS.Platform
}

/** Channels in the submenu; the others are on their page. */
const MOST_CHANNELS = 25
/** Characters of a failure's reason, and of a name. */
const LONGEST_REASON = 48
const LONGEST_NAME = 32

const shortened = (text: string, longest: number): string => {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}

const clockTime = (seconds: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hour12: false }).format(
    new Date(seconds * 1000),
  )

/** The day too, where it is not today. */
function timeText(seconds: number, locale: string): string {
  const date = new Date(seconds * 1000)
  const time = clockTime(seconds, locale)
  if (date.toDateString() === new Date().toDateString()) return time
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(date)
  return `${day} ${time}`
}

function failureText({ time, channel, status, reason }: BriefFailure, facts: TrayFacts): string {
  const what = `${status} ${shortened(reason, LONGEST_REASON)}`.trim()
  const where = channel === '' ? [] : [shortened(channel, LONGEST_NAME)]
  return [timeText(time, facts.locale), ...where, what].join(' · ')
}

function figures(facts: TrayFacts, { open }: TrayActions): MenuItemConstructorOptions[] {
  const { glance, texts, locale } = facts
  const money = (units: number) => quotaText(units, locale)
  const spent =
    glance.spent === null
      ? quotaText(null, locale)
      : `${glance.isEstimate ? '≈ ' : ''}${money(glance.spent)}`
  const { budget } = glance
  const used = budget ? texts.ofLimit(money(budget.used), money(budget.limit)) : '–'
  const calls = new Intl.NumberFormat(locale).format(glance.callsUnderWay)
  return [
    { id: 'spent', label: `${texts.spentToday}: ${spent}`, click: () => open('/usage') },
    { id: 'budget', label: `${texts.dayBudget}: ${used}`, click: () => open('/tokens') },
    { id: 'calls', label: `${texts.callsUnderWay}: ${calls}`, click: () => open('/calls') },
  ]
}

function failures(facts: TrayFacts, { open }: TrayActions): MenuItemConstructorOptions[] {
  const { glance, texts } = facts
  if (glance.failures.length === 0) {
    return [{ id: 'no-failures', label: texts.noFailures, enabled: false }]
  }
  return [
    { id: 'failures', label: texts.lastFailures, enabled: false },
    ...glance.failures.map((failure, index) => ({
      id: `failure-${index + 1}`,
      label: failureText(failure, facts),
      click: () => open(`/calls?open=${encodeURIComponent(failure.requestId)}`),
    })),
  ]
}

function channels(facts: TrayFacts, actions: TrayActions): MenuItemConstructorOptions {
  const { glance, texts } = facts
  const shown = glance.channels.slice(0, MOST_CHANNELS)
  return {
    id: 'channels',
    label: texts.channels,
    submenu: [
      ...shown.map(
        ({ id, name, status }): MenuItemConstructorOptions => ({
          id: `channel-${id}`,
          type: 'checkbox',
          label: `${shortened(name, LONGEST_NAME)}${status === 3 ? ` (${texts.disabledByGateway})` : ''}`,
          checked: status === 1,
          click: () => actions.setChannel(id, status !== 1),
        }),
      ),
      ...(shown.length > 0 ? [{ type: 'separator' as const }] : []),
      { id: 'all-channels', label: texts.allChannels, click: () => actions.open('/channels') },
    ],
  }
}

/** Windows and Linux take a single `&` for the mark of a shortcut. */
function withPlainLabels(
  items: readonly MenuItemConstructorOptions[],
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  if (platform === 'darwin') return [...items]
  return items.map((item) => ({
    ...item,
    ...(item.label !== undefined && { label: item.label.replaceAll('&', '&&') }),
    ...(Array.isArray(item.submenu) && { submenu: withPlainLabels(item.submenu, platform) }),
  }))
}

/** The tray's menu for what is known at this moment. Nothing in it changes by the mere passing of time. */
export function trayMenu(facts: TrayFacts, actions: TrayActions): MenuItemConstructorOptions[] {
  const { glance, takenPort, texts, locale, platform } = facts
  const { open } = actions
  const isPaused = glance.pausedSince !== null
  const state = isPaused
    ? texts.pausedSince(timeText(glance.pausedSince ?? 0, locale))
    : texts.running
  const page = (id: string, label: string, path: string) => ({ id, label, click: () => open(path) })
  const moved =
    takenPort === null
      ? []
      : [
          {
            id: 'moved',
            label: texts.portTaken(takenPort, glance.url),
            click: () => open('/settings'),
          },
        ]
  const items: MenuItemConstructorOptions[] = [
    { id: 'state', label: `Switchyard · ${state}`, enabled: false },
    { id: 'copy-base-url', label: `${texts.copy} ${glance.url}`, click: actions.copyBaseUrl },
    ...moved,
    { type: 'separator' },
    ...figures(facts, actions),
    { type: 'separator' },
    ...failures(facts, actions),
    { type: 'separator' },
    {
      id: 'pause',
      label: isPaused ? texts.resume : texts.pause,
      enabled: glance.isSetUp,
      click: () => actions.setPaused(!isPaused),
    },
    channels(facts, actions),
    { type: 'separator' },
    { id: 'open', label: texts.open, click: () => open() },
    {
      id: 'open-at',
      label: texts.openAt,
      submenu: [
        page('open-calls', texts.calls, '/calls'),
        page('open-channels', texts.channels, '/channels'),
        page('open-playground', texts.playground, '/playground'),
        page('open-settings', texts.settings, '/settings'),
      ],
    },
    { type: 'separator' },
    { id: 'quit', label: texts.quit, click: actions.quit },
  ]
  return withPlainLabels(items, platform)
}
