import pino from 'pino'

export type Log = pino.Logger

/**
 * The process's log: JSON lines on stderr, so that stdout stays free for the one line that says where
 * the gateway listens. `SWITCHYARD_LOG` takes pino's levels; the default is `warn`.
 */
export const createLog = (level = process.env.SWITCHYARD_LOG ?? 'warn'): Log =>
  pino(
    {
      name: 'switchyard',
      level: level in pino.levels.values || level === 'silent' ? level : 'warn',
    },
    pino.destination(2),
  )
