import { EventEmitter } from 'node:events'
import type { Display, PowerMonitor, PowerSaveBlocker, Screen } from 'electron'
import { app } from './app.ts'

/** `powerMonitor`: tests emit its events; that of a shutdown can be prevented. */
class StandInPowerMonitor extends EventEmitter {
  override on(event: string, listener: (...parameters: never[]) => void): this {
    app.onlyWhenReady('powerMonitor.on')
    return super.on(event, listener as () => void)
  }
}

export const powerMonitor = new StandInPowerMonitor() satisfies Pick<PowerMonitor, 'emit'>

/** STAND_IN_DISPLAYS is the JSON of other work areas than the one of a usual display. */
const areas = (): Electron.Rectangle[] =>
  JSON.parse(process.env.STAND_IN_DISPLAYS ?? '[{"x":0,"y":0,"width":1920,"height":1040}]')

export const screen: Pick<Screen, 'getAllDisplays'> = {
  getAllDisplays() {
    app.onlyWhenReady('screen')
    return areas().map((workArea, id) => ({ id, workArea, bounds: workArea }) as Display)
  },
}

const started = new Map<number, string>()
let lastId = -1

/** Ids count from 0, as Electron's do: code that takes 0 for false never stops that one. */
export const powerSaveBlocker: PowerSaveBlocker = {
  start(type) {
    app.onlyWhenReady('powerSaveBlocker')
    if (type !== 'prevent-app-suspension' && type !== 'prevent-display-sleep') {
      throw new TypeError(`There is no power save blocker "${String(type)}"`)
    }
    lastId++
    started.set(lastId, type)
    return lastId
  },
  stop: (id) => started.delete(id),
  isStarted: (id) => started.has(id),
}

/** For tests: what keeps the system from sleeping at this moment. */
export const startedBlockers = (): string[] => [...started.values()]
