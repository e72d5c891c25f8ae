import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { State, StoredRoute } from '../state/state.ts'
import { omitUndefined } from './omit-undefined.ts'

/** A name that stands for several models. Frozen; change it with `update`. */
export type ModelRoute = StoredRoute
/** What a route may lead to: a model, at any channel, at one, or at those with a tag. */
export type RouteTarget = ModelRoute['targets'][number]
/** Targets of their own for calls of which all of its conditions hold. */
export type RouteRule = ModelRoute['rules'][number]
export type RouteConditions = RouteRule['when']

export type RouteFields = Pick<ModelRoute, 'name' | 'targets'> &
  Partial<Omit<ModelRoute, 'id' | 'createdTime'>>

export interface Routes {
  all(): readonly ModelRoute[]
  /** Throws `not_found` for an unknown id. */
  find(id: number): ModelRoute
  /** Only an enabled one. */
  byName(name: string): ModelRoute | undefined
  create(fields: RouteFields): ModelRoute
  /** Throws `not_found` for an unknown id. */
  update(id: number, fields: Partial<ModelRoute>): ModelRoute
  /** Returns whether there was one. */
  remove(id: number): boolean
}

/** The routes of a state. */
export function createRoutes(state: State): Routes {
  let seen: unknown
  let enabled: ReadonlyMap<string, ModelRoute> = new Map()

  const byName = (): ReadonlyMap<string, ModelRoute> => {
    const { routes } = state.data
    if (routes !== seen) {
      enabled = new Map(
        routes.filter(({ status }) => status === 1).map((route) => [route.name, route]),
      )
      seen = routes
    }
    return enabled
  }

  const byId = (id: number) => state.data.routes.find((route) => route.id === id)

  const find = (id: number): ModelRoute => {
    const route = byId(id)
    if (route) return route
    throw new GatewayError('not_found', {
      message: `There is no route ${id}. It may have been deleted: reload the list.`,
      field: 'id',
      reason: { code: 'no_route', id },
    })
  }

  return {
    all: () => state.data.routes,
    find,
    byName: (name) => byName().get(name),

    create(fields) {
      return find(
        state.update((draft) => {
          const id = draft.nextId.route++
          draft.routes.push({
            status: 1,
            rules: [],
            createdTime: unixSeconds(),
            ...structuredClone(omitUndefined(fields)),
            id,
          })
          return id
        }),
      )
    },

    update(id, { id: _id, ...fields }) {
      find(id)
      state.update((draft) => {
        const stored = draft.routes.find((route) => route.id === id)
        if (stored) Object.assign(stored, structuredClone(omitUndefined(fields)))
      })
      return find(id)
    },

    remove(id) {
      if (!byId(id)) return false
      state.update((draft) => {
        draft.routes = draft.routes.filter((route) => route.id !== id)
      })
      return true
    },
  }
}
