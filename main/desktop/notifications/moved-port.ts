import type { Options } from '../../options.ts'
import type { DesktopTexts } from '../desktop-texts.ts'
import type { Notice } from './notifier.ts'

/** The port that the gateway wanted and did not get; null where it has it, or where any would do. */
export const takenPortOf = (
  { port, portIsNamed }: Pick<Options, 'port' | 'portIsNamed'>,
  gateway: { port: number },
): number | null => (!portIsNamed && port !== 0 && gateway.port !== port ? port : null)

/** Tools still ask at the old address, where another program answers. */
export const movedNotice = (takenPort: number, url: string, texts: DesktopTexts): Notice => ({
  title: texts.portTakenTitle,
  body: texts.portTakenBody(takenPort, url),
  path: '/settings',
})
