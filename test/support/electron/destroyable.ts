import { EventEmitter } from 'node:events'

/** Members that still work on a destroyed object of Electron: JavaScript's own, and the check for it. */
const alwaysThere = new Set<string | symbol>([
  'isDestroyed',
  'constructor',
  ...Object.getOwnPropertyNames(EventEmitter.prototype),
  ...Object.getOwnPropertySymbols(EventEmitter.prototype),
])

/** `target`, of which nothing can be used any more once it is destroyed, as Electron's own objects. */
export function destroyable<Target extends EventEmitter & { isDestroyed(): boolean }>(
  target: Target,
): Target {
  return new Proxy(target, {
    get(_target, name) {
      if (target.isDestroyed() && !alwaysThere.has(name)) {
        throw new TypeError('Object has been destroyed')
      }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set(_target, name, value) {
      if (target.isDestroyed()) throw new TypeError('Object has been destroyed')
      return Reflect.set(target, name, value, target)
    },
  })
}
