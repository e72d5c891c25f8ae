import type { GatewayParts } from '../../manage/gateway-parts.ts'
import type { Incident } from '../../manage/incidents/incident.ts'
import type { DesktopTexts } from '../desktop-texts.ts'
import type { Notice, Notifier } from './notifier.ts'

const options = {
  'key-refused': 'DesktopNotifyKeyRefused',
  budget: 'DesktopNotifyBudget',
  channel: 'DesktopNotifyChannel',
} as const

/** Characters of a vendor's sentence: systems cut what is longer, each elsewhere. */
const LONGEST_REASON = 160

function noticeOf(incident: Incident, texts: DesktopTexts): Notice {
  switch (incident.kind) {
    case 'key-refused': {
      const path = `/channels?open=${incident.channelId}`
      const body = texts.keyRefusedBody(incident.channelName, incident.status)
      return { title: texts.keyRefused, body, path }
    }
    case 'channel': {
      const path = `/channels?open=${incident.channelId}`
      const title = texts.channelUnavailable(incident.channelName, incident.how)
      return { title, body: incident.reason.slice(0, LONGEST_REASON), path }
    }
    case 'budget': {
      const path = incident.what === 'user-balance' ? '/users' : '/tokens'
      return { title: texts.usedUp, body: texts.usedUpBody[incident.what](incident.name), path }
    }
  }
}

/** Shows the gateway's incidents as notifications, as far as its options want them. Returns what ends it. */
export function notifyIncidents(
  { incidents, settings }: Pick<GatewayParts, 'incidents' | 'settings'>,
  notifier: Pick<Notifier, 'show'>,
  texts: DesktopTexts,
): () => void {
  return incidents.on((incident) => {
    if (settings.current[options[incident.kind]]) notifier.show(noticeOf(incident, texts))
  })
}
